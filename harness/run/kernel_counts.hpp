// SPDX-License-Identifier: MIT
//
// What a query of a method executes: instructions and memory accesses, counted one by one and so exact (kernel.csv).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/plugin/method_selection.hpp"
#include "harness/plugin/workload.hpp"
#include "harness/trace/reader.hpp"

namespace slidebench {

struct TableText;

/// Of one method, a query, less those of the empty loop.
struct KernelCounts {
  std::string method, level, workload;
  std::string trace;  ///< its digest
  std::uint64_t queries = 0;
  double instructions_per_query = 0, loads_per_query = 0, stores_per_query = 0, stack_loads_per_query = 0,
         branches_per_query = 0;
  std::optional<double> table_reads_per_query;  ///< absent where the build has no traced module of the method
  std::optional<std::size_t> table_bytes;       ///< absent where the method does not say
  std::int64_t code_bytes = 0;                  ///< of all queries together: code is not executed "a query"
};

/// The nodes of a block up to at least `queries` queries, or all of them.
TraceBlock beginning_of(TraceBlock block, std::uint64_t queries);

/// Counts the kernels of some methods on the beginning of a trace, and hands on a method's counts in their order as
/// soon as they are known. Precondition: the trace's first block has queries of the workload.
/// @param queries  at least so many of the trace, if it has them
void count_kernels(const std::vector<const Plugin*>& methods, const Workload& workload, const Trace& trace,
                   std::uint64_t queries, const std::function<void(const KernelCounts&)>& counted);

/// kernel.csv: its first line, and one of a method; without line ends.
std::string kernel_csv_header();
std::string to_csv(const KernelCounts& counts);

/// The columns of kernel.csv.
TableText kernel_columns();

}  // namespace slidebench
