// SPDX-License-Identifier: MIT
#include "harness/run/cells.hpp"

#include <algorithm>

#include "harness/measure/process_run.hpp"
#include "harness/plugin/workload.hpp"

namespace slidebench {
namespace {

/// The value asked for, or the usual one.
std::vector<std::string> or_usual(const std::vector<std::string>& asked, const std::vector<std::string>& usual) {
  return asked.empty() ? usual : asked;
}

/// What a trace lacks that a workload asks about: "sliders", "pieces", or nothing.
std::string lacking(const std::string& workload, const RunTrace& trace) {
  const Workload* known = find_workload(workload);
  if (known == nullptr) return "";
  if (known->needs_sliders() && !trace.has_sliders) return "sliders";
  return known->needs_pieces && !trace.has_pieces ? "pieces" : "";
}

class CellList {
 public:
  explicit CellList(const Circumstances& circumstances) : circumstances_(circumstances) {}

  /// Adds a cell unless it is there already.
  void add(decltype(Cell::what) what) {
    Cell cell{std::move(what), circumstances_.pages, circumstances_.corunners};
    if (std::find(cells_.begin(), cells_.end(), cell) == cells_.end()) cells_.push_back(std::move(cell));
  }

  /// The same of a replay. @param kinds  as an option has them
  void add(std::string_view workload, const std::string& trace, const std::string& pressure = "isolated",
           const std::string& kinds = "all") {
    add(ReplayCell{find_workload(workload), parse_kind(kinds), 0, trace, parse_pressure(pressure)});
  }

  std::vector<Cell> take() { return std::move(cells_); }

 private:
  const Circumstances& circumstances_;
  std::vector<Cell> cells_;
};

/// The first trace of real games or searches; without one the first of all. Precondition: there is one.
const RunTrace& leading_trace(const std::vector<RunTrace>& traces) {
  const auto real = std::find_if(traces.begin(), traces.end(), [](const RunTrace& trace) { return !trace.is_random; });
  return real == traces.end() ? traces.front() : *real;
}

void add_answer_selection(CellList& cells, const std::vector<RunTrace>& traces) {
  if (traces.empty()) return;
  const std::string& trace = leading_trace(traces).named.name;
  cells.add("throughput", trace);
  cells.add("latency", trace);
  for (const char* pressure : {"net0", "net256", "net1024"}) cells.add("throughput", trace, pressure);
}

void add_usual_selection(CellList& cells, const std::vector<RunTrace>& traces) {
  for (const RunTrace& trace : traces) {
    cells.add("throughput", trace.named.name);
    cells.add("latency", trace.named.name);
  }
  if (traces.empty() || leading_trace(traces).is_random) return;
  const RunTrace& real = leading_trace(traces);
  cells.add("throughput", real.named.name, "isolated", "both");
  cells.add("latency", real.named.name, "isolated", "both");
  for (const char* workload : {"setwise", "update"}) {
    if (lacking(workload, real).empty()) cells.add(workload, real.named.name);
  }
  add_answer_selection(cells, traces);
}

void add_combinations(CellList& cells, const Workload& workload, const RunSettings& settings,
                      const std::vector<RunTrace>& traces) {
  std::vector<ReplayCell> asked;
  for (const std::string& kinds : settings.kinds) {
    if (!has_kinds(workload, kinds)) continue;
    Cell cell{.what = ReplayCell{.workload = &workload}};
    read_kinds(cell, kinds);
    asked.push_back(*cell.replay());
  }
  if (asked.empty()) asked.push_back({.workload = &workload});
  for (ReplayCell& cell : asked) {
    for (const RunTrace& trace : traces) {
      if (!lacking(std::string(workload.name), trace).empty()) continue;
      cell.trace = trace.named.name;
      for (const std::string& pressure : or_usual(settings.pressures, {"isolated"})) {
        cell.pressure = parse_pressure(pressure);
        cells.add(cell);
      }
    }
  }
}

bool counts_leaves(const std::string& workload) {
  return workload == perft_workload || workload == cold_perft_workload;
}

constexpr double seconds_of_a_perft = 0.015;

/// A search of so many nodes, which a network slows in proportion to its width, and the shorter one before it.
double search_seconds(const EngineForm& form, const EngineSettings& engine) {
  constexpr double ns_a_node = 300, more_ns_a_neuron = 1.5, with_warm_up = 1.1;
  return 1e-9 * with_warm_up * static_cast<double>(engine.nodes) * (ns_a_node + more_ns_a_neuron * form.net);
}

double ns_a_line(const Touching& part) {
  constexpr double from_a_cache = 1.5, from_memory = 12;
  return part.block_bytes > (std::uint64_t{32} << 20) ? from_memory : from_a_cache;
}

/// Queries from one event to the next, in a search trace.
double queries_an_event(PressureWhen when) {
  switch (when) {
    case PressureWhen::node: return 1.7;
    case PressureWhen::make: return 3;
    case PressureWhen::probe: return 8;
    case PressureWhen::evaluation: break;
  }
  return 20;
}

/// The profile's time; under pressure that of one pass over a segment, if it is longer.
double replay_seconds(const Pressure& pressure, const RunSettings& settings) {
  const Profile& profile = settings.profile;
  const double usual = (profile.sample_ms + profile.warm_up_ms) / 1000;
  if (pressure.chunk_queries > 0) return 2.5 * usual;  // turns of all contenders, on pieces of the trace
  double ns_a_query = pressure.instructions * 0.08;
  for (const Touching& part : pressure.parts) ns_a_query += part.lines * ns_a_line(part) / queries_an_event(part.when);
  const double pass = static_cast<double>(settings.segment_queries) * ns_a_query * 1e-9;
  return std::max(usual, profile.warm_up_ms / 1000 + pass);
}

}  // namespace

bool plays(const std::string& workload) { return workload == engine_workload || counts_leaves(workload); }

bool has_kinds(const Workload& workload, const std::string& kinds) {
  const bool sliders = kinds.find("-slider") != std::string::npos;
  return workload.unit == (sliders ? Workload::Unit::slider : Workload::Unit::query);
}

std::vector<Circumstances> circumstances_of(const RunSettings& settings) {
  std::vector<Circumstances> list;
  for (const std::string& pages : or_usual(settings.pages, {"4k"})) {
    if (settings.corunners.empty()) list.push_back({pages, 0});
    for (const unsigned corunners : settings.corunners) list.push_back({pages, corunners});
  }
  return list;
}

bool replays_traces(const RunSettings& settings) {
  return settings.workloads.empty() || !std::all_of(settings.workloads.begin(), settings.workloads.end(), plays);
}

bool asks_for_engines(const RunSettings& settings) {
  return std::any_of(settings.workloads.begin(), settings.workloads.end(), plays);
}

std::vector<Cell> cells_of(const RunSettings& settings, const std::vector<RunTrace>& traces,
                           const Circumstances& circumstances) {
  CellList cells(circumstances);
  const bool nothing_asked = settings.workloads.empty() && settings.kinds.empty() && settings.pressures.empty();
  if (nothing_asked) add_usual_selection(cells, traces);
  const std::vector<std::string> asked = or_usual(settings.workloads, {"throughput", "latency"});
  for (const std::string& workload : nothing_asked ? std::vector<std::string>{} : asked) {
    if (workload == answer_selection) {
      add_answer_selection(cells, traces);
    } else if (workload == usual_selection) {
      add_usual_selection(cells, traces);
    } else if (counts_leaves(workload)) {
      cells.add(PerftCell{.cold = workload == cold_perft_workload});
    } else if (workload == engine_workload) {
      for (const EngineForm& form : settings.forms) cells.add(SearchCell{form});
    } else {
      add_combinations(cells, *find_workload(workload), settings, traces);
    }
  }
  return cells.take();
}

std::vector<LeftOut> left_out_cells(const RunSettings& settings, const std::vector<RunTrace>& traces) {
  std::vector<std::string> asked;
  for (const std::string& name : settings.workloads) {
    if (name != usual_selection) asked.push_back(name);
  }
  const bool nothing_asked = settings.workloads.empty() && settings.kinds.empty() && settings.pressures.empty();
  const std::size_t named = asked.size();
  if (nothing_asked || named < settings.workloads.size()) asked.insert(asked.end(), {"setwise", "update"});
  std::vector<LeftOut> list;
  for (const char* what : {"sliders", "pieces"}) {
    LeftOut left_out{.what = what, .workloads = {}, .traces = {}};
    for (const RunTrace& trace : traces) {
      bool lacks = false;
      for (std::size_t i = 0; i < asked.size(); ++i) {
        if (lacking(asked[i], trace) != what || (i >= named && trace.is_random)) continue;
        lacks = true;
        std::vector<std::string>& there = left_out.workloads;
        if (std::ranges::find(there, asked[i]) == there.end()) there.push_back(asked[i]);
      }
      if (lacks) left_out.traces.push_back(trace.named.name);
    }
    if (!left_out.traces.empty()) list.push_back(std::move(left_out));
  }
  return list;
}

double sample_seconds(const Cell& cell, const RunSettings& settings) {
  if (const SearchCell* search = cell.search()) return search_seconds(search->form, settings.engine);
  const ReplayCell* replay = cell.replay();
  return replay == nullptr ? seconds_of_a_perft : replay_seconds(replay->pressure, settings);
}

}  // namespace slidebench
