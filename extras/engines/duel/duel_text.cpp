// SPDX-License-Identifier: MIT
#include "extras/engines/duel/duel_text.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "extras/engines/try/try_text.hpp"
#include "harness/answer/words.hpp"
#include "harness/base/text_output.hpp"
#include "harness/base/text_table.hpp"

namespace slidebench {
namespace {

using nlohmann::json;

/// "1.6 % more nodes a second than old [0.9, 2.4]".
std::string speed_text(const Estimate& speed, const std::string& reference) {
  const bool more = speed.value >= 1;
  std::string text = percent(speed.value - 1) + (more ? " more" : " fewer") + " nodes a second than " + reference;
  return has_interval(speed) ? text + points_text(speed) : text;
}

/// How far the engine went the way of the reference, from what was compared with the duel's first engine.
struct Trees {
  std::size_t same = 0, searches = 0;
  bool known() const { return searches > 0; }
  bool equal() const { return known() && same == searches; }
};

/// As summary.csv is read: without blanks at its ends, which an engine's own name may have.
std::string trimmed(const std::string& name) {
  const std::size_t first = name.find_first_not_of(' ');
  return first == std::string::npos ? "" : name.substr(first, name.find_last_not_of(' ') - first + 1);
}

Trees trees_of(const json& duel, const std::string& contender) {
  for (const json& tree : duel.value("trees", json::array())) {
    if (trimmed(tree.value("contender", "")) == contender)
      return {tree.value("same_course", std::size_t{0}), tree.value("searches", std::size_t{0})};
  }
  return {};
}

/// Two engines that went the way of the first everywhere went the same way.
Trees trees_of(const json& duel, const std::string& contender, const std::string& reference) {
  const Trees of_contender = trees_of(duel, contender), of_reference = trees_of(duel, reference);
  return of_reference.equal() ? of_contender : of_contender.equal() ? of_reference : Trees{};
}

std::string trees_text(const Trees& trees) {
  if (!trees.known()) return "";
  const std::string count = std::to_string(trees.same) + " of " + std::to_string(trees.searches) + " searches.";
  if (trees.equal()) return " Same tree in " + count;
  return " Same tree in " + count +
         " The others were other work: this is speed as each counts its nodes, not strength.";
}

/// What holds for whom: the first line of a duel.
std::string scope_text(const RunFolder& run) {
  if (!protocol_of(run).draws_builds)
    return "This holds for these binaries: another build of the same source is another draw. Several builds a side "
           "(slidebench placements) would let it hold for the sources.";
  std::vector<std::string> sides;
  for (const json& engine : run.record.value("methods", json::array())) {
    const std::size_t builds = engine.value("builds", json::array()).size();
    sides.push_back(trimmed(engine.value("id", "")) + ": " + std::to_string(builds) +
                    (builds == 1 ? " build" : " builds"));
  }
  return joined(sides, "; ") + ". The intervals hold for other builds of these sources.";
}

/// Why there is no verdict where the interval alone would give one.
std::string control_reason(const SummaryRow& row, double margin) {
  const Estimate speed = speed_of(row);
  const double nearer = std::max(speed.low - 1, 1 / speed.high - 1);
  if (!has_interval(speed) || nearer <= margin || !row.aa_bound) return "";
  return ", less than the " + percent(*row.aa_bound) + " by which identical code may have differed";
}

/// What is said of an engine beside the reference, and what to do.
std::string sentence(const RunFolder& run, const SummaryRow& row, const std::string& reference, const Ink& ink) {
  const Trees trees = trees_of(run.record.value("duel", json::object()), row.contender, reference);
  const std::string on_trees = trees_text(trees);
  if (!row.ratio || !row.verdict) return row.contender + " has too few process runs for a comparison.";
  const Protocol protocol = protocol_of(run);
  const std::string found = row.contender + " searches " + speed_text(speed_of(row), reference) + ".";
  switch (*row.verdict) {
    case Verdict::faster: return ink.good(found) + on_trees + (trees.equal() ? " Take it." : "");
    case Verdict::slower: return ink.bad(found) + on_trees + (trees.equal() ? " Leave it." : "");
    case Verdict::equivalent:
      return row.contender + " and " + reference + " are equally fast within " + percent(protocol.margin) + ": " +
             change_of(speed_of(row)) + " nodes a second." + on_trees + " Choose by something else.";
    default:
      return row.contender + " and " + reference + " do not differ significantly: " + change_of(speed_of(row)) +
             " nodes a second" + control_reason(row, protocol.margin) + "." + on_trees;
  }
}

/// The cells of a line: an engine, its nodes a second with their interval, against the reference, the verdict.
std::vector<std::string> line_of(const SummaryRow& row, bool draws_builds) {
  const Estimate& ns = row.ns_per_query;
  std::string speed = nodes_a_second(ns.value);
  if (std::isfinite(ns.high) && ns.low > 0)
    speed += " [" + nodes_a_second(ns.high) + ", " + nodes_a_second(ns.low) + "]";
  const bool is_reference = row.role == ContenderRole::reference;
  const bool open = row.verdict == Verdict::inconclusive || row.verdict == Verdict::unresolved;
  return {row.contender, speed, is_reference || !row.ratio ? "" : change_of(speed_of(row)),
          open ? "not significant"
          : row.role == ContenderRole::twin
              ? draws_builds ? "A/A control: another build" : "A/A control: the same program again"
              : verdict_text(row)};
}

std::string table_text(const std::vector<SummaryRow>& rows, const std::string& reference, bool draws_builds) {
  TextTable table{.sides = "llll", .indent = 2};
  table.rows.push_back({"engine", "nodes a second, 95 %", "against " + reference, "verdict"});
  for (const SummaryRow& row : rows) table.rows.push_back(line_of(row, draws_builds));
  return table.text();
}

/// Whether identical programs differed significantly, and how far they may differ.
std::string control_text(const std::vector<SummaryRow>& rows, double margin, bool draws_builds) {
  const std::string twice = draws_builds ? "Two builds of one source" : "The same program, started twice,";
  for (const SummaryRow& row : rows) {
    if (row.role != ContenderRole::twin || !row.ratio) continue;
    const Estimate& e = *row.ratio;
    if (e.low > 1 + margin || e.high < 1 / (1 + margin))
      return twice + (draws_builds ? " seem" : " seems") + " to differ: " + change_of(speed_of(row)) +
             " nodes a second. Do not believe this duel; let searches be longer, or the machine be quiet.";
    if (!row.aa_bound || *row.aa_bound <= margin) return "";
    return twice + " may differ by " + percent(*row.aa_bound) +
           " here: nothing is called equal, and smaller differences are not significant.";
  }
  return "";
}

}  // namespace

std::string points_text(const Estimate& speed) {
  return " [" + signed_points(speed.low - 1) + ", " + signed_points(speed.high - 1) + "]";
}

std::string nodes_a_second(double ns) {
  return ns > 1e-6 && ns < 1e12 ? with_commas(static_cast<std::uint64_t>(std::llround(1e9 / ns))) : "";
}

Estimate speed_of(const SummaryRow& row) {
  const Estimate& interval = row.judged ? *row.judged : *row.ratio;
  return {1 / row.ratio->value, 1 / interval.high, 1 / interval.low};
}

std::string duel_text(const RunFolder& run, const std::string& reference, const Ink& ink, std::size_t width) {
  const std::vector<SummaryRow> rows = rows_against(run, reference);
  std::string text = wrapped(scope_text(run), width, 2) + "\n";
  for (const SummaryRow& row : rows) {
    if (row.role == ContenderRole::method) text += wrapped(sentence(run, row, reference, ink), width, 2) + "\n";
  }
  const std::string control = control_text(rows, protocol_of(run).margin, protocol_of(run).draws_builds);
  if (!control.empty()) text += wrapped(control, width, 2) + "\n";
  text += "\n" + table_text(rows, reference, protocol_of(run).draws_builds);
  text += "  Time is CPU time of the engine's process. The intervals are those that the verdicts rest on.\n";
  return text;
}

std::string told(const RunFolder& run, const std::string& reference) {
  const std::size_t width = columns_of(STDOUT_FILENO);
  const bool is_trial = run.record.value("duel", json::object()).value("trial", false);
  if (is_trial && reference == usual_reference(run))
    return try_text(rows_against(run, reference), protocol_of(run), output_ink(), width);
  return duel_text(run, reference, output_ink(), width);
}

}  // namespace slidebench
