// SPDX-License-Identifier: MIT
#include "harness/answer/ranking.hpp"

#include <algorithm>
#include <cstdio>

#include "harness/answer/words.hpp"
#include "harness/base/text_output.hpp"
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

/// Columns of the two that hold names.
struct Widths {
  std::size_t contender = 3, ratio = 22;
};

/// @param full  process runs of the cell; who has fewer left it
std::string line(const SummaryRow& row, std::size_t full, const Widths& widths, const Ink& ink) {
  char ns[16], net[16] = "";
  std::snprintf(ns, sizeof ns, "%8.2f", row.ns_per_query.value);
  if (row.net_ns_per_query) std::snprintf(net, sizeof net, "%.2f", row.net_ns_per_query->value);
  char ratio[48] = "";
  if (row.ratio) {
    std::snprintf(ratio, sizeof ratio, "%.3f [%.3f, %.3f]", row.ratio->value, row.ratio->low, row.ratio->high);
  }
  char numbers[48];
  std::snprintf(numbers, sizeof numbers, "  %s  %8s  ", ns, net);
  return "  " + padded(row.contender, widths.contender) + numbers + padded(ratio, widths.ratio) + "  " +
         verdict_text(row, ink) +
         (row.process_runs < full ? ", left after " + std::to_string(row.process_runs) + " process runs" : "") + "\n";
}

bool same_cell(const SummaryRow& a, const SummaryRow& b) { return a.cell == b.cell; }

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

std::string ratio_heading(const std::string& reference) { return "ratio to " + reference; }

std::string heading(const SummaryRow& row, std::size_t process_runs, const std::string& reference,
                    const Widths& widths) {
  const char* unit = row.cell.replay() == nullptr ? "ns/node" : "ns/query";
  char units[32];
  std::snprintf(units, sizeof units, "  %8s  %8s  ", unit, "net");
  return "\n" + to_string(row.cell) + " (" + std::to_string(process_runs) + " process runs)\n  " +
         padded("contender", widths.contender) + units + padded(ratio_heading(reference), widths.ratio) + "  verdict\n";
}

}  // namespace

std::string ranking_text(const std::vector<SummaryRow>& rows, const Ink& ink) {
  Widths widths;
  for (const SummaryRow& row : rows) {
    widths.contender = std::max(widths.contender, row.contender.size());
    widths.ratio = std::max(widths.ratio, ratio_heading(reference_of(rows, row.cell)).size());
  }
  std::string text;
  std::size_t full = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Cell& cell = rows[i].cell;
    if (i == 0 || !same_cell(rows[i - 1], rows[i])) {
      full = process_runs_in(rows, cell);
      text += heading(rows[i], full, reference_of(rows, cell), widths);
    }
    text += line(rows[i], full, widths, ink);
  }
  return text;
}

namespace {

/// "3 of 3 cells", and those that did not pass.
template <class Check, class Describe>
std::string checks_line(const std::string& name, const std::vector<Check>& checks, Describe describe) {
  const auto passed = std::count_if(checks.begin(), checks.end(),
                                    [](const Check& check) { return check.result == CheckResult::passed; });
  std::string text = "  " + name + ": " + std::to_string(passed) + " of " + std::to_string(checks.size()) + " cells\n";
  for (const Check& check : checks) {
    if (check.result == CheckResult::passed) continue;
    const std::string what = check.result == CheckResult::failed ? "FAILED" : "too uncertain";
    text += "    " + what + " in " + to_string(check.cell) + ": " + describe(check) + "\n";
  }
  return text;
}

std::string interval(const Estimate& e) {
  char text[64];
  std::snprintf(text, sizeof text, "%.3f [%.3f, %.3f]", e.value, e.low, e.high);
  return text;
}

}  // namespace

std::string correlations_text(const std::vector<RankCorrelation>& correlations,
                              const std::vector<Reliability>& reliabilities) {
  if (correlations.empty()) return {};
  std::string text = "\nSpearman's rank correlation with " + to_string(correlations.front().a) + ", of " +
                     std::to_string(correlations.front().methods) + " methods\n";
  for (const Reliability& r : reliabilities) {
    const auto with_first = std::find_if(correlations.begin(), correlations.end(), [&](const RankCorrelation& c) {
      return c.a == correlations.front().a && c.b == r.cell;
    });
    char own[48];
    std::snprintf(own, sizeof own, "  (with itself %.3f)", r.split_half);
    const std::string value = with_first == correlations.end() ? "1" : interval(with_first->spearman);
    char line[240];
    std::snprintf(line, sizeof line, "  %-22s%s  %s\n", value.c_str(), own, to_string(r.cell).c_str());
    text += line;
  }
  return text;
}

std::string checks_text(const RunChecks& checks) {
  return "\nchecks, and in how many cells they passed\n" +
         checks_line("A/A control", checks.twins, [](const TwinCheck& twin) { return interval(twin.ratio); }) +
         checks_line("positive control", checks.controls, [](const ControlCheck& control) {
           return interval(control.ratio) + " instead of " + decimals(control.expected, 1) + " +- " +
                  decimals(control_tolerance, 3);
         });
}

}  // namespace slidebench
