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

/// A count, and the queries in which it was counted.
struct Counted {
  std::optional<std::uint64_t> value;
  std::uint64_t queries = 0;
};

/// Events a query that the method itself caused: those of its replay less those of the empty loop, which replays the
/// same trace under the same pressure, though not always as much of it.
/// @return events a query. Signed: below zero the method's replay counted less than the empty loop's, which is noise
///         when small and a mistake when large; it is not cut off at 0, because that would bias every mean. Nothing if
///         either count is absent or has no queries
std::optional<double> per_query(const Counted& method, const Counted& empty);

/// Packs events 0 ... events-1 into passes, each event into the first pass that takes it.
/// @param events  how many events there are; each is known to fit alone
/// @param limit   greatest number of events in a pass, >= 1
/// @param fit     whether these events can be counted together
/// @return the passes; every event is in exactly one, and stands there in ascending order
std::vector<std::vector<std::size_t>> plan_passes(std::size_t events, std::size_t limit,
                                                  const std::function<bool(const std::vector<std::size_t>&)>& fit);

}  // namespace slidebench
