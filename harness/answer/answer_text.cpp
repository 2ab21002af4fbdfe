// SPDX-License-Identifier: MIT
#include "harness/answer/answer_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

#include "harness/answer/next_step.hpp"
#include "harness/answer/verdict.hpp"
#include "harness/base/text_output.hpp"
#include "harness/platform/cpu_generation.hpp"
#include "harness/statistics/statistics.hpp"

namespace slidebench {
namespace {

using nlohmann::json;

constexpr std::size_t label_width = 9;

std::string right_aligned(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

/// "L1 32 KiB, L2 1.25 MiB": the caches that hold data.
std::string caches_text(const json& machine) {
  std::string text;
  const json caches = machine.value("caches", json());
  for (const json& cache : caches.is_array() ? caches : json::array()) {
    if (cache.value("type", json()) == "instruction" || !cache.value("bytes", json()).is_number()) continue;
    text +=
        ", L" + std::to_string(cache.value("level", 0)) + " " + readable_bytes(cache.at("bytes").get<std::uint64_t>());
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
    std::string text = std::to_string(passed) + " of " + std::to_string(all) + " situations";
    if (imprecise > 0) text += ", " + std::to_string(imprecise) + " too uncertain to tell";
    return failed > 0 ? text + ", " + ink.bad(std::to_string(failed) + " FAILED") : text;
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

/// How often the A/A control, which is measured as a method is, differed significantly, and how precisely it was
/// measured.
std::string identical_code_text(const std::vector<TwinCheck>& twins, const Ink& ink) {
  const Tally tally(twins);
  std::string text = "identical code differed significantly in " +
                     (tally.failed > 0 ? ink.bad(std::to_string(tally.failed)) : std::string("none")) + " of " +
                     std::to_string(tally.all) + " situations";
  std::vector<double> halves;
  for (const TwinCheck& twin : twins) {
    if (has_interval(twin.ratio)) halves.push_back(std::log(twin.ratio.high / twin.ratio.low) / 2);
  }
  return halves.empty() ? text : text + " (intervals of " + decimals(100 * median(halves), 1) + " % to either side)";
}

std::string checks_text(const RunFolder& run, const Ink& ink) {
  const std::size_t methods = checked_methods(run.record);
  std::string text = methods > 0 ? "answers of " + std::to_string(methods) + " methods right; " : "";
  text += identical_code_text(run.checks.twins, ink);
  if (!run.checks.controls.empty()) text += "; a known cost was found in " + Tally(run.checks.controls).text(ink);
  return text;
}

/// The lines of the table, a column a situation.
class MethodTable {
 public:
  MethodTable(const Answer& answer, const Ink& ink) : answer_(answer), ink_(ink) {
    for (const AnswerTable::Row& row : answer.table.rows) methods_ = std::max(methods_, row.method.size());
  }

  std::string text() const {
    std::string text = ink_.strong(header()) + "\n";
    for (const AnswerTable::Row& row : answer_.table.rows) text += line(row) + "\n";
    return text + shares("detection limit", &Situation::resolution) + shares("empty loop", &Situation::loop_share) +
           shares("a second answer adds", &Situation::second_answer);
  }

 private:
  static constexpr std::size_t bytes_width = 9;

  std::size_t width(std::size_t column) const {
    return std::max<std::size_t>(answer_.table.situations[column].size(), 6) + 2;
  }

  std::string start(const std::string& name, const std::string& bytes) const {
    return "  " + padded(name, methods_) + "  " + right_aligned(bytes, bytes_width);
  }

  std::string header() const {
    std::string text = start("method", "tables");
    for (std::size_t i = 0; i < answer_.table.situations.size(); ++i) {
      text += right_aligned(answer_.table.situations[i], width(i) - 1) + " ";
    }
    return text;
  }

  const Situation* situation(std::size_t column) const {
    const auto& all = answer_.situations;
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const Situation& s) { return s.id == answer_.table.situations[column]; });
    return found == all.end() ? nullptr : &*found;
  }

  std::string line(const AnswerTable::Row& row) const {
    std::string text = start(row.method, row.table_bytes ? readable_bytes(*row.table_bytes) : "unknown");
    for (std::size_t i = 0; i < row.ratios.size(); ++i) {
      char number[32] = "-";
      if (row.ratios[i]) std::snprintf(number, sizeof number, "%.2f", *row.ratios[i]);
      const std::string mark = row.ratios[i] && !row.sure[i] ? "?" : " ";
      const std::string cell = right_aligned(number, width(i) - 1) + mark;
      const Situation* of = situation(i);
      text += of != nullptr && of->method == row.method ? ink_.good(cell) : cell;
    }
    return text;
  }

  /// A line of shares, a column a situation; empty if none has one.
  std::string shares(const std::string& name, std::optional<double> Situation::*share) const {
    std::string text = start(name, "");
    bool any = false;
    for (std::size_t i = 0; i < answer_.table.situations.size(); ++i) {
      const Situation* of = situation(i);
      const bool known = of != nullptr && of->*share && std::isfinite(*(of->*share));
      any = any || known;
      text += right_aligned(known ? decimals(100 * *(of->*share), 1) + "%" : "-", width(i) - 1) + " ";
    }
    return any ? ink_.faint(text) + "\n" : "";
  }

  const Answer& answer_;
  const Ink& ink_;
  std::size_t methods_ = std::string("a second answer adds").size();
};

/// "; the engines have 51 to 70 process runs each, ...": empty where they have equally many.
std::string unequal_text(const std::vector<SummaryRow>& rows) {
  std::size_t least = SIZE_MAX, most = 0;
  for (const SummaryRow& row : rows) {
    if (row.role != ContenderRole::method) continue;
    least = std::min(least, row.process_runs);
    most = std::max(most, row.process_runs);
  }
  if (least >= most) return "";
  return "; the engines have " + std::to_string(least) + " to " + std::to_string(most) +
         " process runs each: one that is decided is measured no more";
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
  return text + "; they hold for " + (sessions == 1 ? "this hour" : std::to_string(sessions) + " sessions") +
         (layouts == 1 ? ", and for one layout of the code." : ", and for other layouts of the code.");
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

/// A line for each cell in which stores and methods were compared; empty without one.
std::string keep_or_ask_text(const RunViews& views, const Ink& ink, std::size_t width) {
  std::string text;
  for (const KeepOrAsk& one : views.keep_or_ask()) {
    text += wrapped(ink.strong("Keep or ask") + "  " + one.title + ": " + one.text(), width, 2) + "\n";
  }
  return text;
}

std::string labelled(const std::string& label, const std::string& text, const Ink& ink, std::size_t width) {
  const std::string line = wrapped(std::string(label_width, '_') + " " + text, width, label_width + 1);
  return ink.strong(padded(label, label_width)) + line.substr(label_width) + "\n";
}

}  // namespace

namespace {

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

std::string answer_text(const RunViews& views, const AnswerOptions& asked, const Ink& ink, std::size_t width) {
  const RunFolder& run = views.own();
  Answer answer = views.answer(asked.reference);
  const std::string own = own_line(answer, asked.own);
  std::string text = verdict_text(answer, own, ink, width) + "\n";
  if (answer.situations.empty()) text = "No method was compared with another here.\n\n";
  if (asked.details && !answer.situations.empty()) {
    text += "Time against " + answer.reference + "'s\n" + lines_text(answer, ink, width) + "\n";
  }
  text += keep_or_ask_text(views, ink, width);
  if (!answer.situations.empty()) {
    text += "Time over " + answer.reference + "'s" + (answer.deciding.empty() ? "" : ", sorted by " + answer.deciding) +
            "; ?: not significant\n" + MethodTable(answer, ink).text() + wrapped(validity_text(run), width, 2) + "\n";
  }
  text += "\n" + labelled("CPU", machine_text(run.record), ink, width);
  text += labelled("Checks", checks_text(run, ink), ink, width);
  if (!run.record.value("complete", true)) {
    text += labelled("Stopped", "before its end: the intervals are wider than intended", ink, width);
  }
  const std::size_t missing = run.record.value("missing_process_runs", nlohmann::json::array()).size();
  if (missing > 0) {
    const std::string runs = missing == 1 ? " process run" : " process runs";
    text += labelled("Missing", std::to_string(missing) + runs + " died or hung, twice: see --all", ink, width);
  }
  const std::optional<NextStep> next = next_step(run, answer);
  return next ? text + "\n" + ink.strong("Next:") + " " + next->text() + "\n" : text;
}

nlohmann::json answer_json(const RunViews& views, const std::string& reference) {
  const RunFolder& run = views.own();
  const Answer answer = views.answer(reference);
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
  json& kept = all["keep_or_ask"] = json::array();
  for (const KeepOrAsk& one : views.keep_or_ask()) kept.push_back(to_json(one));
  return all;
}

}  // namespace slidebench
