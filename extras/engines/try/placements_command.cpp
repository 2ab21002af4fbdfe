// SPDX-License-Identifier: MIT
//
// slidebench placements: builds of one source for a duel, which differ in code addresses alone.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <memory>

#include "extras/engines/commands.hpp"
#include "extras/engines/duel/engine_builds.hpp"
#include "extras/engines/duel/engine_process.hpp"
#include "extras/engines/try/engine_build.hpp"
#include "harness/base/errors.hpp"
#include "harness/base/self_process.hpp"
#include "harness/cli/extra_command.hpp"
#include "harness/cli/numbers.hpp"

namespace slidebench {
namespace {

namespace fs = std::filesystem;

struct PlacementsOptions {
  std::string engine;
  std::string out;
  unsigned builds = 8;
  std::vector<std::string> build;
};

void make_placements(const PlacementsOptions& options) {
  const fs::path out = options.out, making = options.out + ".making";
  if (fs::exists(out)) throw UserError("--out " + options.out + ": is there already; name a new folder");
  fs::remove_all(making);
  fs::create_directories(making);
  try {
    const std::string name = fs::absolute(out).filename().string();
    const EngineBuild build{options.build, duel::read_engine(options.engine).builds.front(), making, options.builds};
    const std::size_t count = build_engine(build, name, stop_on_interrupt()).size();
    if (count < 2)
      throw UserError(
          "the sections of this build cannot be shuffled: lld (ld.lld) is not there, or cannot link it, as "
          "GCC's link-time optimisation; see " +
          (making / ("build-" + name + ".log")).string());
    fs::rename(making / "builds" / name, out);
    fs::remove_all(making);
    std::cout << count << " builds in " << options.out << "\nslidebench duel 'old=" << options.out
              << "/*' 'new=...' --out reports/duel\n";
  } catch (const duel::Interrupted&) {
    throw UserError("interrupted; nothing was made");
  }
}

}  // namespace

void add_placements_command(CLI::App& program) {
  CLI::App* command = program.add_subcommand("placements", extra_description("placements"));
  auto options = std::make_shared<PlacementsOptions>();
  command->add_option("--engine", options->engine, "The program that the build makes")->type_name("FILE")->required();
  command->add_option("--out", options->out, "A new folder for the builds")->type_name("DIR")->required();
  counts(command->add_option("--builds", options->builds, "How many"), 2, 64)->capture_default_str();
  command->add_option("BUILD", options->build, "After --: what builds the engine, from clean")
      ->type_name("COMMAND")
      ->required();
  command->footer("Example:\n  slidebench placements --engine src/engine --out build/old -- make -C src -j2 build");
  command->callback([options] { make_placements(*options); });
}

}  // namespace slidebench
