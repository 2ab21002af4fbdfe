// SPDX-License-Identifier: MIT
#include "harness/cli/resumed_command.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>

#include "harness/base/errors.hpp"

namespace slidebench {

void parse_as_begun(CLI::App& command, const RunJournal& journal, const std::string& folder) {
  std::vector<std::string> words = journal.identity().command;
  words.erase(words.begin(), words.begin() + 2);  // the program's name, and the command's
  std::reverse(words.begin(), words.end());       // as CLI11 wants them
  try {
    command.parse(words);
  } catch (const CLI::ParseError&) {
    throw UserError("--resume " + folder + ": was begun by another build of slidebench; start a new one");
  }
  std::error_code error;
  std::filesystem::current_path(journal.identity().folder, error);
  if (error) throw UserError("--resume " + folder + ": the folder in which it was begun is gone");
}

void check_only_resumes(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_name();
    if (option->count() > 0 && name != "--resume" && name != "--time")
      throw UserError("--resume goes with --time alone: all else is as it was begun");
  }
}

}  // namespace slidebench
