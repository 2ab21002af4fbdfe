// SPDX-License-Identifier: MIT
#include "harness/statistics/reference.hpp"

#include <algorithm>
#include <cmath>

#include "harness/statistics/sessions.hpp"

namespace slidebench {
namespace {

/// Whether a row is compared with the chosen reference, and not with the code that it repeats.
bool moves(ContenderRole role) {
  return role == ContenderRole::method || role == ContenderRole::reference || role == ContenderRole::twice;
}

/// A cell's log ratios, and which builds they are of.
struct MeasuredCell {
  RatiosByContender ratios;
  std::map<std::string, BuildByProcessRun> builds;
  std::string reference;  ///< what was measured beside the others
};

/// The log ratios of a run's cells as they were measured, without the widening by sessions or builds.
std::map<Cell, MeasuredCell> measured_ratios(const std::vector<ProcessRunRow>& process_runs, const Protocol& protocol,
                                             const std::map<Cell, double>& widenings) {
  std::map<Cell, MeasuredCell> cells;
  for (const ProcessRunRow& row : process_runs) {
    if (!moves(row.role) || !row.log_ratio) continue;
    MeasuredCell& cell = cells[row.cell];
    cell.ratios[row.contender][row.process_run] = *row.log_ratio;
    cell.builds[row.contender][row.process_run] = row.placement;
    if (row.role == ContenderRole::reference) cell.reference = row.contender;
  }
  for (const auto& [cell, factor] : widenings) {
    for (auto& [name, values] : cells[cell].ratios) values = narrowed(std::move(values), factor);
  }
  for (auto& [cell, measured] : cells) {
    if (!protocol.draws_builds) continue;
    for (auto& [name, values] : measured.ratios) {
      const double wider = builds_widening(values, measured.builds[name], measured.builds[measured.reference]);
      values = narrowed(std::move(values), wider);
    }
  }
  return cells;
}

/// One cell's rows, seen anew.
class CellView {
 public:
  CellView(const std::string& reference, const MeasuredCell& measured, const Protocol& protocol)
      : reference_(reference), protocol_(protocol) {
    if (!measured.ratios.contains(reference)) return;
    ratios_ = rebased(measured.ratios, reference);
    if (protocol.draws_builds) widen_by_builds(ratios_, measured.builds, reference);
  }

  void judge(const std::vector<SummaryRow*>& rows) {
    std::vector<SummaryRow*> methods;
    Resolution resolution{protocol_.margin, INFINITY};
    bool is_void = false;
    for (SummaryRow* row : rows) {
      is_void = is_void || row->verdict == Verdict::void_cell;
      if (row->aa_bound) resolution.aa_bound = *row->aa_bound;
      if (!moves(row->role)) continue;
      if (row->role != ContenderRole::twice)
        row->role = row->contender == reference_ ? ContenderRole::reference : ContenderRole::method;
      row->ratio = row->judged = row->unflagged_ratio = std::nullopt;
      row->verdict.reset();
      if (row->role == ContenderRole::method && ratios_.contains(row->contender)) methods.push_back(row);
    }
    widen(methods);
    for (SummaryRow* row : rows) {
      const auto found = moves(row->role) ? ratios_.find(row->contender) : ratios_.end();
      if (found == ratios_.end() || found->second.empty()) continue;
      row->ratio = exponential(mean_interval(values_of(found->second), usual_error, protocol_.inference));
    }
    judge_methods(methods, resolution, is_void);
  }

 private:
  /// What the sessions do to ratios depends on the method in their denominator.
  void widen(const std::vector<SummaryRow*>& methods) {
    if (protocol_.process_runs_a_session == 0) return;
    std::vector<ByProcessRun> ratios;
    for (const SummaryRow* row : methods) ratios.push_back(ratios_.at(row->contender));
    const double factor = widening_of(ratios, protocol_.process_runs_a_session);
    for (auto& [name, values] : ratios_) values = widened(std::move(values), factor);
  }

  void judge_methods(const std::vector<SummaryRow*>& methods, const Resolution& resolution, bool is_void) const {
    std::vector<SummaryRow*> compared;
    std::vector<std::vector<double>> values;
    for (SummaryRow* row : methods) {
      if (!row->ratio) continue;
      compared.push_back(row);
      values.push_back(values_of(ratios_.at(row->contender)));
    }
    const std::vector<Judged> judged = judge_together(values, resolution, protocol_.inference);
    for (std::size_t i = 0; i < compared.size(); ++i) {
      compared[i]->judged = exponential(judged[i].adjusted);
      compared[i]->verdict = is_void ? Verdict::void_cell : judged[i].verdict;
    }
  }

  const std::string& reference_;
  const Protocol& protocol_;
  RatiosByContender ratios_;
};

}  // namespace

void widen_by_builds(RatiosByContender& ratios, const std::map<std::string, BuildByProcessRun>& builds,
                     const std::string& reference) {
  for (auto& [name, values] : ratios) {
    if (name == reference || values.empty()) continue;
    const double wider = builds_widening(values, builds.at(name), builds.at(reference));
    values = widened(std::move(values), wider);
  }
}

RatiosByContender rebased(const RatiosByContender& ratios, const std::string& reference) {
  const ByProcessRun& other = ratios.at(reference);
  RatiosByContender seen;
  for (const auto& [name, values] : ratios) {
    ByProcessRun& differences = seen[name];
    for (const auto& [process_run, value] : values) {
      const auto beside = other.find(process_run);
      if (beside != other.end()) differences[process_run] = value - beside->second;
    }
  }
  return seen;
}

std::vector<SummaryRow> seen_from(const std::string& reference, std::vector<SummaryRow> rows,
                                  const std::vector<ProcessRunRow>& process_runs, const Protocol& protocol,
                                  const std::map<Cell, double>& widenings) {
  const std::map<Cell, MeasuredCell> ratios = measured_ratios(process_runs, protocol, widenings);
  std::map<Cell, std::vector<SummaryRow*>> cells;
  for (SummaryRow& row : rows) cells[row.cell].push_back(&row);
  for (const auto& [cell, of_cell] : cells) {
    const auto found = ratios.find(cell);
    CellView(reference, found == ratios.end() ? MeasuredCell{} : found->second, protocol).judge(of_cell);
  }
  return rows;
}

}  // namespace slidebench
