// SPDX-License-Identifier: MIT
#include "harness/answer/answer.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <tuple>

#include "harness/answer/words.hpp"
#include "harness/base/enum_names.hpp"
#include "harness/base/json_optional.hpp"
#include "harness/base/text_output.hpp"
#include "harness/plugin/known_methods.hpp"
#include "harness/statistics/comparison.hpp"
#include "harness/statistics/results_json.hpp"

namespace slidebench {

static void to_json(nlohmann::json& to, const Situation& situation);
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(AnswerTable::Row, method, table_bytes, ratios, sure, l1d_misses)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(AnswerTable, situations, misses_of, misses_source, rows)

namespace {

using nlohmann::json;

constexpr std::size_t small_tables = std::size_t{8} << 10;

/// The usual pressures in the order of the answer, with their titles.
struct PressureTitle {
  std::string_view pressure;
  std::string_view title;
};
constexpr PressureTitle pressure_titles[] = {
    {"isolated", "In a loop"},
    {"lukewarm", "In turn with the other methods' tables"},
    {"light", "Replayed with 64 scattered cache lines per node"},
    {"net0", "Replayed without a network"},
    {"net256", "Replayed with a network of 256"},
    {"net1024", "Replayed with a network of 1,024"},
    {"nnue", "Replayed with 768 cache lines of a network"},
    {"nnue-xl", "Replayed with 1,536 cache lines of a network"},
};

std::size_t place_of(std::string_view pressure) {
  const auto found = std::find_if(std::begin(pressure_titles), std::end(pressure_titles),
                                  [pressure](const PressureTitle& known) { return known.pressure == pressure; });
  return static_cast<std::size_t>(found - std::begin(pressure_titles));
}

/// How much a pressure does at once, by which a sweep is sorted.
std::pair<std::uint32_t, std::uint64_t> amount_of(const Pressure& pressure) {
  return {pressure.parts.empty() ? pressure.instructions : pressure.parts.front().lines, pressure.block_bytes()};
}

/// The width of the network that a cell has in it or beside it; absent for another cell.
std::optional<unsigned> network_of(const Cell& cell) {
  if (const SearchCell* search = cell.search()) return search->form.net;
  for (const PressurePreset& preset : pressure_presets) {
    if (cell.replay() != nullptr && preset.name == cell.replay()->pressure.name) return preset.network;
  }
  return std::nullopt;
}

std::string replay_title(const Cell& of) {
  const ReplayCell& cell = *of.replay();
  const std::string& pressure = cell.pressure.name;
  const std::size_t place = place_of(pressure);
  std::string title = place < std::size(pressure_titles) ? std::string(pressure_titles[place].title)
                                                         : "Replayed with other reads (" + pressure + ")";
  const auto is = [&cell](std::string_view name) { return cell.workload->name == name; };
  if (names_of(of).trace == "random") title += " over random boards";
  if (is("latency")) title += ", each query waiting for the last";
  if (is("update")) title += ", moves made and taken back";
  if (cell.workload->oracle != nullptr) title += ", " + std::string(cell.workload->what);
  if (is("setwise")) title += ", all sliders of a side at once";
  if (is("batch"))
    title += ", " + (cell.sliders == 0 ? "all sliders" : names_of(of).kinds) + " of a position at once, each apart";
  return title;
}

/// "In a search with a network of 1,024".
std::string engine_title(const EngineForm& form) {
  const std::string batches = form.batch ? ", in batches" : "";
  if (form.net == 0) return "In a search without a network" + batches;
  return "In a search with a network of " + with_commas(form.net) + (form.threats ? " with threats" : "") + batches;
}

/// Whether a method takes part in a comparison, with the chosen reference or, where that was not measured, another.
bool is_compared(const SummaryRow& row) {
  const bool method = row.role == ContenderRole::method || row.role == ContenderRole::reference;
  return method && (row.ratio || row.best);
}

/// The rows and the record of a run, asked cell by cell.
class Known {
 public:
  Known(const std::vector<SummaryRow>& rows, const json& record)
      : rows_(rows), record_(record), bests_(record.value("bests", json::array())) {
    if (record_.contains("checks")) record_.at("checks").get_to(checks_);
  }

  const SummaryRow* find(const Cell& cell, const std::string& contender) const {
    return first([&](const SummaryRow& row) { return row.cell == cell && row.contender == contender; });
  }

  const SummaryRow* find(const Cell& cell, ContenderRole role) const {
    return first([&](const SummaryRow& row) { return row.cell == cell && row.role == role; });
  }

  std::string reference() const {
    const SummaryRow* found = first([](const SummaryRow& row) { return row.role == ContenderRole::reference; });
    return found == nullptr ? std::string(reference_method) : found->contender;
  }

  /// Cells in which methods are compared, in the order of the summary.
  std::vector<Cell> cells() const { return compared(&SummaryRow::cell); }

  /// How many methods a cell compares with the reference.
  std::size_t methods_in(const Cell& cell) const {
    return static_cast<std::size_t>(std::count_if(rows_.begin(), rows_.end(), [&cell](const SummaryRow& row) {
      return row.cell == cell && row.role == ContenderRole::method && row.judged;
    }));
  }

  Inference inference() const {
    const bool sequence = record_.value("inference", json::object()).value("interval", "") == "confidence-sequence";
    return sequence ? Inference::sequential : Inference::fixed;
  }

  /// Ids of the compared methods, in the order of the first cell.
  std::vector<std::string> methods() const { return compared(&SummaryRow::contender); }

  /// Traces of the user's own engine.
  std::vector<std::string> imported_traces() const {
    std::vector<std::string> names;
    for (const json& trace : record_.value("traces", json::array())) {
      const json provenance = trace.value("provenance", json::object());
      if (provenance.value("kind", "") == "import") names.push_back(trace.value("name", ""));
    }
    return names;
  }

  /// Those that may be the fastest of a cell, within a limit; null if the run compared none.
  const BestOfCell* best(const Cell& cell, const std::optional<std::size_t>& limit) const {
    const auto found = std::find_if(bests_.begin(), bests_.end(), [&](const BestOfCell& best) {
      return best.cell == cell && best.limit_bytes == limit;
    });
    return found == bests_.end() ? nullptr : &*found;
  }

  /// How much more time than another method one takes in a cell; endless where that was not measured.
  double behind(const Cell& cell, const std::string& method, const std::string& other) const {
    const SummaryRow *slower = find(cell, method), *faster = find(cell, other);
    const bool known = slower != nullptr && faster != nullptr && slower->ratio && faster->ratio;
    return known ? slower->ratio->value / faster->ratio->value - 1 : INFINITY;
  }

  /// Times that differ by no more than this share count as equal.
  double margin() const { return record_.value("inference", json::object()).value("margin", Protocol{}.margin); }

  std::optional<std::size_t> table_bytes(const std::string& method) const {
    for (const json& known : record_.value("methods", json::array())) {
      if (known.at("id") != method || known.at("table_bytes").is_null()) continue;
      return known.at("table_bytes").get<std::size_t>();
    }
    return std::nullopt;
  }

  /// Why a cell is not to be believed; empty if it is.
  std::string doubt(const Cell& cell) const {
    const auto failed = [&cell](const auto& check) {
      return check.cell == cell && check.result == CheckResult::failed;
    };
    const auto twin = std::find_if(checks_.twins.begin(), checks_.twins.end(), failed);
    if (twin != checks_.twins.end())
      return fmt::format("identical code measured {} apart here (the A/A control failed)",
                         percent(twin->ratio.value - 1));
    const auto control = std::find_if(checks_.controls.begin(), checks_.controls.end(), failed);
    if (control != checks_.controls.end())
      return fmt::format("a cost of {:.0f} % was measured as {:.1f} here (the positive control failed)",
                         100 * (control->expected - 1), 100 * (control->ratio.value - 1));
    const bool is_void = std::any_of(rows_.begin(), rows_.end(), [&](const SummaryRow& row) {
      return row.cell == cell && row.verdict == Verdict::void_cell;
    });
    return is_void ? "the empty loop came out slower than a method here" : "";
  }

  /// The detection limit of a typical method: by the median interval of those that were measured to the end.
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
      if (usable) halves.push_back(std::log(interval->high / interval->low) / 2);
    }
    if (!bound || halves.empty()) return bound;
    const auto middle = halves.begin() + static_cast<std::ptrdiff_t>(halves.size() / 2);
    std::nth_element(halves.begin(), middle, halves.end());
    return Scatter{margin(), *bound, *middle}.unseen();
  }

  /// What a difference of a row from the reference has to stand out from; absent without an A/A control or an interval.
  /// Of the reference itself that of the next one in its cell.
  std::optional<Scatter> scatter(const SummaryRow& row) const {
    const SummaryRow* reference = find(row.cell, ContenderRole::reference);
    const SummaryRow* own = &row;
    for (const SummaryRow& other : rows_) {
      if (own->role != ContenderRole::reference) break;
      if (other.cell == row.cell && other.role == ContenderRole::method && other.judged) own = &other;
    }
    const std::optional<Estimate>& interval = own->judged ? own->judged : own->ratio;
    const bool usable = interval && interval->low > 0 && has_interval(*interval);
    if (!usable || reference == nullptr || !reference->aa_bound) return std::nullopt;
    return Scatter{margin(), *reference->aa_bound, std::log(interval->high / interval->low) / 2};
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
  template <class Wanted>
  const SummaryRow* first(Wanted wanted) const {
    const auto found = std::ranges::find_if(rows_, wanted);
    return found == rows_.end() ? nullptr : &*found;
  }

  /// What the compared rows have, each once.
  template <class Value>
  std::vector<Value> compared(Value SummaryRow::*key) const {
    std::vector<Value> values;
    for (const SummaryRow& row : rows_) {
      if (is_compared(row) && std::ranges::find(values, row.*key) == values.end()) values.push_back(row.*key);
    }
    return values;
  }

  const std::vector<SummaryRow>& rows_;
  const json& record_;
  std::vector<BestOfCell> bests_;
  RunChecks checks_;
};

/// Keeps the cells with the first of the wished values that there is, else with the first of all but `last`.
std::string keep_first(std::vector<Cell>& cells, std::string CellText::*key, std::vector<std::string> wished,
                       const std::string& last = "") {
  std::set<std::string> there;
  for (const Cell& cell : cells) there.insert(names_of(cell).*key);
  for (const std::string& value : there) {
    if (value != last) wished.push_back(value);
  }
  wished.push_back(last);
  const auto found = std::ranges::find_if(wished, [&](const std::string& value) { return there.contains(value); });
  std::string value = found == wished.end() ? "" : *found;
  std::erase_if(cells, [&](const Cell& cell) { return names_of(cell).*key != value; });
  return value;
}

/// Sorts cells, and keeps of those with the same key the most usual one.
template <class Key>
void keep_usual(std::vector<Cell>& cells, Key key) {
  std::ranges::stable_sort(cells, {},
                           [&](const Cell& cell) { return std::tuple(key(cell), cell.pages != "4k", cell.corunners); });
  const auto same = [&](const Cell& a, const Cell& b) { return key(a) == key(b); };
  cells.erase(std::unique(cells.begin(), cells.end(), same), cells.end());
}

/// The cells that answer: of one trace, one workload and one kind of query the replayed ones, and those of the engine.
struct AnsweringCells {
  explicit AnsweringCells(const Known& run) {
    for (const Cell& cell : run.cells()) (cell.replay() != nullptr ? replays : engines).push_back(cell);
    workload = keep_first(replays, &CellText::workload, {"throughput", "latency", "setwise", "batch", "update"});
    std::vector<std::string> traces = run.imported_traces();
    traces.insert(traces.end(), {"search", "game"});
    trace = keep_first(replays, &CellText::trace, traces, "random");
    keep_first(replays, &CellText::kinds, {"all", "queen", "rook", "bishop", "both"});
    keep_usual(replays, [](const Cell& cell) {
      const Pressure& pressure = cell.replay()->pressure;
      return std::tuple(place_of(pressure.name), amount_of(pressure), pressure.name);
    });
    keep_usual(engines, [](const Cell& cell) {  // perft first, then the searches by their networks' widths
      const CellText names = names_of(cell);
      return std::tuple(cell.perft() == nullptr, network_of(cell).value_or(0), names.workload, names.trace);
    });
  }

  std::string workload, trace;
  std::vector<Cell> replays, engines;
};

std::string unseen_text(const Situation& situation) {
  if (!situation.scatter) return "";
  const double unseen = situation.scatter->unseen();
  return unseen > 1 ? "detection limit above 100 %" : "detection limit " + percent(unseen);
}

/// "no other is tied", "tied with 15 others, nearest hyperbola_gfni".
std::string others_text(const Situation& situation) {
  const std::size_t others = situation.tied_with.size();
  if (others == 0) return "no other is tied";
  const std::string text = fmt::format("tied with {} other{}", others, others == 1 ? "" : "s");
  if (others == 1) return text + ": " + situation.tied_with.front();
  return situation.near.empty() ? text : text + ", nearest " + situation.near.front();
}

/// What the comparison with the reference, and that of the best with each other, say together.
AnswerLine line_of(const Situation& situation, const SummaryRow& least, const Known& run) {
  const std::string reference = run.reference();
  if (!situation.method.empty())
    return {situation.method, situation.method == reference ? "" : change_of(*situation.ratio), others_text(situation)};
  const std::string seen = least.contender == reference
                               ? others_text(situation)
                               : "least: " + least.contender + " " + change_of(*situation.ratio);
  if (least.verdict == Verdict::equivalent) return {"equal within " + percent(run.margin()), "", seen};
  const std::string unseen = unseen_text(situation);
  return {"no significant difference", "", unseen.empty() ? seen : unseen + "; " + seen};
}

Situation without_answer(Situation situation, const std::string& why) {
  situation.line = {"no answer", "", why};
  situation.text = situation.title + ": no answer, " + why + ".";
  return situation;
}

/// Whether the row is shown to differ from the reference, or is the reference and nothing is as fast.
bool is_shown(const SummaryRow& least, const Situation& situation, const std::string& reference) {
  const auto& tied = situation.tied_with;
  if (least.contender == reference) return tied.empty();
  const bool differs = least.verdict == Verdict::faster || least.verdict == Verdict::slower;  // in small tables alone
  return differs && std::find(tied.begin(), tied.end(), reference) == tied.end();
}

/// Of those that may be the fastest, the least ratio first: the first that is shown to be faster than the reference,
/// unless that is among them; else the first. Null where there is none.
const SummaryRow* best_shown(const std::vector<std::string>& contenders, const Known& run, const Cell& cell) {
  const SummaryRow* least = contenders.empty() ? nullptr : run.find(cell, contenders.front());
  if (std::find(contenders.begin(), contenders.end(), run.reference()) != contenders.end()) return least;
  for (const std::string& name : contenders) {
    const SummaryRow* row = run.find(cell, name);
    if (row != nullptr && row->ratio && row->verdict == Verdict::faster) return row;
  }
  return least;
}

/// A row's ratio with its interval among all of the cell's, because the row was chosen by its time. The verdict's by
/// itself does not hold then: where others are decided, Holm's rule narrows it. A verdict's own bound holds with the
/// others (K. Strassburger and F. Bretz, Compatible Simultaneous Lower Confidence Bounds for the Holm Procedure, 2008).
Estimate chosen_ratio(const SummaryRow& row, const Known& run) {
  if (!row.judged || !has_interval(*row.judged)) return *row.ratio;
  const Estimate log{std::log(row.ratio->value), std::log(row.ratio->low), std::log(row.ratio->high)};
  const Estimate all = exponential(simultaneous(log, row.process_runs, run.methods_in(row.cell), run.inference()));
  Estimate among{row.ratio->value, std::min(row.judged->low, all.low), std::max(row.judged->high, all.high)};
  if (row.verdict == Verdict::faster) among.high = std::min(among.high, 1.0);
  if (row.verdict == Verdict::slower) among.low = std::max(among.low, 1.0);
  return among;
}

/// The share of the reference's time that the fastest method may save; it is one of the contenders.
std::optional<double> most_gain(const std::vector<std::string>& contenders, const Known& run, const Cell& cell) {
  std::optional<double> gain;
  for (const std::string& name : contenders) {
    const SummaryRow* row = run.find(cell, name);
    if (row == nullptr || !row->ratio || !has_interval(chosen_ratio(*row, run))) continue;
    gain = std::max({gain.value_or(0), 1 - chosen_ratio(*row, run).low});
  }
  return gain;
}

/// Fills in what the run knows of the best of a cell.
Situation judged(Situation situation, const Known& run) {
  const Cell& cell = situation.cell;
  if (run.find(cell, ContenderRole::reference) == nullptr)
    return without_answer(std::move(situation), run.reference() + " was not measured here");
  const std::string doubt = run.doubt(cell);
  const BestOfCell* best = run.best(cell, situation.limit_bytes);
  situation.resolution = run.resolution(cell);
  situation.second_answer = run.second_answer(cell);
  situation.loop_share = run.loop_share(cell);
  if (!doubt.empty() || best == nullptr) {
    return without_answer(std::move(situation),
                          doubt.empty() ? "too few process runs to compare methods, or the folder keeps none" : doubt);
  }
  situation.compared = best->compared;
  situation.tied_with = best->contenders;
  const SummaryRow* row = best_shown(situation.tied_with, run, cell);
  if (row == nullptr || !row->ratio) return without_answer(std::move(situation), "nothing was compared here");
  situation.verdict = Confidence::unsure;
  situation.least = row->contender;
  situation.ratio = chosen_ratio(*row, run);
  situation.most_gain = most_gain(situation.tied_with, run, cell);
  std::erase(situation.tied_with, situation.least);
  std::copy_if(situation.tied_with.begin(), situation.tied_with.end(), std::back_inserter(situation.near),
               [&](const std::string& name) { return run.behind(cell, name, situation.least) <= run.margin(); });
  situation.scatter = run.scatter(*row);
  if (is_shown(*row, situation, run.reference())) situation.method = row->contender;
  if (!situation.method.empty() && situation.tied_with.empty()) situation.verdict = Confidence::sure;
  situation.line = line_of(situation, *row, run);
  situation.text = situation.title + ": " + situation.line.text() + ".";
  return situation;
}

/// "perft", "duel", "engine", or where several forms of the engine ran "engine_net256".
std::string id_of_engine(const Cell& cell, const std::vector<Cell>& all) {
  if (cell.search() == nullptr) return names_of(cell).workload;
  const auto forms = std::count_if(all.begin(), all.end(), [](const Cell& c) { return c.search() != nullptr; });
  return std::string(engine_workload) + (forms == 1 ? "" : "_" + to_string(cell.search()->form));
}

std::string title_of_engine(const Cell& cell) {
  if (cell.search() != nullptr) return engine_title(cell.search()->form);
  if (cell.perft() != nullptr) return cell.perft()->cold ? "In perft with cold tables" : "In perft";
  return "In a duel of engines";
}

Situation named(std::string id, std::string title, const Cell& cell) {
  Situation situation;
  situation.id = std::move(id);
  situation.title = std::move(title);
  situation.cell = cell;
  const SearchCell* search = cell.search();
  situation.searched = search != nullptr;
  if (search == nullptr || !(search->form.threats || search->form.batch)) situation.network = network_of(cell);
  return situation;
}

std::vector<Situation> replays_of(const AnsweringCells& cells, const Known& run) {
  std::vector<Situation> situations;
  for (const Cell& cell : cells.replays) {
    const Pressure& pressure = cell.replay()->pressure;
    situations.push_back(
        judged(named(pressure.isolated() ? "isolated" : pressure.name, replay_title(cell), cell), run));
    if (!pressure.isolated() || situations.back().verdict == Confidence::withheld) continue;
    Situation small = named("small", "In 8 KiB of tables", cell);
    small.limit_bytes = small_tables;
    small = judged(std::move(small), run);
    const bool new_answer = small.verdict != Confidence::withheld && small.compared > 1 &&
                            small.compared < situations.back().compared && small.least != situations.back().least;
    if (new_answer) situations.push_back(std::move(small));
  }
  return situations;
}

std::vector<Situation> engines_of(const AnsweringCells& cells, const Known& run) {
  std::vector<Situation> situations;
  for (const Cell& cell : cells.engines)
    situations.push_back(judged(named(id_of_engine(cell, cells.engines), title_of_engine(cell), cell), run));
  return situations;
}

/// The search with the widest network; else the replay that stands for it; else the last situation.
std::string deciding_of(const std::vector<Situation>& situations) {
  const Situation* best = nullptr;
  const auto key = [](const Situation& s) { return std::tuple(s.network > 0u, s.searched, s.network); };
  for (const Situation& s : situations) {
    if (s.network && (best == nullptr || key(*best) < key(s))) best = &s;
  }
  if (best != nullptr) return best->id;
  return situations.empty() ? "" : situations.back().id;
}

std::vector<std::string> methods_shown(const Answer& answer, std::vector<std::string> all) {
  constexpr std::size_t few = 10;
  if (all.size() <= few) return all;
  std::set<std::string> shown{answer.reference};
  for (const Situation& situation : answer.situations) shown.insert(situation.least);
  for (const std::string& method : known_methods({all.begin(), all.end()})) shown.insert(method);
  std::erase_if(all, [&](const std::string& id) { return !shown.contains(id); });
  return all;
}

/// The misses of the situation that decides, or of the first that has some: counted ones before simulated ones.
void add_misses(AnswerTable& table, const Answer& answer, const Known& run) {
  std::vector<const Situation*> order;
  for (const Situation& situation : answer.situations) {
    if (!situation.limit_bytes) order.push_back(&situation);
  }
  std::stable_partition(order.begin(), order.end(), [&](const Situation* s) { return s->id == answer.deciding; });
  for (const char* source : {"measured", "simulated"}) {
    for (const Situation* situation : order) {
      for (AnswerTable::Row& row : table.rows) {
        const SummaryRow* found = run.find(situation->cell, row.method);
        if (found == nullptr || !found->l1d_misses || found->l1d_misses->source != source) continue;
        row.l1d_misses = found->l1d_misses->value;
        table.misses_of = situation->id;
        table.misses_source = source;
      }
      if (!table.misses_of.empty()) return;
    }
  }
}

AnswerTable table_of(const Answer& answer, const Known& run) {
  AnswerTable table;
  for (const std::string& method : methods_shown(answer, run.methods()))
    table.rows.push_back({method, run.table_bytes(method), {}, {}, {}});
  for (const Situation& situation : answer.situations) {
    if (situation.limit_bytes) continue;  // a part of its cell's column
    table.situations.push_back(situation.id);
    for (AnswerTable::Row& row : table.rows) {
      const SummaryRow* found = run.find(situation.cell, row.method);
      const bool shown = found != nullptr && found->ratio && situation.verdict != Confidence::withheld;
      row.ratios.push_back(shown ? std::optional(found->ratio->value) : std::nullopt);
      row.sure.push_back(shown && is_decided(*found));
      row.equal.push_back(shown && found->verdict == Verdict::equivalent);
    }
  }
  add_misses(table, answer, run);
  return table;
}

constexpr EnumName<Confidence> confidence_names[] = {
    {Confidence::sure, "sure"}, {Confidence::unsure, "unsure"}, {Confidence::withheld, "withheld"}};

}  // namespace

static void to_json(json& to, const Situation& s) {
  const std::optional<Estimate>& r = s.ratio;
  to = {{"id", s.id},
        {"title", s.title},
        {"cell", s.cell},
        {"limit_bytes", s.limit_bytes},
        {"method", s.method.empty() ? json() : json(s.method)},
        {"least", s.least.empty() ? json() : json(s.least)},
        {"shown", !s.method.empty()},
        {"tied_with", s.tied_with},
        {"near", s.near},
        {"compared", s.compared},
        {"measured", s.measured},
        {"most_gain", s.most_gain},
        {"verdict", name_in(confidence_names, s.verdict)},
        {"ratio", r ? json(r->value) : json()},
        {"ratio_low", r ? json(r->low) : json()},
        {"ratio_high", r ? json(r->high) : json()},
        {"resolution", s.resolution},
        {"unseen", s.scatter ? json(s.scatter->unseen()) : json()},
        {"second_answer", s.second_answer},
        {"loop_share", s.loop_share},
        {"line", {{"what", s.line.what}, {"change", s.line.change}, {"rest", s.line.rest}}},
        {"text", s.text}};
}

double Scatter::unseen(double narrowed) const {
  return std::expm1(std::max(std::log1p(margin), narrowed * std::log1p(aa_bound)) + narrowed * half);
}

std::string AnswerLine::text() const {
  std::string text = what;
  if (!change.empty()) text += " " + change;
  return rest.empty() ? text : text + ", " + rest;
}

Answer make_answer(const std::vector<SummaryRow>& rows, const json& record) {
  const Known run(rows, record);
  const AnsweringCells cells(run);
  Answer answer{run.reference(), cells.trace, cells.workload, {}, replays_of(cells, run), {}};
  for (Situation& situation : engines_of(cells, run)) answer.situations.push_back(std::move(situation));
  for (Situation& situation : answer.situations) situation.measured = run.methods().size();
  answer.table = table_of(answer, run);
  decide_by(answer, deciding_of(answer.situations));
  return answer;
}

void decide_by(Answer& answer, const std::string& situation) {
  answer.deciding = situation;
  const std::vector<std::string>& columns = answer.table.situations;
  const auto column = static_cast<std::size_t>(std::ranges::find(columns, situation) - columns.begin());
  if (column == columns.size()) return;
  // The least time on top; what was not measured there at the end.
  std::ranges::stable_sort(answer.table.rows, {},
                           [column](const AnswerTable::Row& row) { return row.ratios[column].value_or(INFINITY); });
}

json to_json(const Answer& answer) {
  return {{"reference", answer.reference},
          {"trace", answer.trace.empty() ? json() : json(answer.trace)},
          {"workload", answer.workload.empty() ? json() : json(answer.workload)},
          {"deciding", answer.deciding.empty() ? json() : json(answer.deciding)},
          {"situations", answer.situations},
          {"table", answer.table}};
}

}  // namespace slidebench
