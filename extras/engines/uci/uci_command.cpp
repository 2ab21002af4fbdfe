// SPDX-License-Identifier: MIT
//
// slidebench uci: the engine here, with one method, as a UCI program.
#include <CLI/CLI.hpp>
#include <memory>

#include "extras/engines/commands.hpp"
#include "extras/engines/uci/uci_program.hpp"
#include "harness/cli/extra_command.hpp"
#include "harness/cli/numbers.hpp"
#include "harness/measure/contender.hpp"
#include "harness/measure/table_pages.hpp"
#include "harness/plugin/method_selection.hpp"

namespace slidebench {
namespace {

struct UciOptions {
  std::string method = reference_method;
  std::vector<std::string> plugins;
  EngineForm form;
  unsigned hash_mib = 16;
};

/// The method as a process run of a run loads it: code on pages of its own, tables on small ones.
void run_uci_command(const UciOptions& options) {
  EngineSettings settings;
  settings.positions.resize(1);
  settings.hash_mib = options.hash_mib;
  check_engine_settings(settings);
  const EngineForm form = parse_engine_form(to_string(options.form));
  Plugin method = Plugin::open(select_player(options.method, options.plugins).path(), CodePages::own);
  advise_table_pages(method, false);
  method.initialise();
  UciProgram(method, form, options.hash_mib).serve();
}

}  // namespace

void add_uci_command(CLI::App& program) {
  CLI::App* command = program.add_subcommand("uci", extra_description("uci"));
  auto options = std::make_shared<UciOptions>();
  command->add_option("--method", options->method, "The method that answers its attack queries")
      ->type_name("ID")
      ->capture_default_str();
  command->add_option("--plugin", options->plugins, "A module built elsewhere; may be repeated")->type_name("FILE.so");
  counts(command->add_option("--net", options->form.net, "Width of the network; 0: the classical evaluation"), 0,
         widest_network)
      ->capture_default_str();
  command->add_flag("--threats", options->form.threats, "The network with threat features");
  counts(command->add_option("--hash", options->hash_mib, "MiB of the hash table, until the option Hash changes it"), 1,
         most_hash_mib)
      ->capture_default_str();
  command->footer(
      "`go nodes` and `go depth` are one search, as in run --workload engine; nothing stops it before its end.\n"
      "`go movetime`, `go infinite` and clocks search in steps of at most a tenth of a second.\n"
      "Example:\n  printf 'position startpos moves e2e4\\ngo depth 9\\n' | slidebench uci --method pext --net 256");
  command->callback([options] { run_uci_command(*options); });
}

}  // namespace slidebench
