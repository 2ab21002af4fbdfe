// SPDX-License-Identifier: MIT
//
// slidebench help: what --help says, of a command; the glossary; the columns of files; the pressures.
#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "harness/answer/glossary.hpp"
#include "harness/base/csv_table.hpp"
#include "harness/base/errors.hpp"
#include "harness/base/suggestion.hpp"
#include "harness/base/terminal.hpp"
#include "harness/base/text_output.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/program.hpp"
#include "harness/pressure/pressure.hpp"
#include "harness/run/tables.hpp"

namespace slidebench {

static void to_json(nlohmann::json& to, const PressurePreset& preset) {
  to = {{"name", preset.name},
        {"specification", preset.specification},
        {"engine_lines", preset.engine_lines},
        {"source", preset.source}};
}

namespace {

constexpr const char* glossary_topic = "glossary";
constexpr const char* columns_topic = "columns";
constexpr const char* pressures_topic = "pressures";

std::string pressures_text() {
  std::string text;
  for (const PressurePreset& preset : pressure_presets) {
    text += std::string(preset.name) + "\n";
    if (!preset.specification.empty()) text += "  " + std::string(preset.specification) + "\n";
    text += "  " + std::string(preset.source) + "\n";
  }
  return text;
}

std::string columns_text(const nlohmann::json& all) {
  std::string text;
  for (const auto& [file, table] : all.items()) {
    text += file + "\n  A row is " + table.at("row").get<std::string>() + ".\n";
    for (const nlohmann::json& column : table.at("columns")) {
      text +=
          fmt::format("  {:<24} {}\n", column.at("name").get<std::string>(), column.at("meaning").get<std::string>());
    }
  }
  return text;
}

void print_help(const CLI::App& program, const std::vector<std::string>& topic) {
  const CLI::App* app = &program;
  std::string name = program.get_name();
  for (const std::string& word : topic) {
    const CLI::App* next = find_command(*app, word);
    if (next == nullptr) {
      std::vector<std::string> topics = command_names(*app);
      topics.insert(topics.end(), {glossary_topic, columns_topic});
      for (const std::string& known : glossary_words()) topics.push_back(known);
      throw UserError("no help on '" + word + "'" + did_you_mean(word, topics) + "; see slidebench --help");
    }
    app = next;
    name += " " + word;
  }
  // CLI::App::help() would help on the command that was parsed last, which is this one.
  std::cout << app->get_formatter()->make_help(app, name, CLI::AppFormatMode::Normal);
}

/// A topic that is no command, as text or as JSON; nothing for any other word.
std::optional<std::string> page_on(const std::string& topic, bool as_json) {
  if (topic == glossary_topic)
    return as_json ? glossary_json().dump(2) + "\n" : glossary_text(columns_of(STDOUT_FILENO));
  if (topic == columns_topic)
    return as_json ? to_json(file_columns()).dump(2) + "\n" : columns_text(to_json(file_columns()));
  if (topic == pressures_topic) return as_json ? nlohmann::json(pressure_presets).dump(2) + "\n" : pressures_text();
  return std::nullopt;
}

}  // namespace

void add_help_command(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("help", "Help on a command, the glossary, the columns of files, or the pressures");
  auto topic = std::make_shared<std::vector<std::string>>();
  auto as_json = std::make_shared<bool>(false);
  command->add_option("TOPIC", *topic,
                      "A command, a word of the glossary, or one of the words glossary, columns and pressures");
  command->add_flag("--json", *as_json, "The glossary, columns or pressures as JSON");
  command->footer(
      "Example:\n  slidebench help margin\n  slidebench help glossary\n  slidebench help columns --json\n  slidebench "
      "help trace build");
  command->callback([&program, topic, as_json] {
    const std::optional<std::string> page = topic->size() == 1 ? page_on(topic->front(), *as_json) : std::nullopt;
    if (page) {
      std::cout << *page;
    } else if (*as_json) {
      throw UserError("--json goes with glossary, columns and pressures: slidebench help glossary --json");
    } else {
      const bool is_command = !topic->empty() && find_command(program, topic->front()) != nullptr;
      const std::string line = topic->empty() ? "" : glossary_text(columns_of(STDOUT_FILENO), joined(*topic, " "));
      std::cout << line;
      if (line.empty() || is_command) print_help(program, *topic);
    }
  });
}

}  // namespace slidebench
