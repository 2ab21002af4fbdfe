// SPDX-License-Identifier: MIT
//
// A clock of paper, for tests of runs: linked into the program slidebench_fake_times in place of sampler.cpp. Each
// contender does one pass, so that answers are checked as ever; its time is
//
//   queries of the sample x ns a query x noise of the process run x noise of the sample
//
// by the first line of the table that fits it: SLIDEBENCH_FAKE_TIMES names a file of lines "contender workload pressure
// ns noise", where * fits all and noise is the standard deviation of either logarithm. The noise of a sample depends on
// the numbers of its process run and round and on its contender alone: a run that is made again has the same times.
// Without a table a query takes 10 ns, with a noise of 0.002.
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "harness/base/errors.hpp"
#include "harness/measure/round.hpp"

namespace slidebench {
namespace {

struct Line {
  std::string contender, workload, pressure;
  double ns = 0, noise = 0;

  bool fits(const std::string& name, const CellText& cell) const {
    const auto same = [](const std::string& asked, const std::string& is) { return asked == "*" || asked == is; };
    return same(contender, name) && same(workload, cell.workload) && same(pressure, cell.pressure);
  }
};

std::vector<Line> read_table() {
  const char* path = std::getenv("SLIDEBENCH_FAKE_TIMES");
  if (path == nullptr) return {{"*", "*", "*", 10, 0.002}};
  std::ifstream file(path);
  std::vector<Line> lines;
  for (Line line; file >> line.contender >> line.workload >> line.pressure >> line.ns >> line.noise;)
    lines.push_back(line);
  if (!file.eof() || lines.empty()) throw UserError(std::string(path) + ": no table of times");
  return lines;
}

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
  static const std::vector<Line> table = read_table();
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

}  // namespace

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
    times.push_back(time);
  }
  return times;
}

}  // namespace slidebench
