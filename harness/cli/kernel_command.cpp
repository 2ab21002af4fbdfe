// SPDX-License-Identifier: MIT
//
// slidebench kernel: what a query costs in instructions and memory accesses, counted one by one and so exact.
#include <CLI/CLI.hpp>
#include <cinttypes>
#include <cstdio>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "harness/base/errors.hpp"
#include "harness/base/ordered_jobs.hpp"
#include "harness/base/text_output.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/shared_options.hpp"
#include "harness/counters/instruction_mix.hpp"
#include "harness/plugin/cpu.hpp"
#include "harness/plugin/method_selection.hpp"
#include "harness/plugin/workload.hpp"
#include "harness/trace/reader.hpp"

namespace slidebench {
namespace {

struct KernelOptions {
  MethodOptions methods;
  std::string trace;
  std::string workload = "throughput";
  std::string format = "table";
  std::uint64_t queries = 500;
};

/// The nodes of a block up to at least `queries` queries, or all of them.
TraceBlock beginning_of(TraceBlock block, std::uint64_t queries) {
  std::uint32_t nodes = 0;
  std::uint32_t asked = 0;
  while (nodes < block.nodes && asked < queries) asked += queries_in(block.runs[nodes++]);
  block.nodes = nodes;
  block.queries = asked;
  return block;
}

InstructionMix executed(ReplayKernel kernel, const TraceBlock& block) {
  return instruction_mix([kernel, &block] {
    const std::uint64_t sum = kernel(block);
    asm volatile("" : : "r"(sum));
  });
}

/// Reads of tables a query, counted by the traced module.
double table_reads(const Plugin& traced, const Workload& workload, const TraceBlock& block) {
  std::uint64_t reads = 0;
  const auto count = [](void* context, std::uint32_t, std::uint32_t, std::uint32_t) {
    ++*static_cast<std::uint64_t*>(context);
  };
  traced.descriptor().trace_accesses(count, &reads);
  (traced.descriptor().replay.*workload.kernels).alone(block);
  traced.descriptor().trace_accesses(nullptr, nullptr);
  return static_cast<double>(reads) / static_cast<double>(queries_of(workload, block));
}

/// The traced modules of the build by id, those that run here.
std::map<std::string, Plugin> traced_modules() {
  std::map<std::string, Plugin> traced;
  const Isa host = host_isa();
  for (Plugin& plugin : load_folder(plugin_folder(), ModuleRole::traced, host)) {
    if (!plugin.runs_on(host)) continue;
    plugin.initialise();
    traced.emplace(plugin.id(), std::move(plugin));
  }
  return traced;
}

struct MethodCounts {
  InstructionMix mix;
  std::string reads;  ///< of tables a query, as it is printed; empty where the build has no traced module
};

MethodCounts counts_of(const Plugin& method, const std::map<std::string, Plugin>& traced, const Workload& workload,
                       const TraceBlock& block) {
  MethodCounts counts{.mix = executed((method.descriptor().replay.*workload.kernels).alone, block), .reads = ""};
  const auto twin = traced.find(method.id());
  if (twin == traced.end()) return counts;
  char reads[32];
  std::snprintf(reads, sizeof reads, "%.3f", table_reads(twin->second, workload, block));
  counts.reads = reads;
  return counts;
}

/// Counts of one method a query, less those of the empty loop.
class PerQuery {
 public:
  PerQuery(const InstructionMix& method, const InstructionMix& empty, std::uint64_t queries)
      : method_(method), empty_(empty), queries_(static_cast<double>(queries)) {}

  double of(std::uint64_t InstructionMix::*count) const {
    return (static_cast<double>(method_.*count) - static_cast<double>(empty_.*count)) / queries_;
  }

  /// Of all queries together: code is not executed "a query".
  std::int64_t code_bytes() const {
    return static_cast<std::int64_t>(method_.code_bytes) - static_cast<std::int64_t>(empty_.code_bytes);
  }

 private:
  InstructionMix method_;
  InstructionMix empty_;
  double queries_;
};

void print_header(const std::string& format, int columns) {
  if (format == "json") return;  // all at the end
  if (format == "csv") {
    std::cout << "method,level,workload,trace,queries,instructions_per_query,loads_per_query,stores_per_query,"
                 "stack_loads_per_query,branches_per_query,table_reads_per_query,table_bytes,code_bytes\n";
  } else {
    std::printf("%-*s %5s %13s %7s %7s %12s %9s %12s %11s %10s\n", columns, "method", "level", "instructions", "loads",
                "stores", "stack loads", "branches", "table reads", "table bytes", "code bytes");
  }
}

void print_row(const Plugin& method, const PerQuery& mix, const std::string& reads, const KernelOptions& options,
               const Trace& trace, std::uint64_t queries, int columns) {
  const double instructions = mix.of(&InstructionMix::instructions);
  const double loads = mix.of(&InstructionMix::loads);
  const double stores = mix.of(&InstructionMix::stores);
  const double stack_loads = mix.of(&InstructionMix::stack_loads);
  const double branches = mix.of(&InstructionMix::branches);
  const std::optional<std::size_t> bytes = method.table_bytes();
  if (options.format == "csv") {
    std::printf("%s,%s,%s,%s,%" PRIu64 ",%.3f,%.3f,%.3f,%.3f,%.3f,%s,%s,%" PRId64 "\n", method.info().id,
                method.level().c_str(), options.workload.c_str(), trace.digest_hex().c_str(), queries, instructions,
                loads, stores, stack_loads, branches, reads.c_str(), bytes ? std::to_string(*bytes).c_str() : "",
                mix.code_bytes());
  } else {
    std::printf("%-*s %5s %13.1f %7.1f %7.1f %12.1f %9.1f %12s %11s %10" PRId64 "\n", columns, method.info().id,
                method.level().c_str(), instructions, loads, stores, stack_loads, branches,
                reads.empty() ? "-" : reads.c_str(), bytes ? with_commas(*bytes).c_str() : "unknown", mix.code_bytes());
  }
  std::fflush(stdout);
}

nlohmann::json row_json(const Plugin& method, const PerQuery& mix, const std::string& reads,
                        const KernelOptions& options, const Trace& trace, std::uint64_t queries) {
  const std::optional<std::size_t> bytes = method.table_bytes();
  return {{"method", method.id()},
          {"level", method.level()},
          {"workload", options.workload},
          {"trace", trace.digest_hex()},
          {"queries", queries},
          {"instructions_per_query", mix.of(&InstructionMix::instructions)},
          {"loads_per_query", mix.of(&InstructionMix::loads)},
          {"stores_per_query", mix.of(&InstructionMix::stores)},
          {"stack_loads_per_query", mix.of(&InstructionMix::stack_loads)},
          {"branches_per_query", mix.of(&InstructionMix::branches)},
          {"table_reads_per_query", reads.empty() ? nlohmann::json() : nlohmann::json(std::stod(reads))},
          {"table_bytes", bytes ? nlohmann::json(*bytes) : nlohmann::json()},
          {"code_bytes", mix.code_bytes()}};
}

void count_kernels(const KernelOptions& options) {
  const Workload* workload = find_workload(options.workload);
  if (workload == nullptr)
    throw UserError("unknown workload '" + options.workload + "'; slidebench kernel --help names them");
  const Trace trace = Trace::open(options.trace);
  if (workload->needs_sliders() && !trace.has_sliders()) {
    throw UserError(options.trace + " has no sliders, as every imported log; choose another workload or trace");
  }
  const TraceBlock block = beginning_of(trace.blocks().front(), options.queries);
  if (block.queries == 0) throw UserError(options.trace + ": the first block asks nothing; use another trace");

  MethodOptions empty_options;
  empty_options.methods = {"empty"};
  const MethodSelection empty = select_methods(empty_options);
  const InstructionMix empty_mix =
      executed((empty.methods.front().descriptor().replay.*workload->kernels).alone, block);
  const std::map<std::string, Plugin> traced = traced_modules();

  const MethodSelection selection = select_methods(options.methods);
  const int columns = id_columns(selection);
  print_header(options.format, columns);
  nlohmann::json rows = nlohmann::json::array();
  std::vector<const Plugin*> methods;
  for (const Plugin& method : selection.methods) {
    if (!is_baseline(method)) methods.push_back(&method);
  }
  const std::uint64_t queries = queries_of(*workload, block);
  in_order(
      methods.size(), all_processors(), [&](std::size_t i) { return counts_of(*methods[i], traced, *workload, block); },
      [&](std::size_t i, const MethodCounts& counted) {
        const PerQuery counts(counted.mix, empty_mix, queries);
        if (options.format == "json") {
          rows.push_back(row_json(*methods[i], counts, counted.reads, options, trace, queries));
        } else {
          print_row(*methods[i], counts, counted.reads, options, trace, queries, columns);
        }
      });
  if (options.format == "json") std::cout << rows.dump(2) << "\n";
  for (const Skipped& skipped : selection.skipped) {
    std::cerr << "slidebench: skipped " << skipped.id << ": " << skipped.why << "\n";
  }
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
  command->add_option("--queries", options->queries, "How many queries, at least")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000}))
      ->capture_default_str();
  command->add_option("--format", options->format, "table, csv or json")
      ->check(CLI::IsMember({"table", "csv", "json"}))
      ->capture_default_str();
  auto as_json = std::make_shared<bool>(false);
  command->add_flag("--json", *as_json, "The same as --format json");
  command->footer(
      "The timed kernel runs instruction by instruction (ptrace), and the empty loop's counts are subtracted. Stack\n"
      "loads are spilled registers. Table reads are counted by the traced module: a record is one read, whatever "
      "number\n"
      "of loads the compiler makes of it. Code bytes are those of the different instructions executed. A report shows\n"
      "what it finds in a file kernel.csv of its run (scripts/run_bench.sh makes one). Instructions do not rank\n"
      "methods; they explain a measured ranking.\n\n"
      "Examples:\n  slidebench kernel --trace game.trace --method magic_fancy --method pext\n"
      "  slidebench kernel --trace game.trace --format csv > reports/run1/kernel.csv");
  command->callback([options, as_json] {
    if (*as_json) options->format = "json";
    count_kernels(*options);
  });
}

}  // namespace slidebench
