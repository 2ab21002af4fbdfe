// SPDX-License-Identifier: MIT
#include "extras/engines/try/try_text.hpp"

#include <algorithm>
#include <cmath>

#include "extras/engines/duel/duel_text.hpp"
#include "harness/answer/words.hpp"
#include "harness/base/text_output.hpp"
#include "harness/base/text_table.hpp"

namespace slidebench {
namespace {

/// A gain below this share is not worth another look-up.
constexpr double worth_it = 0.02;

bool is_compared(const SummaryRow& row) {
  return row.role == ContenderRole::method && row.ratio && row.verdict && has_interval(speed_of(row));
}

/// What a difference has to exceed for a verdict: the margin, or more where the A/A control may differ by more.
double threshold_of(const SummaryRow& row, double margin) { return std::max(margin, row.aa_bound.value_or(0)); }

std::string sentence(const std::vector<SummaryRow>& rows, double margin, const Ink& ink) {
  const SummaryRow* best = nullptr;
  double most = 0;
  std::size_t tied = 0;
  for (const SummaryRow& row : rows) {
    if (!is_compared(row)) continue;
    most = std::max(most, speed_of(row).high - 1);
    if (best == nullptr || row.ratio->value < best->ratio->value) best = &row;
  }
  if (best == nullptr) return "Too little was measured for an answer; the same command with --resume goes on.";
  for (const SummaryRow& row : rows) tied += is_compared(row) && &row != best && row.best == Standing::among ? 1 : 0;
  const Estimate speed = speed_of(*best);
  if (best->verdict == Verdict::faster) {
    std::string text = "In this engine " + best->contender + " is " + percent(speed.value - 1) +
                       " faster than your own" + points_text(speed);
    if (tied > 0) text += "; " + std::to_string(tied) + (tied == 1 ? " other is" : " others are") + " tied with it";
    return ink.good(text + ". Change to " + best->contender + ".");
  }
  if (speed.low > 1)
    return best->contender + " is " + percent(speed.value - 1) + " faster than your own" + points_text(speed) +
           ", but perhaps by less than the " + percent(threshold_of(*best, margin)) +
           " that count. Keep yours, or go on: the same command with --resume and more --time.";
  if (most <= worth_it) return "Nothing to gain above " + percent(most) + ": keep yours.";
  return "No method is significantly faster than your own; the first, " + best->contender + ", by " +
         signed_points(speed.value - 1) + " %" + points_text(speed) +
         ". Keep yours, or go on: the same command with --resume and more --time.";
}

std::string verdict_of(const SummaryRow& row, double margin) {
  if (row.role == ContenderRole::reference) return "what you have";
  if (row.role == ContenderRole::twin) return "A/A control";
  if (!row.verdict) return "too few process runs";
  const Estimate speed = speed_of(row);
  if (!is_decided(*row.verdict) && (speed.low > 1 || speed.high < 1))
    return "perhaps less than " + percent(threshold_of(row, margin));
  if (!is_decided(*row.verdict)) return "not significant";
  return to_string(*row.verdict);
}

}  // namespace

std::string try_text(const std::vector<SummaryRow>& rows, const Protocol& protocol, const Ink& ink, std::size_t width) {
  TextTable table{.sides = "lrll", .indent = 2};
  table.rows.push_back({"method", "nodes a second", "against own, %", "verdict"});
  for (const SummaryRow& row : rows) {
    if (row.ns_per_query.value <= 0) continue;
    std::string difference;
    if (row.ratio && row.role != ContenderRole::reference)
      difference = signed_points(speed_of(row).value - 1) + points_text(speed_of(row));
    table.rows.push_back(
        {row.contender, nodes_a_second(row.ns_per_query.value), difference, verdict_of(row, protocol.margin)});
  }
  const std::string text = wrapped(sentence(rows, protocol.margin, ink), width, 0) + "\n\n" + table.text();
  return text + "  Intervals hold for all methods at once (95 %) and for " +
         (protocol.draws_builds ? "other placements of the code" : "these builds alone") +
         ". A verdict needs a\n  difference above --margin and above what the A/A control, your own once more, may "
         "differ by.\n";
}

}  // namespace slidebench
