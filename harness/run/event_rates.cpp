// SPDX-License-Identifier: MIT
#include "harness/run/event_rates.hpp"

#include <map>
#include <tuple>

#include "harness/counters/event_counters.hpp"
#include "harness/plugin/workload.hpp"
#include "harness/statistics/statistics.hpp"

namespace slidebench {
namespace {

/// Perft and engines ask within their own work, so that there is no empty loop; their queries are nodes.
bool has_empty_loop(const EventCount& count) {
  return count.cell.workload == "replay" || find_workload(count.cell.workload) != nullptr;
}

/// Whom a count is of, and where.
auto key_of(const std::string& contender, const CellText& cell) {
  return std::tuple{contender, cell.workload, cell.kinds, cell.trace, cell.pressure, cell.pages, cell.corunners};
}

/// The circumstances of a count, without its contender.
auto circumstances(const EventCount& c) {
  return std::tuple{key_of("", c.cell), c.process_run, c.reading.metric, c.reading.source, c.cache, c.draw};
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
    EventRate rate{c, std::nullopt, std::nullopt, {}};
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
  std::map<decltype(key_of({}, {})), std::vector<double>> measured;
  std::multimap<std::string, EventRate> simulated;  // by method
  for (const EventRate& rate : event_rates(counts)) {
    if (!rate.per_query || rate.count.reading.metric != "l1d_misses") continue;
    if (rate.count.reading.source == "simulated") {
      simulated.emplace(rate.count.method, rate);
    } else {
      measured[key_of(rate.count.contender, rate.count.cell)].push_back(*rate.per_query);
    }
  }
  for (SummaryRow& row : rows) {
    const CellText cell = names_of(row.cell);
    const auto counted = measured.find(key_of(row.contender, cell));
    if (counted != measured.end()) {
      row.l1d_misses = {mean_interval(counted->second, usual_error, Inference::fixed), "measured"};
      continue;
    }
    std::vector<double> draws;
    const auto [first, last] = simulated.equal_range(row.method);
    for (auto rate = first; rate != last; ++rate) {
      if (is_simulated_for(rate->second.count.cell, cell)) draws.push_back(*rate->second.per_query);
    }
    if (!draws.empty()) row.l1d_misses = {{mean(draws), -INFINITY, INFINITY}, "simulated"};
  }
}

}  // namespace slidebench
