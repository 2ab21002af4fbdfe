// SPDX-License-Identifier: MIT
#include "harness/statistics/comparison.hpp"

#include <algorithm>
#include <cmath>

#include "harness/statistics/sessions.hpp"

namespace slidebench {

const ContenderSamples* CellSamples::find(ContenderRole role) const {
  for (const auto& [name, contender] : contenders) {
    if (contender.first.role == role) return &contender;
  }
  return nullptr;
}

namespace {

void note_leavers(CellSamples& cell, unsigned final_from) {
  const auto in_final = [final_from](const auto& contender) {
    return contender.second.samples.rbegin()->first.first >= final_from;
  };
  cell.raced = std::any_of(cell.contenders.begin(), cell.contenders.end(), in_final);
  for (const auto& contender : cell.contenders) {
    const bool method = contender.second.first.role == ContenderRole::method;
    if (cell.raced && method && !in_final(contender)) cell.left.insert(contender.first);
  }
}

/// A duel's sides are engines, whose twin draws as many builds as they.
void pair_with_twin(CellSamples& cell) {
  const ContenderSamples* twin = cell.find(ContenderRole::twin);
  if (twin == nullptr || std::holds_alternative<DuelCell>(cell.cell.what)) return;
  for (auto& [name, contender] : cell.contenders) {
    if (contender.first.role == ContenderRole::reference) contender.again = twin->samples;
  }
}

/// What the hours of a run did to its ratios goes into all intervals of the cell.
void widen_by_sessions(CellSamples& cell, unsigned process_runs) {
  const double factor = session_widening(cell, process_runs);
  for (auto& [name, contender] : cell.contenders) contender.widening = factor;
}

double count_of_builds(const ContenderSamples& contender) {
  std::set<unsigned> found;
  for (const auto& [process_run, build] : builds_of(contender)) found.insert(build);
  return static_cast<double>(found.size());
}

/// The builds of a duel of three sides or more that have few of them: too few to judge each side by its own.
PooledBuilds few_builds(const CellSamples& cell) {
  constexpr double few = 8;
  std::vector<ByProcessRun> sides;
  std::vector<BuildByProcessRun> builds;
  for (const auto& [name, contender] : cell.contenders) {
    if (contender.first.role == ContenderRole::twin) continue;
    const double count = count_of_builds(contender);
    builds.push_back(builds_of(contender));
    sides.push_back(numbers_of(contender, log_times(contender)));
    const bool is_common = std::equal(builds.back().begin(), builds.back().end(), builds.front().begin(),
                                      builds.front().end(), [](auto& a, auto& b) { return a.first == b.first; });
    if (count < 2 || count >= few || !is_common) return {};
  }
  return sides.size() < 3 ? PooledBuilds{} : pooled_builds(sides, builds);
}

/// What the builds did goes into the intervals. Where a contender drew the reference's, in the same process runs or, as
/// the A/A control of a duel does, each as often, what they do cancels out.
void let_builds_widen(CellSamples& cell) {
  const ContenderSamples* reference = cell.find(ContenderRole::reference);
  if (reference == nullptr) return;
  const BuildByProcessRun of_reference = builds_of(*reference),
                          of_twin = builds_of({reference->first, reference->again});
  for (auto& [name, contender] : cell.contenders) contender.draws_builds = true;
  const PooledBuilds pooled = few_builds(cell);
  for (auto& [name, contender] : cell.contenders) {
    const BuildByProcessRun builds = builds_of(contender);
    contender.time_widening = builds_widening(numbers_of(contender, log_times(contender)), builds, {});
    const ProcessRuns ratios = log_ratios(contender, *reference);
    if (builds == of_reference || ratios.empty()) continue;
    const bool is_twin = contender.first.role == ContenderRole::twin;
    if (is_twin && static_cast<double>(builds.size()) >= count_of_builds(*reference)) continue;
    const ByProcessRun numbers = numbers_of(contender, ratios);
    contender.widening *=
        pooled.freedom > 0 ? pooled_widening(numbers, pooled, count_of_builds(contender), count_of_builds(*reference))
                           : builds_widening(numbers, builds, of_reference, is_twin ? BuildByProcessRun{} : of_twin);
  }
}

}  // namespace

std::vector<CellSamples> sort_into_cells(const std::vector<Sample>& samples, const Protocol& protocol) {
  std::map<Cell, CellSamples> sorted;
  for (const Sample& s : samples) {
    CellSamples& cell = sorted[s.cell];
    cell.cell = s.cell;
    ContenderSamples& contender = cell.contenders.try_emplace(s.contender, ContenderSamples{s, {}}).first->second;
    contender.samples.insert_or_assign({s.process_run, s.round}, s);
  }
  std::vector<CellSamples> cells;
  for (auto& [key, cell] : sorted) {
    pair_with_twin(cell);
    if (protocol.final_from > 0) note_leavers(cell, protocol.final_from);
    if (protocol.process_runs_a_session > 0) widen_by_sessions(cell, protocol.process_runs_a_session);
    if (protocol.draws_builds) let_builds_widen(cell);
    cells.push_back(std::move(cell));
  }
  return cells;
}

ProcessRuns log_ratios(const ContenderSamples& contender, const ContenderSamples& reference, Rounds rounds) {
  const ContenderRole role = contender.first.role;
  const bool is_same_code = role == ContenderRole::reference || role == ContenderRole::twin;
  ProcessRuns process_runs;
  for (const auto& [round, sample] : contender.samples) {
    const auto other = reference.samples.find(round);
    if (other == reference.samples.end()) continue;
    if (rounds == Rounds::unflagged && (sample.flagged() || other->second.flagged())) continue;
    double of_reference = std::log(other->second.ns_per_query());
    const auto again = reference.again.find(round);
    const bool use_twin =
        !is_same_code && again != reference.again.end() && (rounds == Rounds::all || !again->second.flagged());
    if (use_twin) of_reference = (of_reference + std::log(again->second.ns_per_query())) / 2;
    process_runs[round.first].push_back(std::log(sample.ns_per_query()) - of_reference);
  }
  return process_runs;
}

ByProcessRun numbers_of(const ContenderSamples& contender, const ProcessRuns& rounds) {
  if (!contender.draws_builds) return pseudo_values(rounds);
  ByProcessRun numbers;
  for (const auto& [process_run, of_process_run] : rounds) {
    std::vector<double> sorted = of_process_run;
    std::sort(sorted.begin(), sorted.end());
    numbers[process_run] = trimmed_mean(sorted);
  }
  return numbers;
}

ByProcessRun compared(const ContenderSamples& contender, const ContenderSamples& reference, Rounds rounds) {
  return widened(numbers_of(contender, log_ratios(contender, reference, rounds)), contender.widening);
}

BuildByProcessRun builds_of(const ContenderSamples& contender) {
  BuildByProcessRun builds;
  for (const auto& [round, sample] : contender.samples) builds[round.first] = sample.placement;
  return builds;
}

ProcessRuns log_times(const ContenderSamples& contender) {
  ProcessRuns process_runs;
  for (const auto& [round, sample] : contender.samples)
    process_runs[round.first].push_back(std::log(sample.ns_per_query()));
  return process_runs;
}

std::vector<std::vector<double>> common_process_runs(const std::vector<ByProcessRun>& contenders) {
  std::vector<std::vector<double>> rows(contenders.size());
  if (contenders.empty()) return rows;
  for (const auto& entry : contenders.front()) {
    const unsigned process_run = entry.first;
    const bool everywhere = std::all_of(contenders.begin(), contenders.end(),
                                        [&](const ByProcessRun& a) { return a.contains(process_run); });
    for (std::size_t i = 0; everywhere && i < contenders.size(); ++i) rows[i].push_back(contenders[i].at(process_run));
  }
  return rows;
}

}  // namespace slidebench
