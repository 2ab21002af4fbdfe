// SPDX-License-Identifier: MIT
//
// The arithmetic of counters, apart from where counts come from, so that it is tested on machines without a PMU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace slidebench {

/// Events a query that the method itself caused: (value - value_empty) / queries.
/// @param value       events in a replay with the method
/// @param value_empty  events in the same replay (trace, sink, pressure) with the empty loop
/// @param queries     queries of the replay
/// @return events a query. Signed: below zero the method's replay counted less than the null's, which is noise when
///         small and a mistake when large; it is not cut off at 0, because that would bias every mean. Nothing if
///         either count is absent or there are no queries
std::optional<double> per_query(std::optional<std::uint64_t> value, std::optional<std::uint64_t> value_empty,
                                std::uint64_t queries);

enum class Consistency { consistent, inconsistent, not_measured };

/// How a count compares with what it should have been.
struct ConsistencyCheck {
  Consistency verdict = Consistency::not_measured;
  std::optional<double> ratio;  ///< measured / expected, if measured
};

/// Compares a count with its expected value.
/// @param expected   events, > 0 (otherwise nothing can be said: not_measured)
/// @param tolerance  greatest relative deviation that still agrees, for example 0.10
ConsistencyCheck check_count(std::optional<std::uint64_t> measured, double expected, double tolerance);

/// Whether an L1D miss event means what it should: the empty loop only streams the trace, so it fills trace_bytes /
/// line_bytes lines, within 10 %. An event that fails this counts something else (or nothing: some hypervisors let an
/// event open and leave it at 0).
/// @param fills        L1D misses of one null replay without pressure
/// @param trace_bytes  bytes of trace that the replay streams once; several times the L1D, otherwise they may stay in
/// it
/// @param line_bytes   size of a cache line
ConsistencyCheck check_empty_fills(std::optional<std::uint64_t> fills, std::uint64_t trace_bytes,
                                   std::uint64_t line_bytes = 64);

/// Whether two instruction counts of the same replay agree within 0.1 %, as those of deterministic work must.
ConsistencyCheck check_repeated_instructions(std::optional<std::uint64_t> first, std::optional<std::uint64_t> again);

/// Packs events 0 ... events-1 into passes, each event into the first pass that takes it.
/// @param events  how many events there are; each is known to fit alone
/// @param limit   greatest number of events in a pass, >= 1
/// @param fit     whether these events can be counted together
/// @return the passes; every event is in exactly one, and stands there in ascending order
std::vector<std::vector<std::size_t>> plan_passes(std::size_t events, std::size_t limit,
                                                  const std::function<bool(const std::vector<std::size_t>&)>& fit);

}  // namespace slidebench
