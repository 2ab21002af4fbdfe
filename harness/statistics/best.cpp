// SPDX-License-Identifier: MIT
#include "harness/statistics/best.hpp"

#include <algorithm>

namespace slidebench {
namespace {

struct Candidate {
  std::string contender;
  ByProcessRun log_ratio;
  double mean = 0;
};

std::vector<Candidate> candidates_of(const CellSamples& cell, const ContenderSamples& reference,
                                     const std::function<bool(const ContenderSamples&)>& admitted,
                                     const Protocol& protocol) {
  std::vector<Candidate> candidates;
  for (const auto& [name, contender] : cell.contenders) {
    const bool takes_part =
        contender.first.role == ContenderRole::method || contender.first.role == ContenderRole::reference;
    if (!takes_part || !admitted(contender)) continue;
    if (log_ratios(contender, reference).empty()) continue;
    const ByProcessRun values = compared(contender, reference);
    candidates.push_back({name, values, mean_interval(values_of(values), usual_error, protocol.inference).value});
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.mean < b.mean; });
  return candidates;
}

/// The first over the second, at an error that allows for having chosen them among all.
Estimate lead_of(const std::vector<std::vector<double>>& times, const Protocol& protocol) {
  std::vector<double> ahead;
  for (std::size_t l = 0; l < times[0].size(); ++l) ahead.push_back(times[0][l] - times[1][l]);
  const double error = usual_error / static_cast<double>(times.size() - 1);
  return exponential(mean_interval(ahead, error, protocol.inference));
}

}  // namespace

BestContenders best_contenders(const CellSamples& cell, const std::function<bool(const ContenderSamples&)>& admitted,
                               const Protocol& protocol) {
  BestContenders best;
  const ContenderSamples* reference = cell.find(ContenderRole::reference);
  if (reference == nullptr) return best;
  const std::vector<Candidate> candidates = candidates_of(cell, *reference, admitted, protocol);
  std::vector<std::string> names;
  std::vector<ByProcessRun> log_ratios;
  for (const Candidate& candidate : candidates) {
    best.by_time.push_back(candidate.contender);
    if (cell.left.contains(candidate.contender)) continue;
    names.push_back(candidate.contender);
    log_ratios.push_back(candidate.log_ratio);
  }
  const auto times = common_process_runs(log_ratios);
  best.known = !times.empty() && times.front().size() >= 2;
  if (!best.known) return best;
  const double error = usual_error - (cell.raced ? leaving_error : 0);
  const std::vector<bool> may_be = may_be_fastest(times, error, protocol.inference);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (may_be[i]) best.may_be.push_back(names[i]);
  }
  if (names.size() >= 2) best.lead = lead_of(times, protocol);
  return best;
}

}  // namespace slidebench
