// SPDX-License-Identifier: MIT
#include "harness/statistics/summary_table.hpp"

#include <cmath>

namespace slidebench {
namespace {

using enum CellKind;
using enum Need;
using Line = SummaryLine;

/// Nanoseconds and misses by their decimals, ratios by their first digits: the low end of a wide interval is not 0.
std::string four_decimals(double value) { return decimals(value, 4); }

using Write = std::string (*)(double);

/// An estimate, or null where it is absent.
template <class Any>
constexpr auto* known(Any& e) {
  if constexpr (requires { e.has_value(); })
    return e ? &*e : nullptr;
  else
    return &e;
}

template <Write write>
std::string low_end(const Estimate* e) {
  return e != nullptr && has_interval(*e) ? write(e->low) : "";
}

template <Write write>
std::string high_end(const Estimate* e) {
  return e != nullptr && has_interval(*e) ? write(e->high) : "";
}

/// An estimate is read from three cells, its value first; an end that is not known is infinite.
void read_value(Estimate& e, const std::string& cell) { e = {required_number(cell), -INFINITY, INFINITY}; }

template <class Any>
void read_value(std::optional<Any>& e, const std::string& cell) {
  if (!cell.empty()) read_value(static_cast<Estimate&>(e.emplace()), cell);
}

/// The three columns of an estimate that is written and not read back, or both.
template <auto member, Write write, bool read = true>
constexpr std::array<Column<Line>, 3> estimate_columns(const std::array<const char*, 3>& names,
                                                       const std::array<CellKind, 3>& kinds, const char* meaning,
                                                       const char* low_meaning = "end of the 95 % interval",
                                                       Need need = needed) {
  std::array<Column<Line>, 3> columns{
      {{names[0], kinds[0], need, meaning,
        [](const Line& l) { return known(l.*member) != nullptr ? write(known(l.*member)->value) : ""; }},
       {names[1], kinds[1], need, low_meaning, [](const Line& l) { return low_end<write>(known(l.*member)); }},
       {names[2], kinds[2], need, "end of the 95 % interval",
        [](const Line& l) { return high_end<write>(known(l.*member)); }}}};
  if (!read) return columns;
  columns[0].read = [](Line& l, const std::string& cell) { read_value(l.*member, cell); };
  columns[1].read = [](Line& l, const std::string& cell) {
    if (Estimate* const e = known(l.*member)) e->low = number_from(cell).value_or(-INFINITY);
  };
  columns[2].read = [](Line& l, const std::string& cell) {
    if (Estimate* const e = known(l.*member)) e->high = number_from(cell).value_or(INFINITY);
  };
  return columns;
}

void read_verdict(Line& line, const std::string& cell) {
  line.verdict = parse_verdict(cell);
  if (line.role == ContenderRole::method && !cell.empty() && !line.verdict)
    throw UserError("'" + cell + "' is no verdict");
}

void read_judged_low(Line& line, const std::string& cell) {
  if (const std::optional<double> low = number_from(cell)) line.judged = Estimate{*low, *low, INFINITY};
}

/// Both ends or none; the value between them is not written.
void read_judged_high(Line& line, const std::string& cell) {
  const std::optional<double> high = number_from(cell);
  if (!high) line.judged.reset();
  if (line.judged) line.judged = Estimate{std::sqrt(line.judged->low * *high), line.judged->low, *high};
}

constexpr std::array who{
    text_column<Line, &Line::contender>(
        "contender", "what was timed: a method's id (`method@level` at several levels), its `.twin`, `empty`, `clock`"),
    text_column<Line, &Line::method>("method", "the method's id; empty for the clock"),
    Column<Line>{"title", text, needed, "the method's name", [](const Line& l) { return l.title; }},
    Column<Line>{"family", text, needed, "folder of its header", [](const Line& l) { return l.family; }},
    text_column<Line, &Line::level>("level", "the instruction set that its module was compiled for"),
    Column<Line>{"role", text, needed,
                 "method, reference, twin, second_twin (the A/A control), empty (the loop without a method), control, "
                 "twice or clock",
                 [](const Line& l) { return to_string(l.role); },
                 [](Line& l, const std::string& cell) { l.role = parse_role(cell); }}};

constexpr std::array how_often{
    Column<Line>{"table_bytes", count, needed, "of its tables",
                 [](const Line& l) { return whole_or_empty(l.table_bytes); }},
    whole_column<Line, &Line::process_runs>("process_runs", needed, count, "process runs"),
    whole_column<Line, &Line::rounds>("rounds", needed, count,
                                      "of all process runs; in a round every contender has one sample")};

constexpr std::array judgement{
    Column<Line>{"margin", count, needed, "fixed before the run: differences up to it count as equal",
                 [](const Line& l) { return l.ratio ? significant(l.margin) : ""; }},
    Column<Line>{"aa_bound", count, needed, "how far identical code may have differed in this cell",
                 [](const Line& l) { return l.aa_bound ? significant(*l.aa_bound) : ""; },
                 [](Line& l, const std::string& cell) { l.aa_bound = number_from(cell); }},
    Column<Line>{"verdict", text, needed, "faster, slower, equivalent, inconclusive, unresolved, void; else the role",
                 [](const Line& l) { return verdict_text(l); }, read_verdict},
    Column<Line>{"holm_low", any, needed,
                 "end of the interval adjusted for the number of methods (Holm), which verdicts use",
                 [](const Line& l) { return low_end<significant>(known(l.judged)); }, read_judged_low},
    Column<Line>{"holm_high", any, needed, "end of the same",
                 [](const Line& l) { return high_end<significant>(known(l.judged)); }, read_judged_high},
    Column<Line>{"best", text, needed,
                 "fastest, among (may be the fastest) or behind: multiple comparisons with the best (Hsu 1984)",
                 [](const Line& l) { return l.best ? to_string(*l.best) : ""; },
                 [](Line& l, const std::string& cell) { l.best = parse_standing(cell); }}};

constexpr std::array disturbed{
    Column<Line>{"flagged_rounds", any, needed, "rounds that something disturbed",
                 [](const Line& l) { return l.ratio ? std::to_string(l.flagged_rounds) : ""; }},
    Column<Line>{"ns_per_node", any, needed, "time per node, where the replayed trace has nodes",
                 [](const Line& l) { return l.ns_per_node ? four_decimals(*l.ns_per_node) : ""; }}};

constexpr std::array misses_source{Column<Line>{"l1d_source", text, optional,
                                                "measured (counted by the processor in these samples) or simulated",
                                                [](const Line& l) { return l.l1d_misses ? l.l1d_misses->source : ""; },
                                                [](Line& l, const std::string& cell) {
                                                  if (l.l1d_misses) l.l1d_misses->source = cell;
                                                }}};

constexpr CsvTable summary{
    "summary.csv", "a contender in a cell: what its process runs came to",
    columns_of(who, cell_columns<Line, &SummaryRow::cell>(), how_often,
               estimate_columns<&SummaryRow::ns_per_query, four_decimals>(
                   {"ns_per_query", "ns_low", "ns_high"}, {positive, count, positive},
                   "time per query, or a node in perft and engines"),
               estimate_columns<&SummaryRow::net_ns_per_query, four_decimals>(
                   {"net_ns_per_query", "net_low", "net_high"}, {any, any, any}, "the same less the empty loop",
                   "end of the 95 % interval; below 0 where the loop is as slow"),
               estimate_columns<&SummaryRow::ratio, significant>({"ratio", "ratio_low", "ratio_high"},
                                                                 {positive, count, positive},
                                                                 "time over the reference's, within rounds"),
               judgement,
               estimate_columns<&SummaryRow::unflagged_ratio, significant, false>(
                   {"ratio_unflagged", "ratio_unflagged_low", "ratio_unflagged_high"}, {any, any, any},
                   "the ratio without rounds that something disturbed"),
               disturbed,
               estimate_columns<&SummaryRow::l1d_misses, four_decimals>(
                   {"l1d_misses", "l1d_misses_low", "l1d_misses_high"}, {any, any, any},
                   "misses of the first level a query, in perft and engines a node",
                   "end of the 95 % interval over process runs", optional),
               misses_source, work_columns<Line>(), run_columns<Line>())};

}  // namespace

std::string summary_csv(const std::vector<SummaryLine>& lines) { return summary.lines(lines); }

std::vector<SummaryRow> read_summary(const std::string& name, const std::string& text) {
  const std::vector<SummaryLine> lines = summary.read(name, text);
  if (lines.empty()) throw UserError("has no rows");
  return {lines.begin(), lines.end()};
}

TableText summary_columns() { return summary.describe(); }

}  // namespace slidebench
