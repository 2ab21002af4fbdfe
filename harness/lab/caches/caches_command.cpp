// SPDX-License-Identifier: MIT
//
// slidebench caches: what the caches of this machine are like, by timing alone.
#include <CLI/CLI.hpp>
#include <array>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "harness/base/child_process.hpp"
#include "harness/base/emulator.hpp"
#include "harness/cli/lab_command.hpp"
#include "harness/cli/numbers.hpp"
#include "harness/cli/shared_options.hpp"
#include "harness/lab/caches/caches_report.hpp"
#include "harness/lab/commands.hpp"
#include "harness/measure/table_pages.hpp"
#include "harness/platform/cpu_binding.hpp"
#include "harness/run/emulated_times.hpp"

namespace slidebench {
namespace {

struct CachesOptions {
  CachesPlan plan;
  unsigned process_runs = 7;
  std::string format = "table";
  std::string out;
  bool once = false;
  bool emulator_allowed = false;
};

/// The command line of a process run, from its program on.
std::vector<std::string> command_of(const CachesOptions& options, unsigned number) {
  std::vector<std::string> words = emulator_command();
  words.push_back(words.empty() ? own_program : own_file());
  const CachesPlan& plan = options.plan;
  const std::vector<std::string> rest{"caches",      "--once",
                                      "--seed",      std::to_string(plan.seed + number),
                                      "--sequences", std::to_string(plan.sequences),
                                      "--megabytes", std::to_string(plan.megabytes)};
  words.insert(words.end(), rest.begin(), rest.end());
  if (options.emulator_allowed) words.emplace_back("--allow-emulator");
  return words;
}

/// A process run in a process of its own, because pages are drawn anew with each.
CachesFound process_run(const CachesOptions& options, unsigned number) {
  const std::vector<std::string> words = command_of(options, number);
  ChildProcess child({.program = words.front(), .arguments = {words.begin() + 1, words.end()}, .pipe_errors = false});
  child.input().close();
  std::string text;
  std::array<char, 4096> buffer;
  for (ssize_t n = 0; (n = read_some(child.output().get(), buffer.data(), buffer.size())) > 0;) {
    text.append(buffer.data(), static_cast<std::size_t>(n));
  }
  if (child.wait() != 0) throw UserError("a process run of slidebench caches failed");
  return caches_from_json(nlohmann::json::parse(text));
}

nlohmann::json findings_json(const std::vector<CacheFinding>& findings) {
  const auto number = [](const std::optional<double>& n) { return n ? nlohmann::json(*n) : nlohmann::json(); };
  nlohmann::json list = nlohmann::json::array();
  for (const CacheFinding& f : findings) {
    list.push_back({{"part", f.part},
                    {"property", f.property},
                    {"value", f.value},
                    {"unit", f.unit},
                    {"low", number(f.low)},
                    {"high", number(f.high)}});
  }
  return list;
}

std::string text_of(const std::vector<CacheFinding>& findings, const std::string& format) {
  if (format == "json") return findings_json(findings).dump(2) + "\n";
  return format == "csv" ? caches_csv(findings) : caches_table(findings);
}

void find(const CachesOptions& options) {
  check_processor(options.emulator_allowed);
  if (options.once) {
    bind_to_measuring_cpu();
    std::cout << to_json(measure_caches(options.plan)).dump() << std::endl;
    return;
  }
  ResultOutput output(options.out);
  const std::string refused = large_pages_refused();
  if (!refused.empty()) std::cerr << "slidebench: no 2 MiB pages here: " << refused << "\n";
  std::vector<CachesFound> found;
  for (unsigned number = 0; number < options.process_runs; ++number) found.push_back(process_run(options, number));
  output.write(text_of(findings_of(found), options.format));
}

}  // namespace

void add_caches_command(CLI::App& program) {
  CLI::App* command = program.add_subcommand("caches", lab_description("caches"));
  auto options = std::make_shared<CachesOptions>();
  counts(
      command->add_option("--process-runs", options->process_runs, "How many processes measure, one after the other"),
      1, 1000)
      ->capture_default_str();
  counts(command->add_option("--sequences", options->plan.sequences, "Sequences of visits to a set of each level"), 10,
         10'000)
      ->capture_default_str();
  counts(command->add_option("--megabytes", options->plan.megabytes,
                             "Memory in which a set of the second level is looked for"),
         64, 2048)
      ->capture_default_str();
  add_emulator_option(*command, options->emulator_allowed);
  seeds(command->add_option("--seed", options->plan.seed, "Seed of the places and orders of the first process run"))
      ->capture_default_str();
  add_format_options(*command, options->format);
  add_out_option(*command, options->out);
  command->add_flag("--once", options->once)->group("");
  command->footer(
      "Line, ways, sets and replacement policy of the first two levels, how many pages the TLBs reach, what\n"
      "prefetchers make quicker, and what a load takes that reads what was just stored: all from times, without a\n"
      "counter. harness/lab/caches/README.md says how. Takes some 10 seconds a process run.\n\n"
      "Example:\n  slidebench caches --process-runs 7 --format csv --out caches.csv");
  command->callback([options] { find(*options); });
}

}  // namespace slidebench
