// SPDX-License-Identifier: MIT
#include "harness/run/crossover.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>

namespace slidebench {
namespace {

/// What the cells of a sweep share, in the form of a specification without its lines. Precondition: one part.
std::string sweep_name(const Pressure& pressure) {
  const std::string work = pressure.instructions == 0 ? "" : "+" + std::to_string(pressure.instructions) + "/query";
  return block_text(pressure.parts.front()) + work;
}

/// A replaying cell with a name in place of its pressure.
Cell with_pressure(const Cell& cell, const std::string& name) {
  ReplayCell replay = *cell.replay();
  replay.pressure = {};
  replay.pressure.name = name;
  return {replay, cell.pages, cell.corunners};
}

/// A contender's log ratios to the reference along a sweep: a place of the sweep each, by process run. Empty if it is
/// missing somewhere.
std::vector<ByProcessRun> ratios_along(const PressureSweep& sweep, const std::string& contender) {
  std::vector<ByProcessRun> along;
  for (const CellSamples* cell : sweep.cells) {
    const ContenderSamples* reference = cell->find(ContenderRole::reference);
    const auto found = cell->contenders.find(contender);
    if (reference == nullptr || found == cell->contenders.end()) return {};
    along.push_back(compared(found->second, *reference));
    if (along.back().empty()) return {};
  }
  return along;
}

/// The differences of two contenders: a place of the sweep each, one number per process run.
std::vector<std::vector<double>> differences(const std::vector<ByProcessRun>& a, const std::vector<ByProcessRun>& b) {
  std::vector<ByProcessRun> together = a;
  together.insert(together.end(), b.begin(), b.end());
  const auto common = common_process_runs(together);
  std::vector<std::vector<double>> places;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::vector<double>& place = places.emplace_back();
    for (std::size_t l = 0; l < common[i].size(); ++l) place.push_back(common[i][l] - common[a.size() + i][l]);
  }
  return places;
}

/// The difference of two contenders along a sweep, between its places interpolated process run by process run.
class Curve {
 public:
  Curve(std::vector<double> x, std::vector<std::vector<double>> y, const Protocol& protocol)
      : x_(std::move(x)), y_(std::move(y)), protocol_(protocol) {}

  Estimate at(double x) const {
    const auto above = std::clamp<std::ptrdiff_t>(std::lower_bound(x_.begin(), x_.end(), x) - x_.begin(), 1,
                                                  static_cast<std::ptrdiff_t>(x_.size()) - 1);
    const auto right = static_cast<std::size_t>(above);
    const double share = (x - x_[right - 1]) / (x_[right] - x_[right - 1]);
    std::vector<double> process_runs;
    for (std::size_t l = 0; l < y_[right].size(); ++l) {
      process_runs.push_back(std::lerp(y_[right - 1][l], y_[right][l], share));
    }
    return mean_interval(process_runs, usual_error, protocol_.inference);
  }

  /// From a root, how far in steps of this size the curve might still be zero; infinite up to the end.
  double reach_from(double root, double step) const {
    for (double x = root; x >= x_.front() && x <= x_.back(); x += step) {
      const Estimate e = at(x);
      if (e.low > 0 || e.high < 0) return x;
    }
    return step < 0 ? -INFINITY : INFINITY;
  }

 private:
  std::vector<double> x_;
  std::vector<std::vector<double>> y_;
  const Protocol& protocol_;
};

std::optional<Crossing> crossing_of(const std::vector<double>& x, const std::vector<std::vector<double>>& y,
                                    const Protocol& protocol) {
  constexpr double step = 1.0 / 256;  // on the scale of log2(1 + lines): a quarter of a per cent
  if (y.front().size() < 2) return std::nullopt;
  std::vector<double> middle;
  for (const auto& process_runs : y)
    middle.push_back(mean_interval(process_runs, usual_error, protocol.inference).value);
  const std::vector<double> roots = sign_changes(x, middle);
  if (roots.size() != 1) return std::nullopt;  // several: two contenders that cannot be told apart
  const Curve curve(x, y, protocol);
  const double low = curve.reach_from(roots[0], -step), high = curve.reach_from(roots[0], step);
  if (std::isinf(low) && std::isinf(high)) return std::nullopt;
  const auto lines_at = [](double place) { return std::isinf(place) ? place : std::exp2(place) - 1; };
  Crossing crossing{{}, {}, {}, middle.front() < 0, {lines_at(roots[0]), lines_at(low), lines_at(high)}};
  return crossing;
}

/// The contenders that have the least time somewhere along a sweep.
std::set<std::string> leaders_of(const std::map<std::string, std::vector<ByProcessRun>>& contenders,
                                 std::size_t places) {
  std::set<std::string> leaders;
  for (std::size_t i = 0; i < places; ++i) {
    const auto mean = [i](const auto& contender) {
      const std::vector<double> values = values_of(contender.second[i]);
      return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    };
    const auto first = std::min_element(contenders.begin(), contenders.end(),
                                        [&mean](const auto& a, const auto& b) { return mean(a) < mean(b); });
    leaders.insert(first->first);
  }
  return leaders;
}

}  // namespace

std::vector<double> sign_changes(const std::vector<double>& x, const std::vector<double>& y) {
  std::vector<double> places;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    if ((y[i] < 0) == (y[i + 1] < 0)) continue;
    places.push_back(x[i] + (x[i + 1] - x[i]) * y[i] / (y[i] - y[i + 1]));
  }
  return places;
}

std::vector<PressureSweep> find_sweeps(const std::vector<CellSamples>& cells) {
  struct Points {
    std::uint32_t instructions = 0;
    std::map<double, const CellSamples*> by_lines;
  };
  std::map<std::pair<Cell, std::string>, Points> touched;
  std::map<std::pair<Cell, std::uint32_t>, const CellSamples*> untouched;  // by the other work
  for (const CellSamples& cell : cells) {
    if (cell.cell.replay() == nullptr) continue;  // the engine brings its own pressure
    const Pressure& pressure = cell.cell.replay()->pressure;
    const Cell circumstances = with_pressure(cell.cell, "");
    if (pressure.parts.size() == 1) {
      Points& points = touched[{circumstances, sweep_name(pressure)}];
      points.instructions = pressure.instructions;
      points.by_lines[pressure.parts.front().lines] = &cell;
    } else if (!pressure.touches() && pressure.chunk_queries == 0) {
      untouched[{circumstances, pressure.instructions}] = &cell;
    }
  }
  std::vector<PressureSweep> sweeps;
  for (auto& [key, points] : touched) {
    const auto alone = untouched.find({key.first, points.instructions});
    if (points.by_lines.size() < 2 || alone == untouched.end()) continue;
    points.by_lines[0] = alone->second;
    PressureSweep sweep{key.second, {}, {}};
    for (const auto& [lines, cell] : points.by_lines) {
      sweep.lines.push_back(lines);
      sweep.cells.push_back(cell);
    }
    sweeps.push_back(std::move(sweep));
  }
  return sweeps;
}

std::vector<Crossing> find_crossings(const PressureSweep& sweep, const Protocol& protocol) {
  std::vector<double> x;
  for (const double lines : sweep.lines) x.push_back(std::log2(1 + lines));
  std::map<std::string, std::vector<ByProcessRun>> contenders;
  std::string reference;
  for (const auto& [name, contender] : sweep.cells.front()->contenders) {
    if (contender.first.role != ContenderRole::method && contender.first.role != ContenderRole::reference) continue;
    std::vector<ByProcessRun> along = ratios_along(sweep, name);
    if (along.empty()) continue;
    if (contender.first.role == ContenderRole::reference) reference = name;
    contenders.emplace(name, std::move(along));
  }
  if (reference.empty()) return {};
  const std::set<std::string> leaders = leaders_of(contenders, x.size());
  std::vector<Crossing> crossings;
  for (const auto& [a, along_a] : contenders) {
    for (const auto& [b, along_b] : contenders) {
      const bool both_lead = a < b && a != reference && leaders.contains(a) && leaders.contains(b);
      if (a == b || (b != reference && !both_lead)) continue;
      auto crossing = crossing_of(x, differences(along_a, along_b), protocol);
      if (!crossing) continue;
      crossing->cell = with_pressure(sweep.cells.front()->cell, sweep.name);
      crossing->contender = a;
      crossing->against = b;
      crossings.push_back(std::move(*crossing));
    }
  }
  return crossings;
}

}  // namespace slidebench
