// SPDX-License-Identifier: MIT
#include "harness/measure/round.hpp"

#include <algorithm>

#include "harness/base/errors.hpp"

namespace slidebench {
namespace {

bool is_clock(const Task& task) { return task.contender->role == ContenderRole::clock; }

std::uint64_t clock_additions_in(const PreparedCell& cell, std::size_t segment) {
  return cell.in_turns ? clock_turn_additions * cell.work->pieces(segment) : clock_additions;
}

void check_sum(const PreparedCell& cell, const Task& task, std::size_t segment, std::uint64_t sum) {
  const Contender& contender = *task.contender;
  const std::uint64_t expected =
      is_clock(task) ? clock_additions_in(cell, segment) : cell.work->expected(contender, segment);
  if (sum == task.passes * expected) return;
  throw CheckFailed(contender.name + " gave wrong answers in " + to_string(cell.name) +
                    ": its sum differs from the oracle's; see slidebench verify --method " + contender.method());
}

Sample sample_of(const PreparedCell& cell, const Task& task, const RoundOfRun& round, std::size_t position,
                 const SampleTime& time) {
  const Contender& contender = *task.contender;
  const WorkSize size =
      is_clock(task) ? WorkSize{clock_additions_in(cell, round.segment), 0} : cell.work->size(round.segment);
  return {.process_run = round.process_run,
          .round = round.number,
          .position = static_cast<unsigned>(position),
          .contender = contender.name,
          .method = contender.method(),
          .level = contender.level(),
          .role = contender.role,
          .placement = contender.placement(),
          .cell = cell.name,
          .segment = static_cast<unsigned>(round.segment),
          .queries = task.passes * size.queries,
          .nodes = task.passes * size.nodes,
          .time_ns = time.time_ns,
          .wall_ns = time.wall_ns,
          .checksum = time.checksum,
          .involuntary_switches = time.disturbance.noise.involuntary_switches,
          .minor_faults = time.disturbance.noise.minor_faults,
          .major_faults = time.disturbance.noise.major_faults,
          .steal_ticks = time.disturbance.steal};
}

}  // namespace

std::vector<Group> groups_of(const PreparedCell& cell, std::size_t methods_per_round, Shuffler& random) {
  Group methods, always, others;
  for (const Task& task : cell.tasks) {
    const ContenderRole role = task.contender->role;
    if (role == ContenderRole::reference || role == ContenderRole::twin) always.push_back(task);
    const bool grouped = role == ContenderRole::method || role == ContenderRole::second_twin;
    (grouped ? methods : others).push_back(task);
  }
  if (methods.size() <= methods_per_round || cell.in_turns || always.empty()) return {cell.tasks};
  std::shuffle(methods.begin(), methods.end(), random);
  const std::size_t count = (methods.size() + methods_per_round - 1) / methods_per_round;
  std::vector<Group> groups(count, always);
  for (std::size_t i = 0; i < methods.size(); ++i) groups[i % count].push_back(methods[i]);
  groups.push_back(std::move(others));
  std::shuffle(groups.begin(), groups.end(), random);
  return groups;
}

std::vector<CountedSample> measure_round(const PreparedCell& cell, Group group, const RoundOfRun& round,
                                         Shuffler& random) {
  std::shuffle(group.begin(), group.end(), random);
  const std::vector<SampleTime> times = time_group(cell, group, round, random);
  std::vector<CountedSample> samples;
  for (std::size_t i = 0; i < group.size(); ++i) {
    check_sum(cell, group[i], round.segment, times[i].checksum);
    samples.push_back({sample_of(cell, group[i], round, i, times[i]), times[i].counts});
  }
  return samples;
}

}  // namespace slidebench
