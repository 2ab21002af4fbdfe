// SPDX-License-Identifier: MIT
//
// slidebench verify: the gate, from the command line.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>
#include <memory>

#include "harness/cli/commands.hpp"
#include "harness/cli/method_selection.hpp"
#include "harness/cli/text_output.hpp"
#include "harness/plugin/gate.hpp"
#include "harness/timing/launch.hpp"
#include "harness/trace/errors.hpp"

namespace slidebench {
namespace {

void verify(const MethodOptions& options, const GateOptions& gate) {
  const MethodSelection selection = select_methods(options);
  std::size_t wrong = 0;
  std::size_t checked = 0;
  std::string counter_examples;
  for (const Plugin& method : selection.methods) {
    if (is_baseline(method)) continue;
    const GateResult result = verify_method(method, gate);
    ++checked;
    std::printf("%-24s %s  %-5s  %s answers compared\n", method.info().id, method.level().c_str(),
                result.counter_example ? "WRONG" : "right", with_commas(result.answers).c_str());
    std::fflush(stdout);
    if (!result.counter_example) continue;
    ++wrong;
    counter_examples += (counter_examples.empty() ? "" : "; ") + *result.counter_example;
  }
  for (const Skipped& skipped : selection.skipped) {
    std::printf("%-24s skipped: %s\n", skipped.id.c_str(), skipped.why.c_str());
  }
  if (wrong > 0) throw CheckFailed(counter_examples);
  if (checked == 0 && !options.skip_unrunnable)
    throw UserError("nothing to verify: name a method that gives attack sets and that this CPU can run");
}

}  // namespace

void add_verify_command(CLI::App& program) {
  CLI::App* command = program.add_subcommand("verify", "Checks methods exhaustively against the oracle");
  auto options = std::make_shared<MethodOptions>();
  auto gate = std::make_shared<GateOptions>();
  options->add_to(*command);
  command->add_option("--seed", gate->seed, "Seed of the random boards")->capture_default_str();
  command->add_option("--boards", gate->random_boards, "How many random boards")->capture_default_str();
  command->add_flag("--if-runnable", options->skip_unrunnable, "Skip a named method that this CPU cannot run");
  command->footer(
      "Every square with every subset of its relevant occupancy, random noise elsewhere; random boards; sets of "
      "sliders;\n"
      "and the board along a real game. Exit status 1 and a counter-example if an answer is wrong.\n\n"
      "Example:\n  slidebench verify --method magic_fancy --method pext");
  command->callback([options, gate] { verify(*options, *gate); });
}

}  // namespace slidebench
