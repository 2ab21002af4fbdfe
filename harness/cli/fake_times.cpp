// SPDX-License-Identifier: MIT
//
// A clock and a PMU of paper, for tests of runs: linked into the program slidebench_fake_times in place of sampler.cpp,
// hardware_counters.cpp and calibration.cpp. Each contender does one pass, so that answers are checked as ever; its
// time is
//
//   queries of the sample x ns a query x noise of the process run x noise of the sample
//
// by the first line of the table that fits it: SLIDEBENCH_FAKE_TIMES names a file of lines "contender workload pressure
// ns noise", where * fits all and noise is the standard deviation of either logarithm. The noise of a sample depends on
// the numbers of its process run and round and on its contender alone: a run that is made again has the same times.
// Without a table a query takes 10 ns, with a noise of 0.002.
//
// SLIDEBENCH_FAKE_COUNTS names a file of lines "contender workload pressure metric count": so many events a query.
// Without it there is no PMU.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "harness/base/errors.hpp"
#include "harness/counters/calibration.hpp"
#include "harness/counters/hardware_counters.hpp"
#include "harness/measure/round.hpp"

namespace slidebench {
namespace {

/// Of either table.
struct Line {
  std::string contender, workload, pressure, metric;
  double ns = 0, noise = 0, count = 0;

  bool fits(const std::string& name, const CellText& cell) const {
    const auto same = [](const std::string& asked, const std::string& is) { return asked == "*" || asked == is; };
    return same(contender, name) && same(workload, cell.workload) && same(pressure, cell.pressure);
  }
};

/// The table in the file that the variable names, or `otherwise`. @param columns  those after the pressure
template <class... Column>
std::vector<Line> read_lines(const char* variable, const std::vector<Line>& otherwise, Column Line::*... columns) {
  const char* path = std::getenv(variable);
  if (path == nullptr) return otherwise;
  std::ifstream file(path);
  std::vector<Line> lines;
  for (Line line; ((file >> line.contender >> line.workload >> line.pressure) >> ... >> (line.*columns));)
    lines.push_back(line);
  if (!file.eof() || lines.empty()) throw UserError(std::string(path) + ": no table for " + variable);
  return lines;
}

std::vector<Line> read_counts() { return read_lines("SLIDEBENCH_FAKE_COUNTS", {}, &Line::metric, &Line::count); }

double factor(double noise, const std::string& of) {
  std::mt19937_64 random(std::hash<std::string>{}(of));
  return std::exp(noise * std::normal_distribution<double>()(random));
}

/// What a clock adds, or queries a pass.
std::uint64_t work_of(const Task& task, const PreparedCell& cell, std::size_t segment) {
  if (task.contender->role != ContenderRole::clock) return cell.work->size(segment).queries;
  return cell.in_turns ? clock_turn_additions * cell.work->pieces(segment) : clock_additions;
}

double time_of(const Task& task, const PreparedCell& cell, const RoundOfRun& round) {
  static const std::vector<Line> table =
      read_lines("SLIDEBENCH_FAKE_TIMES", {{"*", "*", "*", "", 10, 0.002}}, &Line::ns, &Line::noise);
  const std::string& name = task.contender->name;
  const CellText names = names_of(cell.name);
  for (const Line& line : table) {
    if (!line.fits(name, names)) continue;
    const std::string run = name + " " + to_string(cell.name) + " " + std::to_string(round.process_run);
    return static_cast<double>(task.passes * work_of(task, cell, round.segment)) * line.ns * factor(line.noise, run) *
           factor(line.noise, run + " " + std::to_string(round.number));
  }
  throw UserError("the table of times has no line for " + name + " in " + to_string(cell.name));
}

/// The readings of the pass under way, by the table.
std::vector<CounterReading> counts_of(const Task& task, const PreparedCell& cell, const RoundOfRun& round) {
  static const std::vector<Line> table = read_counts();
  if (round.counting.counters == nullptr) return {};
  round.counting.counters->start(round.counting.pass);
  std::vector<CounterReading> readings = round.counting.counters->stop(round.counting.pass);
  const auto queries = static_cast<double>(task.passes * work_of(task, cell, round.segment));
  for (CounterReading& reading : readings) {
    for (const Line& line : table) {
      if (line.metric != reading.metric || !line.fits(task.contender->name, names_of(cell.name))) continue;
      reading.value = static_cast<std::uint64_t>(std::llround(line.count * queries));
      break;
    }
  }
  return readings;
}

/// The source, and each set that it opens: whatever is asked for.
class PaperCounter final : public EventSource, public EventSet {
 public:
  explicit PaperCounter(std::size_t events) : events_(events) {}
  std::string name() const override { return "paper"; }
  std::vector<std::string> names() const override { return {}; }
  OpenedSet open(const std::vector<std::string>& events) override {
    return {std::make_unique<PaperCounter>(events.size()), false, ""};
  }
  bool start() override { return true; }
  std::optional<std::vector<std::int64_t>> stop() override { return std::vector<std::int64_t>(events_, 0); }

 private:
  std::size_t events_;
};

}  // namespace

std::vector<std::unique_ptr<EventSource>> hardware_sources() {
  std::vector<std::unique_ptr<EventSource>> sources;
  sources.push_back(std::make_unique<PaperCounter>(0));
  return sources;
}

Calibration calibrated(const std::vector<Metric>&) {
  Calibration found;
  for (const Line& line : read_counts()) {
    const auto same = [&](const Metric& metric) { return metric.name == line.metric; };
    if (std::none_of(found.believed.begin(), found.believed.end(), same))
      found.believed.push_back({line.metric, {"PAPER_" + line.metric}});
  }
  if (found.believed.empty()) found.reason = "there is no PMU of paper";
  return found;
}

std::vector<SampleTime> time_group(const PreparedCell& cell, const Group& group, const RoundOfRun& round, Shuffler&) {
  std::vector<SampleTime> times;
  for (const Task& task : group) {
    const bool clock = task.contender->role == ContenderRole::clock;
    warm_up(*task.contender, *cell.work, round.segment, 0);
    SampleTime time;
    time.checksum =
        task.passes * (clock ? work_of(task, cell, round.segment) : pass(*task.contender, *cell.work, round.segment));
    time.time_ns = time.wall_ns = time_of(task, cell, round);
    time.disturbance.steal = 0;
    if (!cell.in_turns) time.counts = counts_of(task, cell, round);
    times.push_back(time);
  }
  return times;
}

}  // namespace slidebench
