// SPDX-License-Identifier: MIT
#include "harness/run/kernel_counts.hpp"

#include <map>

#include "harness/base/csv_table.hpp"
#include "harness/base/ordered_jobs.hpp"
#include "harness/counters/instruction_mix.hpp"
#include "harness/plugin/cpu.hpp"

namespace slidebench {
namespace {

using enum CellKind;
using enum Need;

template <auto member>
constexpr Column<KernelCounts> mean_column(const char* name, Need need, const char* meaning) {
  return {name, any, need, meaning, [](auto& c) { return decimals(c.*member, 3); }};
}

constexpr CsvTable kernels{
    "kernel.csv", "what a query of a method executes, counted one instruction at a time",
    std::to_array<Column<KernelCounts>>({
        {"method", text, needed, "the method's id", [](auto& c) { return c.method; }},
        {"level", text, needed, "the instruction set that it was compiled for", [](auto& c) { return c.level; }},
        {"workload", text, optional, "how queries are asked", [](auto& c) { return c.workload; }},
        {"trace", text, optional, "SHA-256 of the queries", [](auto& c) { return c.trace; }},
        {"queries", positive, optional, "in which it was counted", [](auto& c) { return std::to_string(c.queries); }},
        mean_column<&KernelCounts::instructions_per_query>("instructions_per_query", needed,
                                                           "less those of the empty loop"),
        mean_column<&KernelCounts::loads_per_query>("loads_per_query", needed, "less those of the empty loop"),
        mean_column<&KernelCounts::stores_per_query>("stores_per_query", optional, "less those of the empty loop"),
        mean_column<&KernelCounts::stack_loads_per_query>("stack_loads_per_query", optional,
                                                          "loads that are from the stack"),
        mean_column<&KernelCounts::branches_per_query>("branches_per_query", needed,
                                                       "conditional ones, less those of the empty loop"),
        mean_column<&KernelCounts::table_reads_per_query>("table_reads_per_query", optional,
                                                          "of the method's tables; empty without a traced module"),
        {"table_bytes", count, optional, "of its tables", [](auto& c) { return whole_or_empty(c.table_bytes); }},
        {"code_bytes", any, needed, "of the instructions executed",
         [](auto& c) { return std::to_string(c.code_bytes); }},
    })};

InstructionMix executed(const Plugin& method, const Workload& workload, const TraceBlock& block) {
  const ReplayKernel kernel = workload.of(method.descriptor()).alone;
  return instruction_mix([kernel, &block] {
    const std::uint64_t sum = kernel(block);
    asm volatile("" : : "r"(sum));
  });
}

/// Reads of tables in all queries, counted by the traced module.
std::uint64_t table_reads(const Plugin& traced, const Workload& workload, const TraceBlock& block) {
  std::uint64_t reads = 0;
  const auto count = [](void* context, std::uint32_t, std::uint32_t, std::uint32_t) {
    ++*static_cast<std::uint64_t*>(context);
  };
  traced.descriptor().trace_accesses(count, &reads);
  workload.of(traced.descriptor()).alone(block);
  traced.descriptor().trace_accesses(nullptr, nullptr);
  return reads;
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

}  // namespace

TraceBlock beginning_of(TraceBlock block, std::uint64_t queries) {
  std::uint32_t nodes = 0;
  std::uint32_t asked = 0;
  while (nodes < block.nodes && asked < queries) asked += queries_in(block.runs[nodes++]);
  block.nodes = nodes;
  block.queries = asked;
  return block;
}

void count_kernels(const std::vector<const Plugin*>& methods, const Workload& workload, const Trace& trace,
                   std::uint64_t queries, const std::function<void(const KernelCounts&)>& counted) {
  const TraceBlock block = beginning_of(trace.blocks().front(), queries);
  const std::uint64_t asked = queries_of(workload, block);
  MethodOptions empty_options;
  empty_options.methods = {"empty"};
  const MethodSelection empty = select_methods(empty_options);
  const InstructionMix loop = executed(empty.methods.front(), workload, block);
  const std::map<std::string, Plugin> traced = traced_modules();

  const auto counts_of = [&](const Plugin& method) {
    const InstructionMix mix = executed(method, workload, block);
    const auto more = [&](std::uint64_t InstructionMix::*count) {
      return static_cast<double>(mix.*count) - static_cast<double>(loop.*count);
    };
    const auto n = static_cast<double>(asked);
    KernelCounts counts{.method = method.id(),
                        .level = method.level(),
                        .workload = std::string(workload.name),
                        .trace = trace.digest_hex(),
                        .queries = asked,
                        .instructions_per_query = more(&InstructionMix::instructions) / n,
                        .loads_per_query = more(&InstructionMix::loads) / n,
                        .stores_per_query = more(&InstructionMix::stores) / n,
                        .stack_loads_per_query = more(&InstructionMix::stack_loads) / n,
                        .branches_per_query = more(&InstructionMix::branches) / n,
                        .table_reads_per_query = std::nullopt,
                        .table_bytes = method.table_bytes(),
                        .code_bytes = static_cast<std::int64_t>(more(&InstructionMix::code_bytes))};
    const auto twin = traced.find(method.id());
    if (twin != traced.end())
      counts.table_reads_per_query = static_cast<double>(table_reads(twin->second, workload, block)) / n;
    return counts;
  };
  in_order(
      methods.size(), all_processors(), [&](std::size_t i) { return counts_of(*methods[i]); },
      [&](std::size_t, const KernelCounts& counts) { counted(counts); });
}

std::string kernel_csv_header() { return kernels.header(); }

std::string to_csv(const KernelCounts& counts) { return kernels.line(counts); }

TableText kernel_columns() { return kernels.describe(); }

}  // namespace slidebench
