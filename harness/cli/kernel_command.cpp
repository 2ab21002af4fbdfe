// SPDX-License-Identifier: MIT
//
// slidebench kernel: what a query costs in instructions and memory accesses, counted one by one and so exact.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "harness/base/errors.hpp"
#include "harness/base/json_optional.hpp"
#include "harness/base/text_output.hpp"
#include "harness/base/text_table.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/numbers.hpp"
#include "harness/cli/shared_options.hpp"
#include "harness/run/kernel_counts.hpp"

namespace slidebench {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(KernelCounts, method, level, workload, trace, queries, instructions_per_query,
                                   loads_per_query, stores_per_query, stack_loads_per_query, branches_per_query,
                                   table_reads_per_query, table_bytes, code_bytes)

namespace {

struct KernelOptions {
  MethodOptions methods;
  std::string trace;
  std::string workload = "throughput";
  std::string format = "table";
  std::uint64_t queries = 500;
};

std::vector<std::string> cells_of(const KernelCounts& c) {
  const auto mean = [](double value) { return fmt::format("{:.1f}", value); };
  return {c.method,
          c.level,
          mean(c.instructions_per_query),
          mean(c.loads_per_query),
          mean(c.stores_per_query),
          mean(c.stack_loads_per_query),
          mean(c.branches_per_query),
          c.table_reads_per_query ? fmt::format("{:.3f}", *c.table_reads_per_query) : "-",
          c.table_bytes ? with_commas(*c.table_bytes) : "unknown",
          fmt::format("{}", c.code_bytes)};
}

/// The methods of a selection without the empty loop. Throws UserError for one without a kernel of the workload.
std::vector<const Plugin*> methods_of(const MethodSelection& selection, const Workload& workload) {
  std::vector<const Plugin*> methods;
  for (const Plugin& method : selection.methods) {
    if (workload.of(method.descriptor()).alone == nullptr) {
      throw UserError(method.id() + " has no kernel of the workload " + std::string(workload.name));
    }
    if (!is_baseline(method)) methods.push_back(&method);
  }
  return methods;
}

struct Asked {
  const Workload& workload;
  Trace trace;
};

/// The workload and the trace. Throws UserError where they do not fit.
Asked asked_by(const KernelOptions& options) {
  const Workload* workload = find_workload(options.workload);
  if (workload == nullptr)
    throw UserError("unknown workload '" + options.workload + "'; slidebench kernel --help names them");
  Trace trace = Trace::open(options.trace);
  if (workload->needs_pieces && !trace.has_pieces()) {
    throw UserError("--workload " + options.workload + ": trace " + options.trace +
                    " does not tell the pieces; build one of games or searches");
  }
  if (workload->needs_sliders() && !trace.has_sliders()) {
    throw UserError(options.trace + " has no sliders, as every imported log; choose another workload or trace");
  }
  if (trace.blocks().empty() || trace.blocks().front().queries == 0)
    throw UserError(options.trace + ": the first block asks nothing; use another trace");
  return {*workload, std::move(trace)};
}

void print_counts(const KernelOptions& options) {
  const Asked asked = asked_by(options);
  const MethodSelection selection = select_methods(options.methods);
  const std::vector<const Plugin*> methods = methods_of(selection, asked.workload);
  nlohmann::json rows = nlohmann::json::array();
  TextTable table{.sides = "lrrrrrrrrr"};
  table.rows.push_back({"method", "level", "instructions", "loads", "stores", "stack loads", "branches", "table reads",
                        "table bytes", "code bytes"});
  if (options.format == "csv") std::cout << kernel_csv_header() << std::endl;
  count_kernels(methods, asked.workload, asked.trace, options.queries, [&](const KernelCounts& counts) {
    if (options.format == "json") rows.push_back(counts);
    if (options.format == "csv") std::cout << to_csv(counts) << std::endl;
    table.rows.push_back(cells_of(counts));
  });
  if (options.format == "json") std::cout << rows.dump(2) << "\n";
  if (options.format == "table") std::cout << table.text();
  for (const Skipped& skipped : selection.skipped)
    std::cerr << "slidebench: skipped " << skipped.id << ": " << skipped.why << "\n";
}

}  // namespace

void add_kernel_command(CLI::App& program) {
  CLI::App* command = program.add_subcommand("kernel", "Counts the instructions and memory accesses of a query");
  auto options = std::make_shared<KernelOptions>();
  add_method_options(*command, options->methods);
  command->add_option("--trace", options->trace, "The trace whose first queries are replayed")
      ->type_name("FILE")
      ->required();
  command->add_option("--workload", options->workload, "throughput, latency, setwise, batch or update")
      ->capture_default_str();
  counts(command->add_option("--queries", options->queries, "How many queries, at least"), 1, 1'000'000)
      ->capture_default_str();
  add_format_options(*command, options->format);
  command->footer(
      "The timed kernel runs instruction by instruction (ptrace), and the empty loop's counts are subtracted. Stack\n"
      "loads are spilled registers. Table reads are counted by the traced module: a record is one read, whatever "
      "number\n"
      "of loads the compiler makes of it. Code bytes are those of the different instructions executed. A report shows\n"
      "what it finds in a file kernel.csv of its run (scripts/run_bench.sh makes one). Instructions do not rank\n"
      "methods; they explain a measured ranking.\n\n"
      "Examples:\n  slidebench kernel --trace game.trace --method magic_fancy --method pext\n"
      "  slidebench kernel --trace game.trace --format csv > reports/run1/kernel.csv");
  command->callback([options] { print_counts(*options); });
}

}  // namespace slidebench
