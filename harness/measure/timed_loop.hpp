// SPDX-License-Identifier: MIT
//
// The timed loop: what turns a contender's work on a segment into a time. Two ways: one sample after the other, each
// warmed untimed and timed by Google Benchmark; or turns of all contenders, a piece each.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "harness/counters/event_counters.hpp"
#include "harness/measure/contender.hpp"
#include "harness/measure/work.hpp"
#include "harness/platform/machine.hpp"

namespace slidebench {

/// The random numbers of a process run: orders are drawn from them.
using Shuffler = std::mt19937_64;

/// A contender of a cell, and how many passes over a segment make up its sample.
struct Task {
  const Contender* contender;
  std::uint64_t passes = 1;
};

/// What a sample took: all passes together.
struct SampleTime {
  double time_ns = 0;  ///< CPU time of the thread, which what others take of its core is no part of
  double wall_ns = 0;
  std::uint64_t checksum = 0;  ///< sum over the passes, modulo 2^64
  Disturbance disturbance;
  std::vector<CounterReading> counts;  ///< of the events that were counted in it, all passes together
};

/// What is counted in a sample while it is timed: one pass of the events.
struct Counting {
  EventCounters* counters = nullptr;  ///< null: nothing
  std::size_t pass = 0;
};

/// What the clock contender adds in a pass: long enough for its loop to start and stop unnoticed.
inline constexpr std::uint64_t clock_additions = 16 * 65'536;
/// What it adds in a turn.
inline constexpr std::uint64_t clock_turn_additions = 16 * 4096;

/// One pass: all pieces of a segment, or the clock's additions. Returns the sum of the answers.
std::uint64_t pass(const Contender& contender, Work& work, std::size_t segment);

/// Brings a contender to where a sample begins, untimed. @param milliseconds  about so long, at least
void warm_up(const Contender& contender, Work& work, std::size_t segment, double milliseconds);

/// Times the tasks one after the other, in this order, each after a warm-up of its own, and counts in the same loop.
std::vector<SampleTime> time_in_order(const std::vector<Task>& tasks, Work& work, std::size_t segment,
                                      double warm_up_ms, const Counting& counting = {});

/// The lukewarm way: the contenders take turns at every piece of the segment, in a fresh random order each time, and
/// each finds the caches as the others left them; as many passes over the segment as the first task has. A turn takes
/// microseconds, too short for Google Benchmark and for the thread's clock, so the wall clock is read around it (20 ns,
/// for all alike), and either time is the sum over the turns. The disturbances are those of the whole. Nothing is
/// counted: events cannot be started so often unnoticed.
std::vector<SampleTime> time_in_turns(const std::vector<Task>& tasks, Work& work, std::size_t segment,
                                      Shuffler& random);

}  // namespace slidebench
