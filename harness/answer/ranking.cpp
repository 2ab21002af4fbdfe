// SPDX-License-Identifier: MIT
#include "harness/answer/ranking.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "harness/answer/words.hpp"
#include "harness/base/text_table.hpp"
#include "harness/plugin/known_methods.hpp"

namespace slidebench {
namespace {

/// Of what is not significant, what is known: "not significant: 0.8 % to 2.2 % less", by the interval that the verdict
/// rests on.
std::string verdict_text(const SummaryRow& row, const Ink& ink) {
  const bool open = row.verdict == Verdict::inconclusive || row.verdict == Verdict::unresolved;
  const std::string text = open ? "not significant" : verdict_text(row);
  if (open && row.judged && has_interval(*row.judged)) return text + ": " + span_of(*row.judged);
  if (row.verdict == Verdict::faster) return ink.good(text);
  return row.verdict == Verdict::slower || row.verdict == Verdict::void_cell ? ink.bad(text) : text;
}

/// @param full  process runs of the cell; who has fewer left it
std::vector<std::string> line(const SummaryRow& row, std::size_t full, const Ink& ink) {
  const std::string left = row.process_runs < full ? fmt::format(", left after {} process runs", row.process_runs) : "";
  return {row.contender, fmt::format("{:.2f}", row.ns_per_query.value),
          row.net_ns_per_query ? fmt::format("{:.2f}", row.net_ns_per_query->value) : "",
          row.ratio ? ratio_text(*row.ratio) : "", verdict_text(row, ink) + left};
}

/// What the contenders of a cell are compared with, by its name; the usual one where it did not run.
std::string reference_of(const std::vector<SummaryRow>& rows, const Cell& cell) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&cell](const SummaryRow& row) {
    return row.role == ContenderRole::reference && row.cell == cell;
  });
  return found == rows.end() ? reference_method : found->contender;
}

std::size_t process_runs_in(const std::vector<SummaryRow>& rows, const Cell& cell) {
  std::size_t most = 0;
  for (const SummaryRow& row : rows) {
    if (row.cell == cell) most = std::max(most, row.process_runs);
  }
  return most;
}

/// The table of the cell that a row begins.
std::string cell_text(const std::vector<SummaryRow>& rows, std::size_t begin, std::size_t end, const Ink& ink) {
  const Cell& cell = rows[begin].cell;
  const std::size_t full = process_runs_in(rows, cell);
  const std::string unit = cell.replay() == nullptr ? "ns/node" : "ns/query";
  TextTable table{.sides = "lrrll", .indent = 2};
  table.rows.push_back({"contender", unit, "net", "ratio to " + reference_of(rows, cell), "verdict"});
  for (std::size_t i = begin; i < end; ++i) table.rows.push_back(line(rows[i], full, ink));
  return fmt::format("\n{} ({} process runs)\n{}", to_string(cell), full, table.text());
}

/// "3 of 3 cells", and those that did not pass.
template <class Check, class Describe>
std::string checks_line(const std::string& name, const std::vector<Check>& checks, Describe describe) {
  const auto passed = std::count_if(checks.begin(), checks.end(),
                                    [](const Check& check) { return check.result == CheckResult::passed; });
  std::string text = fmt::format("  {}: {} of {} cells\n", name, passed, checks.size());
  for (const Check& check : checks) {
    if (check.result == CheckResult::passed) continue;
    const std::string what = check.result == CheckResult::failed ? "FAILED" : "too uncertain";
    text += fmt::format("    {} in {}: {}\n", what, to_string(check.cell), describe(check));
  }
  return text;
}

}  // namespace

std::string ranking_text(const std::vector<SummaryRow>& rows, const Ink& ink) {
  std::string text;
  for (std::size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
    while (end < rows.size() && rows[end].cell == rows[begin].cell) ++end;
    text += cell_text(rows, begin, end, ink);
  }
  return text;
}

std::string correlations_text(const std::vector<RankCorrelation>& correlations,
                              const std::vector<Reliability>& reliabilities) {
  if (correlations.empty()) return {};
  const RankCorrelation& first = correlations.front();
  TextTable table{.sides = "lll", .indent = 2, .rows = {}};
  for (const Reliability& r : reliabilities) {
    const auto with_first = std::find_if(correlations.begin(), correlations.end(),
                                         [&](const RankCorrelation& c) { return c.a == first.a && c.b == r.cell; });
    table.rows.push_back({with_first == correlations.end() ? "1" : ratio_text(with_first->spearman),
                          fmt::format("(with itself {:.3f})", r.split_half), to_string(r.cell)});
  }
  return fmt::format("\nSpearman's rank correlation with {}, of {} methods\n{}", to_string(first.a), first.methods,
                     table.text());
}

std::string checks_text(const RunChecks& checks) {
  return "\nchecks, and in how many cells they passed\n" +
         checks_line("A/A control", checks.twins, [](const TwinCheck& twin) { return ratio_text(twin.ratio); }) +
         checks_line("positive control", checks.controls, [](const ControlCheck& control) {
           return fmt::format("{} instead of {:.1f} +- {:.3f}", ratio_text(control.ratio), control.expected,
                              control_tolerance);
         });
}

}  // namespace slidebench
