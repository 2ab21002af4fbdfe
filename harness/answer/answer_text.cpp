// SPDX-License-Identifier: MIT
#include "harness/answer/answer_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "harness/answer/next_step.hpp"
#include "harness/answer/verdict.hpp"
#include "harness/base/text_output.hpp"
#include "harness/base/text_table.hpp"
#include "harness/platform/cpu_generation.hpp"
#include "harness/statistics/statistics.hpp"

namespace slidebench {
namespace {

using nlohmann::json;

constexpr std::size_t label_width = 9;

/// "L1 32 KiB, L2 1.25 MiB": the caches that hold data.
std::string caches_text(const json& machine) {
  std::string text;
  const json caches = machine.value("caches", json());
  for (const json& cache : caches.is_array() ? caches : json::array()) {
    if (cache.value("type", json()) == "instruction" || !cache.value("bytes", json()).is_number()) continue;
    text += fmt::format(", L{} {}", cache.value("level", 0), readable_bytes(cache.at("bytes").get<std::uint64_t>()));
  }
  return text;
}

std::string machine_text(const json& record) {
  const json machine = record.value("machine", json::object());
  std::string text = cpu_text(machine) + caches_text(machine);
  const json hypervisor = machine.value("hypervisor", json());
  if (hypervisor.is_string() && !hypervisor.get<std::string>().empty())
    text += ", in a virtual machine (" + hypervisor.get<std::string>() + ")";
  return text;
}

/// How many checks of a kind had which result.
struct Tally {
  std::size_t all = 0, passed = 0, imprecise = 0, failed = 0;

  template <class Check>
  explicit Tally(const std::vector<Check>& checks) : all(checks.size()) {
    for (const Check& check : checks) {
      passed += check.result == CheckResult::passed ? 1 : 0;
      imprecise += check.result == CheckResult::imprecise ? 1 : 0;
      failed += check.result == CheckResult::failed ? 1 : 0;
    }
  }

  std::string text(const Ink& ink) const {
    std::string text = fmt::format("{} of {} situations", passed, all);
    if (imprecise > 0) text += fmt::format(", {} too uncertain to tell", imprecise);
    return failed > 0 ? text + ", " + ink.bad(fmt::format("{} FAILED", failed)) : text;
  }

  json to_json() const { return {{"of", all}, {"passed", passed}, {"imprecise", imprecise}, {"failed", failed}}; }
};

/// Methods whose answers were checked before they were timed; of a duel none.
std::size_t checked_methods(const json& record) {
  if (!record.value("duel", json()).is_null()) return 0;
  std::set<std::string> ids;  // the reference stands there twice, with its control
  for (const json& method : record.value("methods", json::array())) {
    if (method.value("family", "") != "baseline") ids.insert(method.value("id", ""));
  }
  return ids.size();
}

/// How often the A/A control, which is measured as a method is, differed significantly or was too uncertain, and how
/// precisely it was measured.
std::string identical_code_text(const std::vector<TwinCheck>& twins, const Ink& ink) {
  const Tally tally(twins);
  const std::string failed = tally.failed > 0 ? ink.bad(fmt::format("{}", tally.failed)) : "none";
  std::string text = fmt::format("identical code differed significantly in {} of {} situations", failed, tally.all);
  if (tally.imprecise > 0) text += fmt::format(", {} too uncertain to tell", tally.imprecise);
  std::vector<double> halves;
  for (const TwinCheck& twin : twins) {
    if (has_interval(twin.ratio)) halves.push_back(std::log(twin.ratio.high / twin.ratio.low) / 2);
  }
  if (halves.empty()) return text;
  return fmt::format("{} (intervals of {:.1f} % to either side, the widest {:.1f} %)", text, 100 * median(halves),
                     100 * *std::max_element(halves.begin(), halves.end()));
}

std::string checks_text(const RunFolder& run, const Ink& ink) {
  const std::size_t methods = checked_methods(run.record);
  std::string text = methods > 0 ? fmt::format("answers of {} methods right; ", methods) : "";
  text += identical_code_text(run.checks.twins, ink);
  if (!run.checks.controls.empty()) text += "; a known cost was found in " + Tally(run.checks.controls).text(ink);
  return text;
}

/// The situation of each column of the table.
std::vector<const Situation*> columns_in(const Answer& answer) {
  std::vector<const Situation*> columns;
  for (const std::string& id : answer.table.situations) {
    columns.push_back(&*std::find_if(answer.situations.begin(), answer.situations.end(),
                                     [&id](const Situation& situation) { return situation.id == id; }));
  }
  return columns;
}

/// Simulated misses shall not look like counted ones.
const char* miss_heading(const AnswerTable& table) {
  return table.misses_source == "measured" ? "L1D misses" : "L1D (model)";
}

std::string misses_legend(const AnswerTable& table) {
  if (table.misses_of.empty()) return "";
  return fmt::format(
      "  {}: misses of the first level a query in {}, {}\n", miss_heading(table), table.misses_of,
      table.misses_source == "measured" ? "counted by the processor in the timed samples" : "simulated, not counted");
}

/// The ratios of a method: "?" behind what is not significant, "=" behind what is equivalent.
std::vector<std::string> method_line(const AnswerTable::Row& row, const std::vector<const Situation*>& columns,
                                     bool misses, const Ink& ink) {
  std::vector<std::string> cells{row.method, row.table_bytes ? readable_bytes(*row.table_bytes) : "unknown"};
  if (misses) cells.push_back(row.l1d_misses ? fmt::format("{:.2f}", *row.l1d_misses) : "-");
  for (std::size_t i = 0; i < row.ratios.size(); ++i) {
    const char* const mark = !row.ratios[i] ? " " : !row.sure[i] ? "?" : row.equal[i] ? "=" : " ";
    const std::string cell = (row.ratios[i] ? fmt::format("{:.2f}", *row.ratios[i]) : "-") + mark;
    cells.push_back(columns[i]->method == row.method ? ink.good(cell) : cell);
  }
  return cells;
}

/// The table, a column a situation; below it what is the same for all methods.
std::string method_table(const Answer& answer, const Ink& ink) {
  const std::vector<const Situation*> columns = columns_in(answer);
  const bool misses = !answer.table.misses_of.empty();
  TextTable table{
      .sides = "lr" + std::string(columns.size() + misses, 'r'), .indent = 2, .gap = 1, .rows = {{"method", "tables"}}};
  if (misses) table.rows.front().push_back(miss_heading(answer.table));
  for (const std::string& id : answer.table.situations) table.rows.front().push_back(id + " ");
  for (const AnswerTable::Row& row : answer.table.rows) table.rows.push_back(method_line(row, columns, misses, ink));
  const auto add_shares = [&](const char* name, std::optional<double> Situation::*share) {
    std::vector<std::string> cells{name, ""};
    if (misses) cells.emplace_back();
    bool any = false;
    for (const Situation* of : columns) {
      const bool known = of->*share && std::isfinite(*(of->*share));
      any = any || known;
      cells.push_back(known ? fmt::format("{:.1f}% ", 100 * *(of->*share)) : "- ");
    }
    if (any) table.rows.push_back(cells);
  };
  add_shares("detection limit", &Situation::resolution);
  add_shares("empty loop", &Situation::loop_share);
  add_shares("a second answer adds", &Situation::second_answer);
  const std::vector<std::string> lines = table.lines();
  std::string text = ink.strong(lines.front()) + "\n";
  for (std::size_t i = 1; i < lines.size(); ++i)
    text += (i > answer.table.rows.size() ? ink.faint(lines[i]) : lines[i]) + "\n";
  return text + ink.faint(misses_legend(answer.table));
}

/// "; the engines have 51 to 70 process runs each, ...": empty where they have equally many.
std::string unequal_text(const std::vector<SummaryRow>& rows) {
  std::size_t least = SIZE_MAX, most = 0;
  for (const SummaryRow& row : rows) {
    if (row.role != ContenderRole::method) continue;
    least = std::min(least, row.process_runs);
    most = std::max(most, row.process_runs);
  }
  if (least >= most) return "";
  return fmt::format("; the engines have {} to {} process runs each: one that is decided is measured no more", least,
                     most);
}

/// What the intervals hold for.
std::string validity_text(const RunFolder& run) {
  const json protocol = run.record.value("protocol", json::object());
  std::string text = "Intervals of 95 %, that of a named method widened for the number of methods";
  if (!run.record.value("duel", json()).is_null())
    return text + unequal_text(run.rows) + "; of these binaries, not of other builds of their sources.";
  const std::size_t sessions = protocol.value("sessions", std::size_t{0});
  const std::size_t layouts = protocol.value("layouts", std::size_t{0});
  if (sessions == 0 || layouts == 0) return text + ".";  // of a duel, or of an earlier version's run
  return fmt::format("{}; they hold for {}, and for {} of the code.", text,
                     sessions == 1 ? "this hour" : fmt::format("{} sessions", sessions),
                     layouts == 1 ? "one layout" : "other layouts");
}

/// A text on lines of its own, all of them indented.
std::string indented(const std::string& text, std::size_t indent, std::size_t width) {
  const std::string room(indent, ' ');
  std::string broken = wrapped(text, width > indent + 20 ? width - indent : 20, 0);
  for (std::size_t at = broken.find('\n'); at != std::string::npos; at = broken.find('\n', at + 1))
    broken.insert(at + 1, room);
  return room + broken;
}

/// The lines of the situations in columns; what is not decided has no colour.
std::string lines_text(const Answer& answer, const Ink& ink, std::size_t width) {
  std::size_t titles = 0, whats = 0, changes = 0;
  for (const Situation& situation : answer.situations) {
    titles = std::max(titles, situation.title.size());
    if (situation.line.change.empty()) continue;
    whats = std::max(whats, situation.line.what.size());
    changes = std::max(changes, situation.line.change.size());
  }
  std::string text;
  for (const Situation& situation : answer.situations) {
    const AnswerLine& line = situation.line;
    const bool shown = !situation.method.empty();
    const std::string said = shown ? padded(line.what, whats) + "  " + padded(line.change, changes) : line.what;
    const std::string start = padded(situation.title, titles) + "  " + said;
    const bool fits = width == 0 || start.size() + 2 + line.rest.size() <= width;
    text += ink.strong(padded(situation.title, titles)) + "  " +
            (shown && situation.ratio->value < 1 ? ink.good(said) : said);
    text += fits ? "  " + line.rest : "\n" + indented(line.rest, titles + 2, width);
    text += "\n";
  }
  return text;
}

std::string labelled(const std::string& label, const std::string& text, const Ink& ink, std::size_t width) {
  const std::string line = wrapped(std::string(label_width, '_') + " " + text, width, label_width + 1);
  return ink.strong(padded(label, label_width)) + line.substr(label_width) + "\n";
}

std::string verdict_text(const Answer& answer, const std::string& own, const Ink& ink, std::size_t width) {
  const std::vector<VerdictLine> lines = verdict_of(answer);
  std::string text;
  for (const VerdictLine& line : lines) {
    const std::string mark = line.id == own ? "> " : "  ";
    const std::string said = mark + line.title + ": " + line.text + ".";
    text += wrapped(line.id == own ? ink.strong(said) : said, width, 4) + "\n";
  }
  for (const std::string& sentence : disagreements(answer)) text += wrapped("  " + sentence, width, 4) + "\n";
  return text;
}

}  // namespace

std::string answer_text(const RunFolder& run, const AnswerOptions& asked, const Ink& ink, std::size_t width) {
  Answer answer = answer_against(run, asked.reference);
  const std::string own = own_line(answer, asked.own);
  std::string text = verdict_text(answer, own, ink, width) + "\n";
  if (answer.situations.empty()) text = "No method was compared with another here.\n\n";
  if (asked.details && !answer.situations.empty()) {
    text += "Time against " + answer.reference + "'s\n" + lines_text(answer, ink, width) + "\n";
  }
  if (!answer.situations.empty()) {
    text += fmt::format("Time over {}'s{}; ?: not significant, =: equivalent\n", answer.reference,
                        answer.deciding.empty() ? "" : ", sorted by " + answer.deciding) +
            method_table(answer, ink) + wrapped(validity_text(run), width, 2) + "\n";
  }
  text += "\n" + labelled("CPU", machine_text(run.record), ink, width);
  text += labelled("Checks", checks_text(run, ink), ink, width);
  if (!run.record.value("complete", true)) {
    text += labelled("Stopped", "before its end: the intervals are wider than intended", ink, width);
  }
  const std::size_t missing = run.record.value("missing_process_runs", nlohmann::json::array()).size();
  if (missing > 0) {
    text += labelled("Missing",
                     fmt::format("{} process run{} died or hung, twice: see --all", missing, missing == 1 ? "" : "s"),
                     ink, width);
  }
  const std::optional<NextStep> next = next_step(run, answer);
  return next ? text + "\n" + ink.strong("Next:") + " " + next->text() + "\n" : text;
}

nlohmann::json answer_json(const RunFolder& run, const std::string& reference) {
  const Answer answer = answer_against(run, reference);
  const std::optional<NextStep> next = next_step(run, answer);
  json all = {
      {"schema", 3},
      {"complete", run.record.value("complete", true)},
      {"cpu", cpu_text(run.record.value("machine", json::object()))},
      {"checks",
       {{"methods", checked_methods(run.record)},
        {"identical_code", Tally(run.checks.twins).to_json()},
        {"known_cost", Tally(run.checks.controls).to_json()}}},
      {"next", next ? json{{"command", next->command}, {"minutes", next->minutes}, {"why", next->why}} : json()}};
  all.update(to_json(answer));
  all["verdict"] = verdict_of(answer);
  all["disagreements"] = disagreements(answer);
  return all;
}

}  // namespace slidebench
