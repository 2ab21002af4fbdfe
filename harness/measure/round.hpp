// SPDX-License-Identifier: MIT
//
// A round: every contender of a group once, right after each other in a fresh random order. What disturbs a round
// disturbs all of them alike, and nobody always goes first.
//
// Many methods do not share one round, which would last half a second: they are split anew each time into groups that
// meet the reference in rounds of their own (incomplete randomised blocks). Why so, and why samples are as short as
// they are: reports/methodology.md.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "harness/measure/timed_loop.hpp"
#include "harness/measure/work.hpp"

namespace slidebench {

/// A cell that is ready to be measured.
struct PreparedCell {
  Cell name;
  std::shared_ptr<Work> work;
  bool in_turns = false;              ///< the contenders take turns within a sample
  std::vector<Task> tasks;            ///< of those that take part
  std::vector<std::size_t> segments;  ///< all, in the order in which the rounds of the run take them
};

using Group = std::vector<Task>;

/// Splits a cell's contenders into groups, in random order and composition: one has what every cell has, the others up
/// to `methods_per_round` methods each, with the reference and its twin. Few methods, contenders that take turns, and
/// cells without a reference stay together.
std::vector<Group> groups_of(const PreparedCell& cell, std::size_t methods_per_round, Shuffler& random);

/// Which round of a run it is.
struct RoundOfRun {
  unsigned process_run = 0;
  unsigned number = 0;
  std::size_t segment = 0;
  double warm_up_ms = 0;  ///< before each sample
  Counting counting = {};
};

/// A sample, and what was counted while it was timed.
struct CountedSample {
  Sample sample;
  std::vector<CounterReading> counts;
};

/// The times of a group, in its order, by the timed loop that the cell asks for. Alone in sampler.cpp, so that a test's
/// program can put a table in the clock's place (harness/cli/fake_times.cpp).
std::vector<SampleTime> time_group(const PreparedCell& cell, const Group& group, const RoundOfRun& round,
                                   Shuffler& random);

/// Times a group on the round's segment, in random order. Returns a sample of each, in the order in which they were
/// timed. Throws CheckFailed at the first wrong sum.
std::vector<CountedSample> measure_round(const PreparedCell& cell, Group group, const RoundOfRun& round,
                                         Shuffler& random);

}  // namespace slidebench
