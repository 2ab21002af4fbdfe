// SPDX-License-Identifier: MIT
#include "harness/run/event_rates.hpp"

#include <map>
#include <tuple>

#include "harness/counters/counter_math.hpp"
#include "harness/plugin/workload.hpp"
#include "harness/statistics/statistics.hpp"

namespace slidebench {
namespace {

/// The circumstances of a count, without its contender.
auto circumstances(const EventCount& c) {
  return std::tuple{c.process_run, c.cell.workload,  c.cell.kinds,     c.cell.trace, c.cell.pressure, c.cell.corunners,
                    c.cell.pages,  c.reading.metric, c.reading.source, c.cache,      c.draw};
}

/// Perft and engines ask within their own work, so that there is no empty loop; their queries are nodes.
bool has_empty_loop(const EventCount& count) {
  return count.cell.workload == "replay" || find_workload(count.cell.workload) != nullptr;
}

bool same_cell(const CellText& a, const CellText& b) {
  return std::tie(a.workload, a.kinds, a.trace, a.pressure, a.pages, a.corunners) ==
         std::tie(b.workload, b.kinds, b.trace, b.pressure, b.pages, b.corunners);
}

/// Whether a simulated count says something of a cell: single queries of all kinds, and nothing else.
bool is_simulated_for(const CellText& simulated, const CellText& cell) {
  const bool single = cell.workload == "throughput" || cell.workload == "latency";
  return single && cell.kinds == "all" && cell.trace == simulated.trace && cell.pressure == simulated.pressure &&
         cell.pages == simulated.pages && cell.corunners == 0;
}

}  // namespace

std::vector<EventRate> event_rates(const std::vector<EventCount>& counts) {
  std::map<decltype(circumstances(EventCount{})), Counted> empties;
  for (const EventCount& c : counts) {
    if (c.role == ContenderRole::empty) empties[circumstances(c)] = {c.reading.value, c.queries};
  }
  std::vector<EventRate> rates;
  for (const EventCount& c : counts) {
    if (!c.reading.value) continue;
    EventRate rate{c, std::nullopt, std::nullopt};
    const auto empty = empties.find(circumstances(c));
    if (!has_empty_loop(c)) {
      rate.per_query = per_query({c.reading.value, c.queries}, {0, c.queries});
    } else if (empty != empties.end()) {
      rate.per_query = per_query({c.reading.value, c.queries}, empty->second);
      const std::optional<double> of_empty = per_query(empty->second, {0, c.queries});
      if (of_empty) rate.empty = *of_empty * static_cast<double>(c.queries);
    }
    rates.push_back(rate);
  }
  return rates;
}

void add_l1d_misses(std::vector<SummaryRow>& rows, const std::vector<EventCount>& counts) {
  const std::vector<EventRate> rates = event_rates(counts);
  for (SummaryRow& row : rows) {
    std::vector<double> measured, simulated;
    const CellText cell = names_of(row.cell);
    for (const EventRate& rate : rates) {
      if (!rate.per_query || rate.count.reading.metric != "l1d_misses") continue;
      const bool real = rate.count.reading.source == "measured";
      if (real && rate.count.contender == row.contender && same_cell(rate.count.cell, cell))
        measured.push_back(*rate.per_query);
      if (!real && rate.count.method == row.method && is_simulated_for(rate.count.cell, cell))
        simulated.push_back(*rate.per_query);
    }
    if (!measured.empty()) row.l1d_misses = {mean_interval(measured, 0.05, Inference::fixed), "measured"};
    if (measured.empty() && !simulated.empty()) row.l1d_misses = {{mean(simulated), -INFINITY, INFINITY}, "simulated"};
  }
}

}  // namespace slidebench
