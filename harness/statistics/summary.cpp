// SPDX-License-Identifier: MIT
#include "harness/statistics/summary.hpp"

#include <algorithm>
#include <cmath>

#include "harness/statistics/best.hpp"

namespace slidebench {
namespace {

Estimate exponential(const Estimate& e) { return {std::exp(e.value), std::exp(e.low), std::exp(e.high)}; }

Estimate around(double value, double half_width) { return {value, value - half_width, value + half_width}; }

double half_width(const Estimate& e) { return e.high - e.value; }

std::string fixed_verdict(ArmRole role) {
  switch (role) {
    case ArmRole::reference: return "reference";
    case ArmRole::twin: return "twin";
    case ArmRole::control: return "control";
    case ArmRole::method: return {};
    case ArmRole::empty:
    case ArmRole::clock: return "baseline";
  }
  return {};
}

/// Turns one cell's samples into rows. Every time is the anchor's (the reference's; without one the empty loop's) times
/// the arm's ratio to the anchor in the same rounds.
class CellSummary {
 public:
  CellSummary(const CellSamples& cell, const Protocol& protocol)
      : cell_(cell),
        protocol_(protocol),
        reference_(cell.find(ArmRole::reference)),
        empty_(cell.find(ArmRole::empty)),
        anchor_(reference_ != nullptr ? reference_ : empty_) {}

  std::vector<SummaryRow> rows() const {
    std::vector<SummaryRow> rows;
    for (const auto& [name, arm] : cell_.arms) rows.push_back(row_of(arm));
    compare_with_reference(rows);
    compare_with_best(rows);
    std::stable_sort(rows.begin(), rows.end(), [](const SummaryRow& a, const SummaryRow& b) {
      return a.ns_per_query.value < b.ns_per_query.value;
    });
    return rows;
  }

 private:
  Estimate interval(const std::vector<double>& launches) const {
    return mean_interval(launches, usual_error, protocol_.inference);
  }

  /// The logarithm of an arm's time, launch by launch.
  ByLaunch log_time(const ArmSamples& arm) const {
    if (anchor_ == nullptr || arm.first.role == ArmRole::clock) return launch_medians(log_times(arm));
    const ByLaunch anchor = launch_medians(log_times(*anchor_));
    ByLaunch times;
    for (const auto& [launch, ratio] : launch_medians(log_ratios(arm, *anchor_)))
      times[launch] = anchor.at(launch) + ratio;
    return times;
  }

  /// Arms that left a run early are compared with the reference of all launches.
  double typical_log_time(const ArmSamples& arm) const {
    if (anchor_ == nullptr || arm.first.role == ArmRole::clock) return interval(values_of(log_time(arm))).value;
    const double anchor = interval(values_of(launch_medians(log_times(*anchor_)))).value;
    return anchor + interval(values_of(launch_medians(log_ratios(arm, *anchor_)))).value;
  }

  Estimate time_of(const ArmSamples& arm) const {
    return exponential(around(typical_log_time(arm), half_width(interval(values_of(log_time(arm))))));
  }

  /// The difference to the empty loop, whose interval is that of the launches' differences (to first order).
  Estimate net_of(const ArmSamples& arm) const {
    const double time = std::exp(typical_log_time(arm)), empty = std::exp(typical_log_time(*empty_));
    const auto launches = common_launches({log_time(arm), log_time(*empty_)});
    std::vector<double> differences;
    for (std::size_t l = 0; l < launches[0].size(); ++l) {
      differences.push_back(time * launches[0][l] - empty * launches[1][l]);
    }
    return around(time - empty, half_width(interval(differences)));
  }

  SummaryRow row_of(const ArmSamples& arm) const {
    SummaryRow row;
    row.arm = arm.first.arm;
    row.method = arm.first.method;
    row.level = arm.first.level;
    row.role = arm.first.role;
    row.cell = arm.first.cell;
    row.verdict = fixed_verdict(row.role);
    row.launches = log_times(arm).size();
    row.rounds = arm.slices.size();
    row.ns_per_query = time_of(arm);
    double queries = 0, nodes = 0;
    for (const auto& [round, slice] : arm.slices) {
      queries += static_cast<double>(slice.queries);
      nodes += static_cast<double>(slice.nodes);
    }
    if (nodes > 0) row.ns_per_node = row.ns_per_query.value * queries / nodes;
    if (row.role == ArmRole::empty || row.role == ArmRole::clock) return row;
    if (empty_ != nullptr) row.net_ns_per_query = net_of(arm);
    if (reference_ != nullptr) add_ratio(row, arm);
    return row;
  }

  void add_ratio(SummaryRow& row, const ArmSamples& arm) const {
    const Launches all = log_ratios(arm, *reference_), unflagged = log_ratios(arm, *reference_, Rounds::unflagged);
    if (all.empty()) return;
    const auto rounds_in = [](const Launches& launches) {
      std::size_t rounds = 0;
      for (const auto& [launch, of_launch] : launches) rounds += of_launch.size();
      return rounds;
    };
    row.ratio = exponential(interval(values_of(launch_medians(all))));
    row.flagged_rounds = rounds_in(all) - rounds_in(unflagged);
    if (!unflagged.empty()) row.unflagged_ratio = exponential(interval(values_of(launch_medians(unflagged))));
  }

  void compare_with_reference(std::vector<SummaryRow>& rows) const {
    const Resolution resolution = resolution_of(cell_, protocol_);
    std::vector<SummaryRow*> methods;
    std::vector<std::vector<double>> launches;
    for (SummaryRow& row : rows) {
      if (!row.ratio) continue;
      if (std::isfinite(resolution.aa_bound)) row.aa_bound = resolution.aa_bound;
      if (row.role != ArmRole::method) continue;
      methods.push_back(&row);
      launches.push_back(values_of(launch_medians(log_ratios(cell_.arms.at(row.arm), *reference_))));
    }
    const std::vector<Judged> judged = judge_together(launches, resolution, protocol_.inference);
    for (std::size_t i = 0; i < methods.size(); ++i) {
      methods[i]->judged = exponential(judged[i].adjusted);
      methods[i]->verdict = is_void(rows) ? "void" : to_string(judged[i].verdict);
    }
  }

  /// Whether the empty loop is beyond doubt slower than some method: then it is not what the methods' loops cost.
  static bool is_void(const std::vector<SummaryRow>& rows) {
    return std::any_of(rows.begin(), rows.end(),
                       [](const SummaryRow& row) { return row.net_ns_per_query && row.net_ns_per_query->high < 0; });
  }

  void compare_with_best(std::vector<SummaryRow>& rows) const {
    const BestArms best = best_arms(
        cell_, [](const ArmSamples&) { return true; }, protocol_);
    for (SummaryRow& row : rows) {
      const auto found = std::find(best.by_time.begin(), best.by_time.end(), row.arm);
      if (best.known && found != best.by_time.end()) {
        row.best = !best.contains(row.arm) ? "behind" : best.sure() ? "fastest" : "among";
      }
    }
  }

  const CellSamples& cell_;
  const Protocol& protocol_;
  const ArmSamples* reference_;
  const ArmSamples* empty_;
  const ArmSamples* anchor_;
};

}  // namespace

Resolution resolution_of(const CellSamples& cell, const Protocol& protocol) {
  const ArmSamples* twin = cell.find(ArmRole::twin);
  const ArmSamples* reference = cell.find(ArmRole::reference);
  Resolution resolution{protocol.margin, INFINITY};
  if (twin == nullptr || reference == nullptr) return resolution;
  const Launches ratios = log_ratios(*twin, *reference);
  if (ratios.empty()) return resolution;
  resolution.aa_bound = aa_bound(mean_interval(values_of(launch_medians(ratios)), usual_error, protocol.inference));
  return resolution;
}

namespace {

/// When the A/A control may lie inside the margin, on which all equality waits.
std::size_t launches_for_control(const CellSamples& cell, const ArmSamples& reference, const Protocol& protocol) {
  const ArmSamples* twin = cell.find(ArmRole::twin);
  if (twin == nullptr) return 0;
  const std::vector<double> launches = values_of(launch_medians(log_ratios(*twin, reference)));
  return launches_needed(launches, {protocol.margin, 0}, usual_error, protocol.inference);
}

}  // namespace

std::vector<OpenArm> open_arms(const CellSamples& cell, const Protocol& protocol) {
  const ArmSamples* reference = cell.find(ArmRole::reference);
  if (reference == nullptr) return {};
  std::vector<std::string> names;
  std::vector<std::vector<double>> launches;
  for (const auto& [name, arm] : cell.arms) {
    if (arm.first.role != ArmRole::method) continue;
    names.push_back(name);
    launches.push_back(values_of(launch_medians(log_ratios(arm, *reference))));
  }
  const Resolution resolution = resolution_of(cell, protocol);
  const std::size_t for_control = launches_for_control(cell, *reference, protocol);
  const std::vector<Judged> judged = judge_together(launches, resolution, protocol.inference);
  const auto undecided = [](const Judged& one) { return !is_decided(one.verdict); };
  const auto open = static_cast<double>(std::count_if(judged.begin(), judged.end(), undecided));
  std::vector<OpenArm> arms;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!undecided(judged[i])) continue;
    const std::size_t needed = launches_needed(launches[i], resolution, usual_error / open, protocol.inference);
    arms.push_back({names[i], std::max(needed, for_control)});
  }
  return arms;
}

std::vector<SummaryRow> summarise(const std::vector<CellSamples>& cells, const Protocol& protocol) {
  std::vector<SummaryRow> rows;
  for (const CellSamples& cell : cells) {
    for (SummaryRow& row : CellSummary(cell, protocol).rows()) rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace slidebench
