// SPDX-License-Identifier: MIT
//
// The instructions that a method's timed kernel executes, one by one, as text for programs: `slidebench kernel --format
// path`.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "harness/plugin/loader.hpp"
#include "harness/plugin/workload.hpp"
#include "harness/trace/reader.hpp"

namespace slidebench {

/// Steps through the kernels of some methods on the beginning of a trace, and through one query of each, and hands on a
/// line of JSON a method, in their order: `method`, `level`, `workload`, `trace` (its digest), `queries`; `kernel` and
/// `once`, each with `code`, a list of [address, bytes as hexadecimal digits], and `order`, indexes into it; `tables`,
/// a list of [name, address, bytes]. Addresses count from where the module was loaded. `once` is one call, on
/// `once_square` and `once_occupied`, d4 in the trace's first position: of the rook query, or, if the method keeps a
/// board, of both sets of a board that is there (`once_asks`: "rook" or "both").
/// Precondition: the trace's first block has queries of the workload, and the methods have its kernel.
/// @param queries  at least so many of the trace, if it has them
void trace_kernels(const std::vector<const Plugin*>& methods, const Workload& workload, const Trace& trace,
                   std::uint64_t queries, const std::function<void(const std::string& line)>& traced);

}  // namespace slidebench
