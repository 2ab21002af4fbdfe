// SPDX-License-Identifier: MIT
//
// slidebench help: what --help says, of a command, and the glossary.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "harness/answer/glossary.hpp"
#include "harness/base/errors.hpp"
#include "harness/base/suggestion.hpp"
#include "harness/base/terminal.hpp"
#include "harness/cli/command_line.hpp"
#include "harness/cli/commands.hpp"

namespace slidebench {
namespace {

constexpr const char* glossary_topic = "glossary";

void print_help(const CLI::App& program, const std::vector<std::string>& topic) {
  const CLI::App* app = &program;
  std::string name = program.get_name();
  for (const std::string& word : topic) {
    const CLI::App* next = find_command(*app, word);
    if (next == nullptr) {
      std::vector<std::string> topics = command_names(*app);
      topics.emplace_back(glossary_topic);
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
  CLI::App* command = program.add_subcommand("help", "Help on a command, or the glossary");
  auto topic = std::make_shared<std::vector<std::string>>();
  auto as_json = std::make_shared<bool>(false);
  command->add_option("TOPIC", *topic, "A command, or the word glossary");
  command->add_flag("--json", *as_json, "The glossary as JSON");
  command->footer("Example:\n  slidebench help glossary\n  slidebench help trace build");
  command->callback([&program, topic, as_json] {
    if (*topic != std::vector<std::string>{glossary_topic}) {
      if (*as_json) throw UserError("--json goes with glossary: slidebench help glossary --json");
      return print_help(program, *topic);
    }
    if (*as_json) {
      std::cout << glossary_json().dump(2) << "\n";
    } else {
      std::cout << glossary_text(columns_of(STDOUT_FILENO));
    }
  });
}

}  // namespace slidebench
