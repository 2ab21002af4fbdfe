// SPDX-License-Identifier: MIT
//
// slidebench ladder: what a load costs here, by the size of the memory it wanders in.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>

#include "extras/model/commands.hpp"
#include "extras/model/ladder/latency_ladder.hpp"
#include "harness/cli/extra_command.hpp"
#include "harness/cli/numbers.hpp"
#include "harness/cli/shared_options.hpp"
#include "harness/run/emulated_times.hpp"

namespace slidebench {
namespace {

struct LadderOptions {
  LadderPlan plan;
  std::string format = "table";
};

/// Large pages are the kernel's gift: what it did not give must not be read as if it had.
void warn_of_missing_pages(const std::vector<LadderStep>& steps) {
  const auto short_of = [](const LadderStep& s) { return s.pages == "2m" && s.large_share < 1; };
  const auto missing = std::count_if(steps.begin(), steps.end(), short_of);
  if (missing > 0) {
    std::cerr << "slidebench: the kernel gave fewer 2 MiB pages than asked for under " << missing
              << " sizes; see the column large_page_share of --format csv\n";
  }
}

void climb(const LadderOptions& options) {
  check_processor();
  const std::vector<LadderStep> steps = measure_ladder(options.plan);
  std::cout << (options.format == "csv" ? ladder_csv(steps) : ladder_table(steps));
  warn_of_missing_pages(steps);
}

}  // namespace

void add_ladder_command(CLI::App& program) {
  CLI::App* command = program.add_subcommand("ladder", extra_description("ladder"));
  auto options = std::make_shared<LadderOptions>();
  auto pages = std::make_shared<std::vector<std::string>>();
  bytes(command->add_option("--max-bytes", options->plan.max_bytes, "The largest size, as 32M or 1G"),
        smallest_ladder_bytes, largest_ladder_bytes)
      ->default_str("256M");
  command->add_option("--pages", *pages, "Pages under it: 4k (default) or 2m; may be repeated")->type_name("PAGES");
  seconds(command->add_option("--seconds", options->plan.seconds,
                              "For about how long; every size is measured at least 3 times"),
          0.001, 1e6)
      ->capture_default_str();
  seeds(command->add_option("--seed", options->plan.seed, "Seed of the cycles and orders"))->capture_default_str();
  command->add_option("--format", options->format, "How it is written")
      ->check(CLI::IsMember({"table", "csv"}))
      ->capture_default_str();
  command->footer(
      "64 cache lines are chased, in dependent loads, after so many bytes of others were read quickly, as an engine\n"
      "does; sizes of 4 KiB and more, two an octave: the median over passes in random order, with quartiles. On 4k\n"
      "pages, large sizes also pay for missing the TLB.\n\n"
      "Example:\n  slidebench ladder --pages 4k --pages 2m --format csv >ladder.csv");
  command->callback([options, pages] {
    if (!pages->empty()) options->plan.pages = *pages;
    climb(*options);
  });
}

}  // namespace slidebench
