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

void add_format_options(CLI::App& command, std::string& format) {
  command.add_option("--format", format, "table, csv or json")
      ->check(CLI::IsMember({"table", "csv", "json"}))
      ->capture_default_str();
  command.add_flag_callback(
      "--json", [&format] { format = "json"; }, "The same as --format json");
}

void add_events_option(CLI::App& command, std::vector<std::string>& events) {
  command
      .add_option("--events", events,
                  "Hardware events to count in the timed samples: names of slidebench list --events, of PAPI or of the "
                  "kernel, separated by commas (default: the usual ones, where there are any)")
      ->delimiter(',')
      ->type_name("NAME,...");
}

}  // namespace slidebench
