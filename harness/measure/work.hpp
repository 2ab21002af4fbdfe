// SPDX-License-Identifier: MIT
//
// What the contenders of a cell do: the same piece of work, each with its own method.
#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/measure/contender.hpp"

namespace slidebench {

/// What a segment's time is divided by.
struct WorkSize {
  std::uint64_t queries = 0;
  std::uint64_t nodes = 0;
};

/// Work comes in segments, one per round, so that not only one stretch is ever measured; a segment comes in pieces, the
/// least that can be timed. Contenders here are those with a plugin.
class Work {
 public:
  virtual ~Work() = default;

  virtual std::size_t segments() const = 0;
  virtual std::size_t pieces(std::size_t segment) const = 0;
  virtual WorkSize size(std::size_t segment) const = 0;

  /// Whether a contender has what it takes.
  virtual bool takes(const Contender& contender) const = 0;

  /// Whether a sample can be several passes after one prepare().
  virtual bool repeats() const { return true; }

  /// Makes a segment ready to be timed, untimed: warms the caches for about so long, or whatever else comes before.
  virtual void prepare(const Contender& contender, std::size_t segment, double milliseconds) = 0;

  /// Does one piece; returns its sum.
  virtual std::uint64_t run(const Contender& contender, std::size_t segment, std::size_t piece) = 0;

  /// The sum over a segment's pieces that a contender must return, found without the contender's timed code.
  virtual std::uint64_t expected(const Contender& contender, std::size_t segment) = 0;
};

}  // namespace slidebench
