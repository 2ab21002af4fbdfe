// SPDX-License-Identifier: MIT
#include "harness/cli/command_line.hpp"

#include <CLI/CLI.hpp>

namespace slidebench {

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : commands_of(app)) names.push_back(command->get_name());
  return names;
}

const CLI::App* find_command(const CLI::App& app, const std::string& name) {
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_name() == name) return command;
  }
  return nullptr;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

std::vector<std::string> values_of(const CLI::Option& option) {
  // CLI11 keeps the list in the description of the type: "TEXT:{table,csv}".
  const std::string type = option.get_type_name();
  const std::size_t open = type.find('{'), close = type.find('}');
  std::vector<std::string> values;
  if (open == std::string::npos || close == std::string::npos || close < open) return values;
  for (std::size_t from = open + 1; from < close;) {
    const std::size_t to = std::min(type.find(',', from), close);
    const std::string entry = type.substr(from, to - from);
    values.push_back(entry.substr(0, entry.find("->")));  // "chase->0": of names that stand for values
    from = to + 1;
  }
  return values;
}

}  // namespace slidebench
