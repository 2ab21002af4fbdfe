// SPDX-License-Identifier: MIT
#include "harness/answer/answer.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <set>
#include <string_view>

#include "harness/answer/words.hpp"
#include "harness/base/enum_names.hpp"
#include "harness/base/text_output.hpp"
#include "harness/plugin/known_methods.hpp"
#include "harness/plugin/workload.hpp"
#include "harness/statistics/checks.hpp"
#include "harness/statistics/comparison.hpp"

namespace slidebench {
namespace {

using nlohmann::json;

constexpr std::size_t small_tables = std::size_t{8} << 10;
constexpr std::string_view duel_cells = "duel";

/// The usual pressures in the order of the answer, with their titles.
struct PressureTitle {
  std::string_view pressure;
  std::string_view title;
};
constexpr PressureTitle pressure_titles[] = {
    {"isolated", "In a loop"},
    {"lukewarm", "In turn with the other methods' tables"},
    {"light", "Beside 64 scattered cache lines per node"},
    {"net0", "Beside an engine without a network"},
    {"net256", "Beside a network of 256"},
    {"net1024", "Beside a network of 1,024"},
    {"nnue", "Beside 768 cache lines of a network"},
    {"nnue-xl", "Beside 1,536 cache lines of a network that fits no cache"},
};

std::size_t place_of(std::string_view pressure) {
  const auto found = std::find_if(std::begin(pressure_titles), std::end(pressure_titles),
                                  [pressure](const PressureTitle& known) { return known.pressure == pressure; });
  return static_cast<std::size_t>(found - std::begin(pressure_titles));
}

/// The first number in a name, such as the lines of a sweep's pressure or the width of a network; 0 without one.
unsigned number_in(std::string_view name) {
  const std::size_t first = name.find_first_of("0123456789");
  unsigned number = 0;
  if (first != std::string_view::npos) std::from_chars(name.data() + first, name.data() + name.size(), number);
  return number;
}

std::string replay_title(const Cell& cell) {
  const std::size_t place = place_of(cell.pressure);
  std::string title = place < std::size(pressure_titles) ? std::string(pressure_titles[place].title)
                                                         : "Beside other reads (" + cell.pressure + ")";
  if (cell.workload == "latency") title += ", each query waiting for the last";
  if (cell.workload == "setwise") title += ", all sliders of a side at once";
  if (cell.workload == "batch")
    title += ", " + (cell.kinds == "all" ? "all sliders" : cell.kinds) + " of a position at once, each apart";
  return title;
}

/// "In a search with a network of 1,024".
std::string engine_title(const std::string& form) {
  const unsigned width = number_in(form);
  const std::string batches = form.find("batch") != std::string::npos ? ", in batches" : "";
  if (width == 0) return "In a search without a network" + batches;
  const bool threats = form.find("threats") != std::string::npos;
  return "In a search with a network of " + with_commas(width) + (threats ? " with threats" : "") + batches;
}

bool is_replay(const Cell& cell) { return find_workload(cell.workload) != nullptr; }

bool is_compared(const SummaryRow& row) {
  return (row.role == ContenderRole::method || row.role == ContenderRole::reference) && row.ratio.has_value();
}

/// The first of the names that is among those there; empty if none is.
std::string first_of(const std::vector<std::string>& names, const std::set<std::string>& there) {
  const auto found = std::find_if(names.begin(), names.end(), [&](const std::string& n) { return there.contains(n); });
  return found == names.end() ? "" : *found;
}

/// "a and b", "a, b and 3 more".
std::string listed(std::vector<std::string> names, std::size_t most) {
  const std::size_t more = names.size() - std::min(most, names.size());
  if (more > 0) names.resize(most);
  if (more > 0) names.push_back(std::to_string(more) + " more");
  const std::string last = names.back();
  names.pop_back();
  return names.empty() ? last : joined(names, ", ") + " and " + last;
}

/// The rows and the record of a run, asked cell by cell.
class Evidence {
 public:
  Evidence(const std::vector<SummaryRow>& rows, const json& record) : rows_(rows), record_(record) {}

  const SummaryRow* find(const Cell& cell, const std::string& contender) const {
    const auto found = std::find_if(rows_.begin(), rows_.end(), [&](const SummaryRow& row) {
      return row.cell == cell && row.contender == contender;
    });
    return found == rows_.end() ? nullptr : &*found;
  }

  const SummaryRow* find(const Cell& cell, ContenderRole role) const {
    const auto found = std::find_if(rows_.begin(), rows_.end(),
                                    [&](const SummaryRow& row) { return row.cell == cell && row.role == role; });
    return found == rows_.end() ? nullptr : &*found;
  }

  std::string reference() const {
    const auto found = std::find_if(rows_.begin(), rows_.end(),
                                    [](const SummaryRow& row) { return row.role == ContenderRole::reference; });
    return found == rows_.end() ? reference_method : found->contender;
  }

  /// Cells in which methods are compared, in the order of the summary.
  std::vector<Cell> cells() const {
    std::vector<Cell> cells;
    for (const SummaryRow& row : rows_) {
      const bool known = std::find(cells.begin(), cells.end(), row.cell) != cells.end();
      if (is_compared(row) && !known) cells.push_back(row.cell);
    }
    return cells;
  }

  /// Ids of the compared methods, in the order of the first cell.
  std::vector<std::string> methods() const {
    std::vector<std::string> methods;
    for (const SummaryRow& row : rows_) {
      const bool known = std::find(methods.begin(), methods.end(), row.contender) != methods.end();
      if (is_compared(row) && !known) methods.push_back(row.contender);
    }
    return methods;
  }

  /// Traces of the user's own engine.
  std::vector<std::string> imported_traces() const {
    std::vector<std::string> names;
    for (const json& trace : record_.value("traces", json::array())) {
      const json provenance = trace.value("provenance", json::object());
      if (provenance.value("kind", "") == "import") names.push_back(trace.value("name", ""));
    }
    return names;
  }

  /// What `bests` says of a cell, within a limit; null if the run compared none.
  json best(const Cell& cell, const std::optional<std::size_t>& limit) const {
    const json wanted_limit = limit ? json(*limit) : json();
    for (const json& best : record_.value("bests", json::array())) {
      if (best.at("cell").get<Cell>() == cell && best.at("limit_bytes") == wanted_limit) return best;
    }
    return nullptr;
  }

  /// How much more time than another method one takes in a cell; endless where that was not measured.
  double behind(const Cell& cell, const std::string& method, const std::string& other) const {
    const SummaryRow *slower = find(cell, method), *faster = find(cell, other);
    const bool known = slower != nullptr && faster != nullptr && slower->ratio && faster->ratio;
    return known ? slower->ratio->value / faster->ratio->value - 1 : INFINITY;
  }

  /// Times that differ by no more than this share count as equal.
  double margin() const {
    const json inference = record_.value("inference", json::object());
    return inference.value("margin", Protocol{}.margin);
  }

  std::optional<std::size_t> table_bytes(const std::string& method) const {
    for (const json& known : record_.value("methods", json::array())) {
      if (known.at("id") != method || known.at("table_bytes").is_null()) continue;
      return known.at("table_bytes").get<std::size_t>();
    }
    return std::nullopt;
  }

  /// Why a cell is not to be believed; empty if it is.
  std::string doubt(const Cell& cell) const {
    char text[120];
    const json checks = record_.value("checks", json::object());
    for (const json& check : checks.value("twin", json::array())) {
      if (check.at("result") != "failed" || check.at("cell").get<Cell>() != cell) continue;
      return "identical code measured " + percent(check.at("ratio").get<double>() - 1) +
             " apart here (the A/A control failed)";
    }
    for (const json& check : checks.value("control", json::array())) {
      if (check.at("result") != "failed" || check.at("cell").get<Cell>() != cell) continue;
      const auto cost = [&check](const char* key) { return 100 * (check.value(key, 1 + control_share) - 1); };
      std::snprintf(text, sizeof text, "a cost of %.0f %% was measured as %.1f here (the positive control failed)",
                    cost("expected_ratio"), cost("measured_ratio"));
      return text;
    }
    const bool is_void = std::any_of(rows_.begin(), rows_.end(), [&](const SummaryRow& row) {
      return row.cell == cell && row.verdict == Verdict::void_cell;
    });
    return is_void ? "the empty loop came out slower than a method here" : "";
  }

  /// What identical code may have differed by, or what the intervals behind the verdicts leave open on either side (the
  /// median of the methods that were measured to the end): whichever is more.
  std::optional<double> resolution(const Cell& cell) const {
    std::vector<double> halves;
    std::optional<double> bound;
    const SummaryRow* reference = find(cell, ContenderRole::reference);
    if (reference == nullptr) return std::nullopt;
    for (const SummaryRow& row : rows_) {
      if (!(row.cell == cell) || row.process_runs < reference->process_runs) continue;
      if (row.role == ContenderRole::reference) bound = row.aa_bound;
      const std::optional<Estimate>& interval = row.judged ? row.judged : row.ratio;
      const bool usable =
          row.role == ContenderRole::method && interval && interval->low > 0 && std::isfinite(interval->high);
      if (usable) halves.push_back(std::sqrt(interval->high / interval->low) - 1);
    }
    if (!bound || halves.empty()) return bound;
    const auto middle = halves.begin() + static_cast<std::ptrdiff_t>(halves.size() / 2);
    std::nth_element(halves.begin(), middle, halves.end());
    return std::max(*bound, *middle);
  }

  /// What asking the reference every query twice adds to its time.
  std::optional<double> second_answer(const Cell& cell) const {
    const SummaryRow* twice = find(cell, ContenderRole::twice);
    if (twice == nullptr || !twice->ratio || twice->method != reference()) return std::nullopt;
    return twice->ratio->value - 1;
  }

  std::optional<double> loop_share(const Cell& cell) const {
    const SummaryRow* empty = find(cell, ContenderRole::empty);
    const SummaryRow* of = find(cell, ContenderRole::reference);
    if (empty == nullptr || of == nullptr) return std::nullopt;
    return empty->ns_per_query.value / of->ns_per_query.value;
  }

 private:
  const std::vector<SummaryRow>& rows_;
  const json& record_;
};

/// The cells that answer: of one trace, one workload and one kind of query the replayed ones, and those of the engine.
class AnsweringCells {
 public:
  explicit AnsweringCells(const Evidence& evidence) {
    std::vector<Cell> replays;
    for (const Cell& cell : evidence.cells()) (is_replay(cell) ? replays : engines_).push_back(cell);
    workload_ = chosen(replays, &Cell::workload, {"throughput", "latency", "setwise", "batch"});
    std::vector<std::string> traces = evidence.imported_traces();
    for (const char* usual : {"search", "game"}) traces.emplace_back(usual);
    trace_ = chosen(replays, &Cell::trace, traces, "random");
    chosen(replays, &Cell::kinds, {"all", "queen", "rook", "bishop", "both"});
    replays_ = one_a_pressure(std::move(replays));
    engines_ = one_a_form(std::move(engines_));
  }

  const std::string& workload() const { return workload_; }
  const std::string& trace() const { return trace_; }
  const std::vector<Cell>& replays() const { return replays_; }
  const std::vector<Cell>& engines() const { return engines_; }

 private:
  /// Keeps the cells with the first of the wished values that there is, else with the first of all but `last`.
  static std::string chosen(std::vector<Cell>& cells, std::string Cell::*key, std::vector<std::string> wished,
                            const std::string& last = "") {
    std::set<std::string> there;
    for (const Cell& cell : cells) there.insert(cell.*key);
    for (const std::string& value : there) {
      if (value != last) wished.push_back(value);
    }
    wished.push_back(last);
    std::string value = first_of(wished, there);
    std::erase_if(cells, [&](const Cell& cell) { return cell.*key != value; });
    return value;
  }

  static bool more_usual(const Cell& a, const Cell& b) {
    return std::pair(a.pages != "4k", a.corunners) < std::pair(b.pages != "4k", b.corunners);
  }

  static std::vector<Cell> one_a_pressure(std::vector<Cell> cells) {
    std::stable_sort(cells.begin(), cells.end(), [](const Cell& a, const Cell& b) {
      const auto key = [](const Cell& cell) { return std::pair(place_of(cell.pressure), number_in(cell.pressure)); };
      if (key(a) != key(b)) return key(a) < key(b);
      return a.pressure != b.pressure ? a.pressure < b.pressure : more_usual(a, b);
    });
    const auto same = [](const Cell& a, const Cell& b) { return a.pressure == b.pressure; };
    cells.erase(std::unique(cells.begin(), cells.end(), same), cells.end());
    return cells;
  }

  /// perft first, then the searches by their networks' widths.
  static std::vector<Cell> one_a_form(std::vector<Cell> cells) {
    std::stable_sort(cells.begin(), cells.end(), [](const Cell& a, const Cell& b) {
      const auto key = [](const Cell& cell) {
        return std::pair(cell.workload != perft_workload, number_in(cell.trace));
      };
      if (key(a) != key(b)) return key(a) < key(b);
      return a.trace != b.trace ? a.trace < b.trace : more_usual(a, b);
    });
    const auto same = [](const Cell& a, const Cell& b) { return a.workload == b.workload && a.trace == b.trace; };
    cells.erase(std::unique(cells.begin(), cells.end(), same), cells.end());
    return cells;
  }

  std::string workload_, trace_;
  std::vector<Cell> replays_, engines_;
};

/// "pext, about 18 % less time than magic_fancy (16 % to 20 % less)": a saving is said of what is decided alone.
std::string against_reference(const Situation& situation, bool decided, const std::string& reference) {
  const double saved = 1 - situation.ratio->value;
  const std::string span = span_of(*situation.ratio), start = situation.method + ", ";
  if (!decided) return start + span + " time than " + reference;
  return start + "about " + percent(saved) + (saved >= 0 ? " less" : " more") + " time than " + reference + " (" +
         span + ")";
}

/// "hyperbola and pext (within 0.7 %), 9 more not ruled out": of those that may be the fastest too, the near ones by
/// name.
std::string tied_text(const Situation& situation, std::vector<std::string> named, const Evidence& evidence) {
  const bool with_method = !named.empty();
  for (const std::string& name : situation.near) {
    if (std::find(named.begin(), named.end(), name) == named.end()) named.push_back(name);
  }
  double within = 0;
  for (const std::string& name : named)
    within = std::max(within, evidence.behind(situation.cell, name, situation.method));
  const std::size_t more = situation.tied_with.size() + (with_method ? 1 : 0) - named.size();
  const std::string word = !named.empty() ? " more" : more == 1 ? " other" : " others";
  std::string others = std::to_string(more) + word + " not ruled out";
  if (named.empty()) return others;
  const bool alone = with_method && named.size() == 1;
  const std::string text = listed(named, 3) + (alone ? "" : " (within " + percent(within) + ")");
  return more == 0 ? text : text + ", " + others;
}

/// What the words say about the best.
std::string words_of(const Situation& situation, bool decided, const Evidence& evidence) {
  const std::string reference = evidence.reference();
  const std::string seen = !situation.resolution ? ""
                           : *situation.resolution > 1
                               ? "; not even a method of twice the time would show"
                               : "; differences below " + percent(*situation.resolution) + " do not show";
  const std::vector<std::string>& tied = situation.tied_with;
  if (situation.method.empty()) {
    return "nothing to choose between " + std::to_string(tied.size()) + " of " + std::to_string(situation.compared) +
           " methods" + seen;
  }
  const bool beside_reference = std::find(tied.begin(), tied.end(), reference) != tied.end();
  if (beside_reference || (situation.method == reference && !tied.empty())) {
    std::vector<std::string> named{situation.method};
    if (beside_reference) named.push_back(reference);
    return "not told apart: " + tied_text(situation, named, evidence) + seen;
  }
  const std::string text = situation.method == reference ? reference + ", and all others take more time"
                                                         : against_reference(situation, decided, reference);
  if (!tied.empty())
    return text + (situation.near.empty() ? ", " : ", tied with ") + tied_text(situation, {}, evidence);
  return text + (situation.verdict == Confidence::sure ? ", sure" : ", not sure" + seen);
}

/// Fills in what the run knows of the best of a cell.
Situation judged(Situation situation, const Evidence& evidence) {
  const Cell& cell = situation.cell;
  const std::string doubt = evidence.doubt(cell);
  const json best = evidence.best(cell, situation.limit_bytes);
  situation.resolution = evidence.resolution(cell);
  situation.second_answer = evidence.second_answer(cell);
  situation.loop_share = evidence.loop_share(cell);
  if (!doubt.empty() || best.is_null()) {
    situation.text = situation.title + ": no answer, " +
                     (doubt.empty() ? "too few process runs to compare methods with each other" : doubt) + ".";
    return situation;
  }
  situation.compared = best.at("compared").get<std::size_t>();
  situation.tied_with = best.at("contenders").get<std::vector<std::string>>();
  situation.verdict = Confidence::unsure;
  const std::size_t may_be = situation.tied_with.size();
  const bool chosen = may_be == 1 || 2 * may_be <= situation.compared;
  const SummaryRow* row = may_be == 0 ? nullptr : evidence.find(cell, situation.tied_with.front());
  if (chosen && row != nullptr && row->ratio) {
    situation.method = row->contender;
    situation.ratio = row->ratio;
    situation.tied_with.erase(situation.tied_with.begin());
    std::copy_if(
        situation.tied_with.begin(), situation.tied_with.end(), std::back_inserter(situation.near),
        [&](const std::string& name) { return evidence.behind(cell, name, situation.method) <= evidence.margin(); });
    if (may_be == 1 && is_decided(*row)) situation.verdict = Confidence::sure;
  }
  situation.text = situation.title + ": " + words_of(situation, row != nullptr && is_decided(*row), evidence) + ".";
  return situation;
}

std::string id_of_replay(const Cell& cell) { return cell.pressure == "isolated" ? "alone" : cell.pressure; }

/// "perft", "duel", "engine", or where several forms of the engine ran "engine_net256".
std::string id_of_engine(const Cell& cell, const std::vector<Cell>& all) {
  if (cell.workload != engine_workload) return cell.workload;
  const auto forms = std::count_if(all.begin(), all.end(), [](const Cell& c) { return c.workload == engine_workload; });
  return forms == 1 ? std::string(engine_workload) : std::string(engine_workload) + "_" + cell.trace;
}

std::string title_of_engine(const Cell& cell) {
  if (cell.workload == perft_workload) return "In perft";
  return cell.workload == duel_cells ? "In a duel of engines" : engine_title(cell.trace);
}

std::vector<Situation> situations_of(const AnsweringCells& cells, const Evidence& evidence) {
  std::vector<Situation> situations;
  const auto named = [](std::string id, std::string title, const Cell& cell) {
    Situation situation;
    situation.id = std::move(id);
    situation.title = std::move(title);
    situation.cell = cell;
    return situation;
  };
  for (const Cell& cell : cells.replays()) {
    situations.push_back(judged(named(id_of_replay(cell), replay_title(cell), cell), evidence));
    if (cell.pressure != "isolated" || situations.back().verdict == Confidence::withheld) continue;
    Situation small = named("small", "In 8 KiB of tables", cell);
    small.limit_bytes = small_tables;
    small = judged(std::move(small), evidence);
    const bool new_answer = small.verdict != Confidence::withheld && small.compared > 1 &&
                            small.compared < situations.back().compared && small.method != situations.back().method;
    if (new_answer) situations.push_back(std::move(small));
  }
  for (const Cell& cell : cells.engines()) {
    situations.push_back(judged(named(id_of_engine(cell, cells.engines()), title_of_engine(cell), cell), evidence));
  }
  return situations;
}

AnswerTable table_of(const std::vector<Situation>& situations, const Evidence& evidence) {
  constexpr std::size_t few = 10;
  std::vector<std::string> methods = evidence.methods();
  if (methods.size() > few) methods = known_methods({methods.begin(), methods.end()});
  AnswerTable table;
  for (const std::string& method : methods) table.rows.push_back({method, evidence.table_bytes(method), {}, {}});
  for (const Situation& situation : situations) {
    if (situation.limit_bytes) continue;  // a part of its cell's column
    table.situations.push_back(situation.id);
    for (AnswerTable::Row& row : table.rows) {
      const SummaryRow* found = evidence.find(situation.cell, row.method);
      const bool shown = found != nullptr && found->ratio && situation.verdict != Confidence::withheld;
      row.ratios.push_back(shown ? std::optional(found->ratio->value) : std::nullopt);
      row.sure.push_back(shown && is_decided(*found));
    }
  }
  return table;
}

constexpr EnumName<Confidence> confidence_names[] = {
    {Confidence::sure, "sure"}, {Confidence::unsure, "unsure"}, {Confidence::withheld, "withheld"}};

json or_null(const std::optional<double>& value) { return value && std::isfinite(*value) ? json(*value) : json(); }

json to_json(const Situation& s) {
  const std::optional<Estimate>& r = s.ratio;
  return {{"id", s.id},
          {"title", s.title},
          {"cell", s.cell},
          {"limit_bytes", s.limit_bytes ? json(*s.limit_bytes) : json()},
          {"method", s.method.empty() ? json() : json(s.method)},
          {"tied_with", s.tied_with},
          {"near", s.near},
          {"compared", s.compared},
          {"verdict", to_string(s.verdict)},
          {"ratio", r ? json(r->value) : json()},
          {"ratio_low", r ? or_null(r->low) : json()},
          {"ratio_high", r ? or_null(r->high) : json()},
          {"resolution", or_null(s.resolution)},
          {"second_answer", or_null(s.second_answer)},
          {"loop_share", or_null(s.loop_share)},
          {"text", s.text}};
}

}  // namespace

std::string to_string(Confidence confidence) { return name_in(confidence_names, confidence); }

Answer make_answer(const std::vector<SummaryRow>& rows, const json& record) {
  const Evidence evidence(rows, record);
  const AnsweringCells cells(evidence);
  Answer answer{evidence.reference(), cells.trace(), cells.workload(), situations_of(cells, evidence), {}};
  answer.table = table_of(answer.situations, evidence);
  return answer;
}

json to_json(const Answer& answer) {
  json situations = json::array(), rows = json::array();
  for (const Situation& situation : answer.situations) situations.push_back(to_json(situation));
  for (const AnswerTable::Row& row : answer.table.rows) {
    json ratios = json::array();
    for (const std::optional<double>& ratio : row.ratios) ratios.push_back(or_null(ratio));
    rows.push_back({{"method", row.method},
                    {"table_bytes", row.table_bytes ? json(*row.table_bytes) : json()},
                    {"ratios", ratios},
                    {"sure", row.sure}});
  }
  return {{"reference", answer.reference},
          {"trace", answer.trace.empty() ? json() : json(answer.trace)},
          {"workload", answer.workload.empty() ? json() : json(answer.workload)},
          {"situations", situations},
          {"table", {{"situations", answer.table.situations}, {"rows", rows}}}};
}

}  // namespace slidebench
