// SPDX-License-Identifier: MIT
#include "harness/cli/program.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "harness/base/errors.hpp"
#include "harness/base/suggestion.hpp"
#include "harness/base/text.hpp"
#include "harness/base/version.hpp"
#include "harness/plugin/crash_report.hpp"
#include "harness/plugin/loader.hpp"

namespace slidebench {
namespace {

/// A line of what is wrong, whatever it quotes: without what a terminal would obey, and no longer than a page.
int fail(const std::string& message, int status) {
  constexpr std::size_t most = 4000;
  std::cerr << "slidebench: " << shortened(printable(message), most) << std::endl;
  return status;
}

/// What was printed must have arrived: a full disk behind standard output is an error, not a detail.
void check_standard_output() {
  std::cout.flush();
  // A write that failed in the middle leaves nothing to flush, only its mark.
  if (!std::cout || std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    throw UserError(std::string("cannot write standard output: ") + std::strerror(errno != 0 ? errno : EIO));
  }
}

/// A command, and how it is typed.
struct NamedCommand {
  const CLI::App* app;
  std::string path;
};

/// CLI11 would call an unknown command a missing one. Returns the command that the words name.
NamedCommand named_command(const CLI::App& program, int argc, char** argv) {
  const CLI::App* app = &program;
  std::string path = "slidebench";
  for (int i = 1; i < argc && argv[i][0] != '-'; ++i) {
    const std::string word = argv[i];
    const CLI::App* next = find_command(*app, word);
    const std::vector<std::string> names = command_names(*app);
    if (next == nullptr && names.empty()) break;  // a value
    if (next == nullptr)
      throw UserError("unknown command '" + word + "'" + did_you_mean(word, names) + "; see " + path + " --help");
    app = next;
    path += " " + word;
  }
  return {app, path};
}

/// What CLI11 found wrong with the words, and what was meant by an option that does not exist.
std::string explained(const CLI::ParseError& error, const CLI::App& command, int argc, char** argv) {
  std::vector<std::string> options;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
  }
  for (int i = 1; i < argc; ++i) {
    const std::string word = std::string(argv[i]).substr(0, std::string(argv[i]).find('='));
    const bool known = std::find(options.begin(), options.end(), word) != options.end();
    const std::string meant = word.starts_with("--") && !known ? did_you_mean(word, options) : "";
    if (!meant.empty()) return "unknown option " + word + meant;
  }
  return error.what();
}

/// Refuses empty values, which CLI11 would take for none at all.
void check_values(const NamedCommand& command, int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const CLI::Option* option = word.starts_with("--") ? command.app->get_option_no_throw(name) : nullptr;
    if (option == nullptr || option->get_type_size() == 0) continue;
    if (equals == std::string::npos && i + 1 == argc) return;
    const std::string value = equals == std::string::npos ? argv[i + 1] : word.substr(equals + 1);
    if (value.empty()) throw UserError(name + " '' is empty; see " + command.path + " --help");
  }
}

/// Version, and the commit that it was built from, with a + for uncommitted changes.
std::string version_line() {
  const std::string commit = git_commit();
  return std::string("slidebench ") + project_version() +
         (commit.empty() ? "" : " (" + commit + (git_dirty() ? "+" : "") + ")");
}

/// The status of a program that has parsed its words and done what they say.
int parsed(CLI::App& program, int argc, char** argv) {
  const NamedCommand command = named_command(program, argc, argv);
  check_values(command, argc, argv);
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
      program.exit(error);
      check_standard_output();
      return 0;
    }
    return fail(explained(error, *command.app, argc, argv) + "; see " + command.path + " --help", 2);
  }
  check_standard_output();
  return 0;
}

}  // namespace

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!command->get_group().empty()) names.push_back(command->get_name());
  }
  return names;
}

const CLI::App* find_command(const CLI::App& app, const std::string& name) {
  const auto found = app.get_subcommands([&name](const CLI::App* command) { return command->get_name() == name; });
  return found.empty() ? nullptr : found.front();
}

int run_program(int argc, char** argv, const std::function<void(CLI::App&)>& add_commands) {
  report_crashes();
  std::signal(SIGXFSZ, SIG_IGN);  // a file that must not grow is one that cannot be written, which is said
  try {
    limit_loading(load_limit());
    CLI::App program("Measures chess sliding-piece attack generation: time and cache, alone and in company.");
    program.name("slidebench");
    program.set_version_flag("--version", version_line());
    program.require_subcommand(1);
    program.footer("Example:\n  slidebench list\n  slidebench help glossary\n  slidebench COMMAND --help");
    add_commands(program);
    return parsed(program, argc, argv);
  } catch (const CheckFailed& error) {
    return fail(error.what(), 1);
  } catch (const std::exception& error) {
    return fail(error.what(), 2);
  }
}

}  // namespace slidebench
