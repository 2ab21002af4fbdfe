// SPDX-License-Identifier: MIT
//
// slidebench completion: a shell script that completes commands, options and the values that are listed.
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "harness/base/text_output.hpp"
#include "harness/cli/command_line.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/lab_command.hpp"

namespace slidebench {
namespace {

/// One branch of a shell's `case`, on "PATH|WORD BEFORE" or "PATH".
std::string branch(const std::string& pattern, const std::string& words) {
  return "    \"" + pattern + "\") echo \"" + words + "\" ;;\n";
}

void append(std::vector<std::string>& list, const std::vector<std::string>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

constexpr const char* branches_command = "completion-branches";
constexpr char between_parts = '\f';

/// Whether a command is here by its name alone.
bool takes_no_options(const CLI::App& command) { return option_names(command).size() <= 1; }

/// The branches of the functions, command by command; `path` is "trace build".
struct Branches {
  std::string commands, values, words;

  void add(const CLI::App& app, const std::string& path) {
    std::vector<std::string> next = command_names(app);
    for (const std::string& option : option_names(app)) next.push_back(option);
    for (const CLI::Option* option : app.get_options()) {
      if (option->get_positional()) append(next, values_of(*option));
    }
    words += branch(path, joined(next, " "));
    for (const CLI::Option* option : app.get_options()) add_values(*option, path);
    for (const CLI::App* command : commands_of(app)) {
      if (is_lab_command(command->get_name()) && takes_no_options(*command)) continue;  // see add_lab()
      add_command(*command, path.empty() ? command->get_name() : path + " " + command->get_name());
    }
  }

  void add_command(const CLI::App& command, const std::string& path) {
    commands += (commands.empty() ? "\"" : "|\"") + path + "\"";
    add(command, path);
  }

  /// Those of slidebench-lab, as its add_branches_command() prints them.
  void add_lab() {
    const std::string all = lab_prints(branches_command);
    const std::size_t first = all.find(between_parts), second = all.find(between_parts, first + 1);
    if (second == std::string::npos) return;
    commands += "|" + all.substr(0, first);
    values += all.substr(first + 1, second - first - 1);
    words += all.substr(second + 1);
  }

  /// A value that is not listed is a file's name, or the user's own.
  void add_values(const CLI::Option& option, const std::string& path) {
    if (!takes_value(option)) return;
    for (const std::string& name : option.get_lnames()) {
      const std::string pattern = path + "|--" + name;
      if (name == "method") {
        values +=
            "    \"" + pattern + "\") echo core; \"$3\" list --format csv 2>/dev/null | sed 1d | cut -d, -f1 ;;\n";
      } else {
        values += branch(pattern, joined(values_of(option), " "));
      }
    }
  }
};

/// What both shells share: $1 the commands so far, $2 the word before, $3 the program.
std::string shared_functions(const CLI::App& program) {
  Branches branches;
  branches.add(program, "");
  branches.add_lab();
  return "_slidebench_path() {  # the commands among the words typed so far\n"
         "  local so_far=\"\" word\n"
         "  for word in \"$@\"; do\n"
         "    case \"${so_far:+$so_far }$word\" in\n"
         "      " +
         branches.commands +
         ") so_far=\"${so_far:+$so_far }$word\" ;;\n"
         "    esac\n"
         "  done\n"
         "  echo \"$so_far\"\n"
         "}\n"
         "_slidebench_words() {  # what may follow: the commands so far, the word before, the program\n"
         "  case \"$1|$2\" in\n" +
         branches.values + "    *) case \"$1\" in\n" + branches.words +
         "    esac ;;\n"
         "  esac\n"
         "}\n";
}

constexpr const char* for_bash =
    "_slidebench() {\n"
    "  local current=\"${COMP_WORDS[COMP_CWORD]}\" before=\"${COMP_WORDS[COMP_CWORD-1]}\" so_far\n"
    "  so_far=\"$(_slidebench_path \"${COMP_WORDS[@]:1:COMP_CWORD-1}\")\"\n"
    "  COMPREPLY=($(compgen -W \"$(_slidebench_words \"$so_far\" \"$before\" \"${COMP_WORDS[0]}\")\" -- "
    "\"$current\"))\n"
    "}\n"
    "complete -o default -F _slidebench slidebench\n";

constexpr const char* for_zsh =
    "_slidebench() {\n"
    "  local before=\"${words[CURRENT-1]}\" so_far\n"
    "  local -a next\n"
    "  so_far=\"$(_slidebench_path \"${(@)words[2,CURRENT-1]}\")\"\n"
    "  next=(${=\"$(_slidebench_words \"$so_far\" \"$before\" \"${words[1]}\")\"})\n"
    "  if (( ${#next} )); then compadd -- $next; else _files; fi\n"
    "}\n"
    "compdef _slidebench slidebench\n";

}  // namespace

void add_completion_command(CLI::App& program) {
  CLI::App* command = program.add_subcommand("completion", "Prints a script that completes commands in a shell");
  auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "bash or zsh")->required()->check(CLI::IsMember({"bash", "zsh"}));
  command->footer(
      "Example:\n  eval \"$(slidebench completion bash)\"      # in ~/.bashrc\n"
      "  eval \"$(slidebench completion zsh)\"       # in ~/.zshrc, after compinit");
  command->callback([&program, shell] {
    std::cout << "# Completion of slidebench: eval \"$(slidebench completion " << *shell << ")\"\n"
              << shared_functions(program) << (*shell == "bash" ? for_bash : for_zsh);
  });
}

void add_branches_command(CLI::App& program) {
  program.add_subcommand(branches_command, "Internal: what slidebench completes of this program")
      ->group("")
      ->callback([&program] {
        Branches branches;
        for (const CLI::App* command : commands_of(program)) branches.add_command(*command, command->get_name());
        std::cout << branches.commands << between_parts << branches.values << between_parts << branches.words;
      });
}

}  // namespace slidebench
