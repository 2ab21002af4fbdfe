// SPDX-License-Identifier: MIT
#include "harness/statistics/sessions.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace slidebench {
namespace {

double squares_around(const std::vector<double>& values, double centre) {
  return std::accumulate(values.begin(), values.end(), 0.0,
                         [centre](double sum, double value) { return sum + (value - centre) * (value - centre); });
}

/// The mean square between sessions over that within them, which is about 1 where sessions do nothing (one-way analysis
/// of variance). Absent for too few, and where nothing scatters within.
std::optional<double> variance_ratio(const ByProcessRun& values, unsigned process_runs) {
  std::map<unsigned, std::vector<double>> sessions;
  for (const auto& [process_run, value] : values) sessions[process_run / process_runs].push_back(value);
  std::erase_if(sessions, [](const auto& session) { return session.second.size() < 2; });
  if (sessions.size() < 2) return std::nullopt;
  const double all = mean(values_of(values));
  double between = 0, within = 0, free = 0;
  for (const auto& [number, of_session] : sessions) {
    const double n = static_cast<double>(of_session.size()), centre = mean(of_session);
    between += n * (centre - all) * (centre - all);
    within += squares_around(of_session, centre);
    free += n - 1;
  }
  if (within <= 0) return std::nullopt;
  return between / static_cast<double>(sessions.size() - 1) / (within / free);
}

/// The values moved away from their mean, or towards it.
ByProcessRun scaled(ByProcessRun values, double factor) {
  const double centre = mean(values_of(values));
  for (auto& [process_run, value] : values) value = centre + factor * (value - centre);
  return values;
}

}  // namespace

double session_widening(const CellSamples& cell, unsigned process_runs) {
  const ContenderSamples* reference = cell.find(ContenderRole::reference);
  if (reference == nullptr || process_runs == 0) return 1;
  std::vector<ByProcessRun> contenders;
  for (const auto& [name, contender] : cell.contenders) {
    const ProcessRuns rounds = log_ratios(contender, *reference);
    if (contender.first.role == ContenderRole::method && !rounds.empty()) contenders.push_back(pseudo_values(rounds));
  }
  return widening_of(contenders, process_runs);
}

double widening_of(const std::vector<ByProcessRun>& contenders, unsigned process_runs) {
  std::vector<double> ratios;
  for (const ByProcessRun& values : contenders) {
    if (const auto ratio = variance_ratio(values, process_runs)) ratios.push_back(*ratio);
  }
  return ratios.empty() ? 1 : std::sqrt(std::max(1.0, mean(ratios)));
}

ByProcessRun widened(ByProcessRun values, double factor) {
  return factor > 1 ? scaled(std::move(values), factor) : values;
}

ByProcessRun narrowed(ByProcessRun values, double factor) {
  return factor > 1 ? scaled(std::move(values), 1 / factor) : values;
}

}  // namespace slidebench
