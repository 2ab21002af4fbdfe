// SPDX-License-Identifier: MIT
#include "harness/timing/crossover.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "harness/plugin/pressure.hpp"
#include "harness/timing/workload.hpp"

namespace slidebench {
namespace {

constexpr unsigned crossing_resamples = 2000;
constexpr double enough_certainty = 0.9;

/// What the cells of a sweep share, in the form of a specification without its lines.
std::string sweep_name(const Pressure& pressure) {
  std::string block;
  if (pressure.block_bytes % (1u << 20) == 0) {
    block = std::to_string(pressure.block_bytes >> 20) + "M";
  } else if (pressure.block_bytes % (1u << 10) == 0) {
    block = std::to_string(pressure.block_bytes >> 10) + "K";
  } else {
    block = std::to_string(pressure.block_bytes);
  }
  return block + (pressure.when == PressureWhen::node ? "/node/" : "/eval/") +
         (pressure.pattern == PressurePattern::rows ? "rows" : "random");
}

std::vector<double> one_resample(const std::vector<Launches>& ratios, std::mt19937_64& random) {
  std::vector<double> medians;
  for (const Launches& launches : ratios) {
    std::vector<double> drawn;
    for (std::size_t l = 0; l < launches.size(); ++l) {
      const std::vector<double>& rounds = launches[draw(random, launches.size())];
      for (std::size_t r = 0; r < rounds.size(); ++r) drawn.push_back(rounds[draw(random, rounds.size())]);
    }
    medians.push_back(median(std::move(drawn)));
  }
  return medians;
}

/// The log ratios of an arm at each point of a sweep; empty if it is missing somewhere.
std::vector<Launches> ratios_along(const PressureSweep& sweep, const std::string& arm) {
  std::vector<Launches> ratios;
  for (const CellSamples* cell : sweep.cells) {
    const ArmSamples* reference = cell->find(ArmRole::reference);
    const auto found = cell->arms.find(arm);
    if (reference == nullptr || found == cell->arms.end()) return {};
    ratios.push_back(log_ratios(found->second, *reference));
    if (ratios.back().empty()) return {};
  }
  return ratios;
}

double median_of(const Launches& launches) {
  std::vector<double> all;
  for (const auto& rounds : launches) all.insert(all.end(), rounds.begin(), rounds.end());
  return median(std::move(all));
}

}  // namespace

double first_sign_change(const std::vector<double>& x, const std::vector<double>& y) {
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    if ((y[i] < 0) == (y[i + 1] < 0)) continue;
    return x[i] + (x[i + 1] - x[i]) * y[i] / (y[i] - y[i + 1]);
  }
  return -1;
}

std::vector<PressureSweep> find_sweeps(const std::vector<CellSamples>& cells) {
  std::map<std::pair<Cell, std::string>, std::map<double, const CellSamples*>> touched;
  std::map<Cell, const CellSamples*> isolated;
  for (const CellSamples& cell : cells) {
    if (find_workload(cell.cell.workload) == nullptr) continue;  // the engine brings its own pressure
    const Pressure pressure = parse_pressure(cell.cell.pressure);
    Cell circumstances = cell.cell;
    circumstances.pressure.clear();
    if (pressure.touches()) {
      touched[{circumstances, sweep_name(pressure)}][pressure.lines] = &cell;
    } else if (pressure.chunk_queries == 0) {
      isolated[circumstances] = &cell;
    }
  }
  std::vector<PressureSweep> sweeps;
  for (auto& [key, points] : touched) {
    const auto alone = isolated.find(key.first);
    if (points.size() < 2 || alone == isolated.end()) continue;
    points[0] = alone->second;
    PressureSweep sweep{key.second, {}, {}};
    for (const auto& [lines, cell] : points) {
      sweep.lines.push_back(lines);
      sweep.cells.push_back(cell);
    }
    sweeps.push_back(std::move(sweep));
  }
  return sweeps;
}

std::vector<Crossing> find_crossings(const PressureSweep& sweep, std::uint64_t seed) {
  std::vector<double> x;
  for (const double lines : sweep.lines) x.push_back(std::log2(1 + lines));
  std::vector<Crossing> crossings;
  for (const auto& [name, arm] : sweep.cells.front()->arms) {
    if (arm.first.role != ArmRole::method) continue;
    const std::vector<Launches> ratios = ratios_along(sweep, name);
    if (ratios.empty()) continue;
    std::vector<double> y;
    for (const Launches& launches : ratios) y.push_back(median_of(launches));
    const double at = first_sign_change(x, y);
    if (at < 0) continue;

    std::mt19937_64 random(seed);
    std::vector<double> crossed;
    for (unsigned i = 0; i < crossing_resamples; ++i) {
      const std::vector<double> drawn = one_resample(ratios, random);
      const double where = first_sign_change(x, drawn);
      if (where >= 0 && (drawn.front() < 0) == (y.front() < 0)) crossed.push_back(where);
    }
    const double certainty = static_cast<double>(crossed.size()) / crossing_resamples;
    if (certainty < enough_certainty) continue;
    std::sort(crossed.begin(), crossed.end());
    const auto lines_at = [](double position) { return std::exp2(position) - 1; };
    Cell cell = sweep.cells.front()->cell;
    cell.pressure = sweep.name;
    crossings.push_back({cell,
                         name,
                         y.front() < 0,
                         {lines_at(at), lines_at(quantile(crossed, 0.025)), lines_at(quantile(crossed, 0.975))},
                         certainty});
  }
  return crossings;
}

}  // namespace slidebench
