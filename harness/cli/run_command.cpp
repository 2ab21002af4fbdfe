// SPDX-License-Identifier: MIT
//
// slidebench run: the options of a measurement.
#include <memory>

#include "harness/cli/commands.hpp"
#include "harness/cli/run_session.hpp"
#include "harness/timing/workload.hpp"
#include "harness/trace/errors.hpp"

namespace slidebench {
namespace {

std::string names_of(const auto& list) {
  std::string names;
  for (const auto& item : list) names += (names.empty() ? "" : ", ") + std::string(item.name);
  return names;
}

Profile profile_named(const std::string& name) {
  for (const Profile& profile : profiles) {
    if (profile.name == name) return profile;
  }
  throw UserError("unknown profile '" + name + "'; the profiles are " + names_of(profiles));
}

void check_workloads(std::vector<std::string>& names) {
  if (names.empty()) {
    for (const Workload& workload : workloads) names.emplace_back(workload.name);
  }
  for (const std::string& name : names) {
    if (find_workload(name) == nullptr) {
      throw UserError("unknown workload '" + name + "'; the workloads are " + names_of(workloads));
    }
  }
}

}  // namespace

void add_run_command(CLI::App& program, const std::vector<std::string>& command_line) {
  CLI::App* command = program.add_subcommand("run", "Measures methods on traces and judges the differences");
  auto settings = std::make_shared<RunSettings>();
  settings->command_line = command_line;
  auto profile = std::make_shared<std::string>(settings->profile.name);
  auto no_random = std::make_shared<bool>(false);
  command->add_option("--trace", settings->traces, "A trace to replay; may be repeated")->type_name("FILE");
  command->add_flag("--no-random", *no_random, "Leave the random trace, the usual unrealistic contrast, out");
  settings->methods.add_to(*command);
  command->add_option("--workload", settings->workloads, "A workload: " + names_of(workloads) + " (default: all)")
      ->type_name("NAME");
  command->add_option("--profile", *profile, "How much to measure: " + names_of(profiles))->capture_default_str();
  command->add_option("--seed", settings->seed, "Seed of the orders and of the random trace")->capture_default_str();
  command->add_option("--out", settings->out, "Folder for the results; must not hold a run yet")
      ->type_name("DIR")
      ->required();
  command->footer(
      "Example:\n  slidebench trace build --kind game --out game.trace games.pgn\n"
      "  slidebench run --trace game.trace --profile quick --out reports/first");
  command->callback([settings, profile, no_random] {
    settings->profile = profile_named(*profile);
    settings->random_trace = !*no_random;
    check_workloads(settings->workloads);
    run_session(*settings);
  });
  program.add_subcommand("run-launch", "Internal: one measuring process of a run")->group("")->callback(serve_launch);
}

}  // namespace slidebench
