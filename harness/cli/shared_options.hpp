// SPDX-License-Identifier: MIT
//
// Options that several commands have.
#pragma once

#include <string>
#include <vector>

#include "harness/plugin/method_selection.hpp"

namespace CLI {
class App;
}

namespace slidebench {

/// --method and --plugin.
void add_method_options(CLI::App& command, MethodOptions& options);

/// --format, one of table, csv and json, and --json.
void add_format_options(CLI::App& command, std::string& format);

/// --events: hardware events by their names.
void add_events_option(CLI::App& command, std::vector<std::string>& events);

}  // namespace slidebench
