// SPDX-License-Identifier: MIT
//
// Options that several commands have.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/base/output_file.hpp"
#include "harness/plugin/method_selection.hpp"

namespace CLI {
class App;
}

namespace slidebench {

/// --method and --plugin.
void add_method_options(CLI::App& command, MethodOptions& options);

/// --format, one of `formats`, and --json.
void add_format_options(CLI::App& command, std::string& format, const char* words = "table, csv or json",
                        const std::vector<std::string>& formats = {"table", "csv", "json"});

/// --events: hardware events by their names.
void add_events_option(CLI::App& command, std::vector<std::string>& events);

/// --out: a file for the result instead of standard output.
void add_out_option(CLI::App& command, std::string& out);

/// Where a result goes: a file, written whole or not at all, or standard output if the path is empty. Made before the
/// measurement, so that a place that cannot be written is found out then. @throws UserError
class ResultOutput {
 public:
  explicit ResultOutput(const std::string& out);
  void write(const std::string& text);

 private:
  std::optional<OutputFile> file_;
};

}  // namespace slidebench
