// SPDX-License-Identifier: MIT
//
// slidebench help: what --help says, of a command; the glossary; the columns of files.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "harness/answer/glossary.hpp"
#include "harness/base/csv_table.hpp"
#include "harness/base/errors.hpp"
#include "harness/base/suggestion.hpp"
#include "harness/base/terminal.hpp"
#include "harness/cli/command_line.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/lab_command.hpp"
#include "harness/run/tables.hpp"

namespace slidebench {
namespace {

constexpr const char* glossary_topic = "glossary";
constexpr const char* columns_topic = "columns";

/// The columns of every CSV file that this program or slidebench-lab writes.
nlohmann::json columns_json() {
  nlohmann::json all = to_json(file_columns());
  const std::string of_lab = lab_prints(columns_command);
  if (!of_lab.empty()) all.update(nlohmann::json::parse(of_lab));
  return all;
}

void print_columns() {
  const nlohmann::json all = columns_json();
  for (const auto& [file, table] : all.items()) {
    std::cout << file << "\n  A row is " << table.at("row").get<std::string>() << ".\n";
    for (const nlohmann::json& column : table.at("columns")) {
      std::printf("  %-24s %-8s %s\n", column.at("name").get_ref<const std::string&>().c_str(),
                  column.at("kind").get_ref<const std::string&>().c_str(),
                  column.at("meaning").get_ref<const std::string&>().c_str());
    }
    std::cout << "\n";
  }
}

void print_help(const CLI::App& program, const std::vector<std::string>& topic) {
  const CLI::App* app = &program;
  std::string name = program.get_name();
  for (const std::string& word : topic) {
    const CLI::App* next = find_command(*app, word);
    if (next == nullptr) {
      std::vector<std::string> topics = command_names(*app);
      topics.insert(topics.end(), {glossary_topic, columns_topic});
      throw UserError("no help on '" + word + "'" + did_you_mean(word, topics) + "; see slidebench --help");
    }
    app = next;
    name += " " + word;
  }
  // CLI::App::help() would help on the command that was parsed last, which is this one.
  std::cout << app->get_formatter()->make_help(app, name, CLI::AppFormatMode::Normal);
}

}  // namespace

void add_help_command(CLI::App& program) {
  CLI::App* command = program.add_subcommand("help", "Help on a command, the glossary, or the columns of files");
  auto topic = std::make_shared<std::vector<std::string>>();
  auto as_json = std::make_shared<bool>(false);
  command->add_option("TOPIC", *topic, "A command, or one of the words glossary and columns");
  command->add_flag("--json", *as_json, "The glossary, or the columns, as JSON");
  command->footer(
      "Example:\n  slidebench help glossary\n  slidebench help columns --json\n  slidebench help trace build");
  command->callback([&program, topic, as_json] {
    if (*topic == std::vector<std::string>{glossary_topic}) {
      std::cout << (*as_json ? glossary_json().dump(2) + "\n" : glossary_text(columns_of(STDOUT_FILENO)));
    } else if (*topic == std::vector<std::string>{columns_topic}) {
      if (*as_json) std::cout << columns_json().dump(2) << "\n";
      if (!*as_json) print_columns();
    } else if (*as_json) {
      throw UserError("--json goes with glossary and columns: slidebench help glossary --json");
    } else {
      print_help(program, *topic);
    }
  });
}

}  // namespace slidebench
