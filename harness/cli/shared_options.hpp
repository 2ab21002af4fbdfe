// SPDX-License-Identifier: MIT
//
// Options that several commands have.
#pragma once

#include "harness/plugin/method_selection.hpp"

namespace CLI {
class App;
}

namespace slidebench {

/// --method and --plugin.
void add_method_options(CLI::App& command, MethodOptions& options);

/// --allow-emulator, for commands that do nothing but measure (run/emulated_times.hpp).
void add_emulator_option(CLI::App& command, bool& allowed);

}  // namespace slidebench
