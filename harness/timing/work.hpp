// SPDX-License-Identifier: MIT
//
// What the arms of a cell do: the same piece of work, each with its own method.
#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/timing/arm.hpp"

namespace slidebench {

/// Work comes in windows, one a round, so that not only one stretch is ever measured; a window comes in pieces, the
/// least that can be timed. Arms here are those with a plugin.
class Work {
 public:
  virtual ~Work() = default;

  virtual std::size_t windows() const = 0;
  virtual std::size_t pieces(std::size_t window) const = 0;

  /// Does one piece; returns its sum.
  virtual std::uint64_t run(const Arm& arm, std::size_t window, std::size_t piece) = 0;

  /// Makes a window ready to be timed, untimed: warms the caches for about so long, or whatever else comes before.
  virtual void prepare(const Arm& arm, std::size_t window, double milliseconds) = 0;

  /// Whether a slice can be several passes after one prepare().
  virtual bool repeats() const { return true; }

  /// Whether an arm has what it takes.
  virtual bool takes(const Arm& arm) const { return arm.plugin != nullptr; }

  /// The sum over a window's pieces that an arm must return, found without the arm's timed code.
  virtual std::uint64_t expected(const Arm& arm, std::size_t window) = 0;

  /// What a window's time is divided by: its queries, and its nodes.
  virtual std::uint64_t queries(std::size_t window) const = 0;
  virtual std::uint64_t nodes(std::size_t window) const = 0;

  /// All pieces of a window; the sum of their sums.
  std::uint64_t pass(const Arm& arm, std::size_t window) {
    std::uint64_t sum = 0;
    for (std::size_t piece = 0; piece < pieces(window); ++piece) sum += run(arm, window, piece);
    return sum;
  }
};

}  // namespace slidebench
