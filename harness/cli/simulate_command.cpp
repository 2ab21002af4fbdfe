// SPDX-License-Identifier: MIT
//
// slidebench simulate: the cache simulator from the command line.
#include <CLI/CLI.hpp>
#include <memory>

#include "harness/base/errors.hpp"
#include "harness/base/self_process.hpp"
#include "harness/base/text_output.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/numbers.hpp"
#include "harness/cli/shared_options.hpp"
#include "harness/run/simulated_run.hpp"
#include "harness/simulator/cache_presets.hpp"

namespace slidebench {
namespace {

std::string preset_names() { return joined(cache_presets, ", ", &CachePreset::name); }

}  // namespace

void add_simulate_command(CLI::App& program, const std::vector<std::string>& command_line) {
  CLI::App* command = program.add_subcommand("simulate", "Simulates caches and TLBs on what the methods read");
  auto settings = std::make_shared<SimulateSettings>();
  settings->command_line = command_line;
  command->add_option("--trace", settings->traces, "A trace to replay; may be repeated")->type_name("FILE");
  add_method_options(*command, settings->methods);
  command
      ->add_option("--cache", settings->caches,
                   "host, a preset (" + preset_names() + "), or a specification; may be repeated")
      ->type_name("CACHE");
  command->add_option("--pressure", settings->pressures, "What the engine touches in between; may be repeated")
      ->type_name("PRESSURE");
  command->add_option("--pages", settings->pages, "Pages of the large tables: 4k or 2m; may be repeated")
      ->check(CLI::IsMember({"4k", "2m"}));
  counts(command->add_option("--draws", settings->draws, "How many random placements of pages"), 1, 64)
      ->capture_default_str();
  command->add_flag("--reuse", settings->reuse, "Also exact reuse distances: misses for every cache size (mrc.csv)");
  command->add_flag("--squares", settings->squares, "Also the misses of every square and kind of query (squares.csv)");
  command->add_flag("--cold", settings->cold, "Count one pass over the trace, which begins on empty caches");
  counts(command->add_option(
             "--segment-queries", settings->segment_queries,
             "Queries that are replayed twice, to warm up and to be counted, before the next; 0: the whole trace"),
         0)
      ->capture_default_str();
  command
      ->add_option("--touches", settings->touches,
                   "Order of the pressure's touches: cyclic, as in the timed replay, or independent")
      ->check(CLI::IsMember({"cyclic", "independent"}).description(""))
      ->type_name("ORDER");
  counts(command->add_option("--jobs", settings->jobs, "How many methods at once"), 1, 1024)->capture_default_str();
  command->add_option("--out", settings->out, "Folder for the results; must not hold a run yet")
      ->type_name("DIR")
      ->required();
  command->footer(
      "A specification: L1=48K/12/64,L2=1M/16,L3=32M/16:victim,DTLB=96,STLB=4096/16, or a preset with changes:\n"
      "skylake,L2=1M/16,L3=none. Everything that this prints is simulated; nothing of it was measured.\n"
      "Counts describe warm caches, as timed samples have them; what only the first pass reads anew is apart, in the\n"
      "column cold_compulsory of tables.csv. More: harness/README.md\n\n"
      "Example:\n  slidebench simulate --trace search.trace --cache host --cache nehalem-i5 --pressure isolated\n"
      "    --pressure net1024 --reuse --out reports/simulated");
  command->callback([settings] {
    const std::atomic<bool>& stop = stop_on_interrupt();
    simulate(*settings, stop);
    if (stop) throw UserError("interrupted; what was simulated is in " + settings->out + ", marked incomplete");
  });
}

}  // namespace slidebench
