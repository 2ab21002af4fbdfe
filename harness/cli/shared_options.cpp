// SPDX-License-Identifier: MIT
#include "harness/cli/shared_options.hpp"

#include <CLI/CLI.hpp>

namespace slidebench {

void add_method_options(CLI::App& command, MethodOptions& options) {
  command
      .add_option(
          "--method", options.methods,
          "A method's id, family:NAME, or a group: core, extra, all, or known for the eight that all know; may be "
          "repeated (default: core)")
      ->type_name("ID");
  command.add_option("--plugin", options.plugins, "A module built elsewhere, or a folder of them; may be repeated")
      ->type_name("PATH");
}

void add_emulator_option(CLI::App& command, bool& allowed) {
  command.add_flag("--allow-emulator", allowed, "Go on under an emulator, whose times are no processor's");
}

}  // namespace slidebench
