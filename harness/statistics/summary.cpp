// SPDX-License-Identifier: MIT
#include "harness/statistics/summary.hpp"

#include <algorithm>
#include <cmath>

#include "harness/base/enum_names.hpp"
#include "harness/statistics/best.hpp"
#include "harness/statistics/reference.hpp"

namespace slidebench {
namespace {

Estimate around(double value, double half_width) { return {value, value - half_width, value + half_width}; }

double half_width(const Estimate& e) { return e.high - e.value; }

/// Turns one cell's samples into rows. Every time is the anchor's (the reference's; without one the empty loop's) times
/// the contender's ratio to the anchor in the same rounds.
class CellSummary {
 public:
  CellSummary(const CellSamples& cell, const Protocol& protocol)
      : cell_(cell),
        protocol_(protocol),
        reference_(cell.find(ContenderRole::reference)),
        empty_(cell.find(ContenderRole::empty)),
        anchor_(reference_ != nullptr ? reference_ : empty_) {}

  std::vector<SummaryRow> rows() const {
    std::vector<SummaryRow> rows;
    for (const auto& [name, contender] : cell_.contenders) rows.push_back(row_of(contender));
    compare_with_reference(rows);
    compare_with_best(rows);
    std::stable_sort(rows.begin(), rows.end(), [](const SummaryRow& a, const SummaryRow& b) {
      return a.ns_per_query.value < b.ns_per_query.value;
    });
    return rows;
  }

 private:
  Estimate interval(const std::vector<double>& process_runs) const {
    return mean_interval(process_runs, usual_error, protocol_.inference);
  }

  /// The logarithm of a contender's time, process run by process run.
  ByProcessRun log_time(const ContenderSamples& contender) const {
    if (anchor_ == nullptr || contender.first.role == ContenderRole::clock)
      return numbers_of(contender, log_times(contender));
    const ByProcessRun anchor = numbers_of(*anchor_, log_times(*anchor_));
    ByProcessRun times;
    for (const auto& [process_run, ratio] : numbers_of(contender, log_ratios(contender, *anchor_)))
      times[process_run] = anchor.at(process_run) + ratio;
    return times;
  }

  /// Contenders that left a run early are compared with the reference of all process runs.
  double typical_log_time(const ContenderSamples& contender) const {
    if (anchor_ == nullptr || contender.first.role == ContenderRole::clock)
      return interval(values_of(log_time(contender))).value;
    const double anchor = interval(values_of(numbers_of(*anchor_, log_times(*anchor_)))).value;
    return anchor + interval(values_of(numbers_of(contender, log_ratios(contender, *anchor_)))).value;
  }

  Estimate time_of(const ContenderSamples& contender) const {
    const double half = half_width(interval(values_of(log_time(contender)))) * contender.time_widening;
    return exponential(around(typical_log_time(contender), half));
  }

  /// The difference to the empty loop, whose interval is that of the process runs' differences (to first order).
  Estimate net_of(const ContenderSamples& contender) const {
    const double time = std::exp(typical_log_time(contender)), empty = std::exp(typical_log_time(*empty_));
    const auto process_runs = common_process_runs({log_time(contender), log_time(*empty_)});
    std::vector<double> differences;
    for (std::size_t l = 0; l < process_runs[0].size(); ++l) {
      differences.push_back(time * process_runs[0][l] - empty * process_runs[1][l]);
    }
    return around(time - empty, half_width(interval(differences)));
  }

  SummaryRow row_of(const ContenderSamples& contender) const {
    SummaryRow row;
    row.contender = contender.first.contender;
    row.method = contender.first.method;
    row.level = contender.first.level;
    row.role = contender.first.role;
    row.cell = contender.first.cell;
    row.process_runs = log_times(contender).size();
    row.rounds = contender.samples.size();
    row.ns_per_query = time_of(contender);
    double queries = 0, nodes = 0;
    for (const auto& [round, sample] : contender.samples) {
      queries += static_cast<double>(sample.queries);
      nodes += static_cast<double>(sample.nodes);
    }
    if (nodes > 0) row.ns_per_node = row.ns_per_query.value * queries / nodes;
    if (row.role == ContenderRole::empty || row.role == ContenderRole::clock) return row;
    if (empty_ != nullptr) row.net_ns_per_query = net_of(contender);
    if (reference_ != nullptr) add_ratio(row, contender);
    return row;
  }

  void add_ratio(SummaryRow& row, const ContenderSamples& contender) const {
    const ProcessRuns all = log_ratios(contender, *reference_);
    const ProcessRuns unflagged = log_ratios(contender, *reference_, Rounds::unflagged);
    if (all.empty()) return;
    const auto rounds_in = [](const ProcessRuns& process_runs) {
      std::size_t rounds = 0;
      for (const auto& [process_run, of_process_run] : process_runs) rounds += of_process_run.size();
      return rounds;
    };
    row.ratio = exponential(interval(values_of(compared(contender, *reference_))));
    row.flagged_rounds = rounds_in(all) - rounds_in(unflagged);
    if (!unflagged.empty())
      row.unflagged_ratio = exponential(interval(values_of(compared(contender, *reference_, Rounds::unflagged))));
  }

  void compare_with_reference(std::vector<SummaryRow>& rows) const {
    const Resolution resolution = resolution_of(cell_, protocol_);
    std::vector<SummaryRow*> methods;
    std::vector<std::vector<double>> process_runs;
    for (SummaryRow& row : rows) {
      if (!row.ratio) continue;
      if (std::isfinite(resolution.aa_bound)) row.aa_bound = resolution.aa_bound;
      if (row.role == ContenderRole::second_twin) judge_alone(row, resolution);
      if (row.role != ContenderRole::method) continue;
      methods.push_back(&row);
      process_runs.push_back(values_of(compared(cell_.contenders.at(row.contender), *reference_)));
    }
    const std::vector<Judged> judged = judge_together(process_runs, resolution, protocol_.inference);
    for (std::size_t i = 0; i < methods.size(); ++i) {
      methods[i]->judged = exponential(judged[i].adjusted);
      methods[i]->verdict = is_void(rows) ? Verdict::void_cell : judged[i].verdict;
    }
  }

  /// The A/A control is no member of the methods' family: what they are called must not depend on it.
  void judge_alone(SummaryRow& row, const Resolution& resolution) const {
    const std::vector<double> process_runs = values_of(compared(cell_.contenders.at(row.contender), *reference_));
    const Judged judged = judge_together({process_runs}, resolution, protocol_.inference).front();
    row.judged = exponential(judged.adjusted);
    row.verdict = judged.verdict;
  }

  /// Whether the empty loop is beyond doubt slower than some method: then it is not what the methods' loops cost.
  static bool is_void(const std::vector<SummaryRow>& rows) {
    return std::any_of(rows.begin(), rows.end(),
                       [](const SummaryRow& row) { return row.net_ns_per_query && row.net_ns_per_query->high < 0; });
  }

  void compare_with_best(std::vector<SummaryRow>& rows) const {
    const BestContenders best = best_contenders(
        cell_, [](const ContenderSamples&) { return true; }, protocol_);
    for (SummaryRow& row : rows) {
      const auto found = std::find(best.by_time.begin(), best.by_time.end(), row.contender);
      if (best.known && found != best.by_time.end()) {
        row.best = !best.contains(row.contender) ? Standing::behind : best.sure() ? Standing::fastest : Standing::among;
      }
    }
  }

  const CellSamples& cell_;
  const Protocol& protocol_;
  const ContenderSamples* reference_;
  const ContenderSamples* empty_;
  const ContenderSamples* anchor_;
};

constexpr EnumName<Standing> standing_names[] = {
    {Standing::fastest, "fastest"}, {Standing::among, "among"}, {Standing::behind, "behind"}};

/// When the A/A control may lie inside the margin, on which all equality waits.
std::size_t process_runs_for_control(const CellSamples& cell, const ContenderSamples& reference,
                                     const Protocol& protocol) {
  const ContenderSamples* twin = cell.find(ContenderRole::twin);
  if (twin == nullptr) return 0;
  const std::vector<double> process_runs = values_of(compared(*twin, reference));
  return process_runs_needed(process_runs, {protocol.margin, 0}, usual_error, protocol.inference);
}

/// The methods of a cell, the reference among them, against one of them; none where that was not measured.
RatiosByContender methods_against(const std::string& chosen, const CellSamples& cell, const ContenderSamples& reference,
                                  const Protocol& protocol) {
  RatiosByContender ratios, by_builds;
  std::map<std::string, BuildByProcessRun> builds;
  for (const auto& [name, contender] : cell.contenders) {
    const ContenderRole role = contender.first.role;
    if (role != ContenderRole::method && role != ContenderRole::reference) continue;
    ratios[name] = compared(contender, reference);
    by_builds[name] = numbers_of(contender, log_ratios(contender, reference));
    builds[name] = builds_of(contender);
  }
  if (chosen == reference.first.contender) return ratios;
  if (!ratios.contains(chosen)) return {};
  if (!protocol.draws_builds) return rebased(ratios, chosen);
  RatiosByContender seen = rebased(by_builds, chosen);
  widen_by_builds(seen, builds, chosen);
  return seen;
}

}  // namespace

std::string to_string(Standing standing) { return name_in(standing_names, standing); }

std::optional<Standing> parse_standing(std::string_view name) { return value_in(standing_names, name); }

std::string verdict_text(const SummaryRow& row) {
  if (row.role == ContenderRole::method) return row.verdict ? to_string(*row.verdict) : "";
  const bool baseline = row.role == ContenderRole::empty || row.role == ContenderRole::clock;
  return baseline ? "baseline" : to_string(row.role);
}

bool is_decided(const SummaryRow& row) {
  return row.role == ContenderRole::reference || (row.verdict && is_decided(*row.verdict));
}

Resolution resolution_of(const CellSamples& cell, const Protocol& protocol) {
  const ContenderSamples* twin = cell.find(ContenderRole::twin);
  const ContenderSamples* reference = cell.find(ContenderRole::reference);
  Resolution resolution{protocol.margin, INFINITY};
  if (twin == nullptr || reference == nullptr) return resolution;
  if (log_ratios(*twin, *reference).empty()) return resolution;
  const std::vector<double> process_runs = values_of(compared(*twin, *reference));
  resolution.aa_bound = aa_bound(mean_interval(process_runs, usual_error, protocol.inference));
  return resolution;
}

std::vector<OpenContender> open_contenders(const CellSamples& cell, const Protocol& protocol) {
  const ContenderSamples* reference = cell.find(ContenderRole::reference);
  if (reference == nullptr) return {};
  std::vector<std::string> names;
  std::vector<std::vector<double>> process_runs;
  const std::string chosen = protocol.reference.empty() ? reference->first.contender : protocol.reference;
  for (const auto& [name, ratios] : methods_against(chosen, cell, *reference, protocol)) {
    if (name == chosen || ratios.empty()) continue;
    names.push_back(name);
    process_runs.push_back(values_of(ratios));
  }
  const Resolution resolution = resolution_of(cell, protocol);
  const std::size_t for_control = process_runs_for_control(cell, *reference, protocol);
  const std::vector<Judged> judged = judge_together(process_runs, resolution, protocol.inference);
  const auto undecided = [](const Judged& one) { return !is_decided(one.verdict); };
  const auto open = static_cast<double>(std::count_if(judged.begin(), judged.end(), undecided));
  std::vector<OpenContender> contenders;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!undecided(judged[i]) || cell.left.contains(names[i])) continue;
    const std::size_t needed = process_runs_needed(process_runs[i], resolution, usual_error / open, protocol.inference);
    contenders.push_back({names[i], std::max(needed, for_control)});
  }
  return contenders;
}

std::vector<SummaryRow> summarise(const std::vector<CellSamples>& cells, const Protocol& protocol) {
  std::vector<SummaryRow> rows;
  for (const CellSamples& cell : cells) {
    for (SummaryRow& row : CellSummary(cell, protocol).rows()) rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace slidebench
