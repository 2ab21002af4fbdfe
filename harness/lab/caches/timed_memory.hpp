// SPDX-License-Identifier: MIT
//
// Memory whose reads are timed, and nothing else is known of it: this machine's, or in tests a simulated one. All that
// is said of caches is concluded from these times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/lab/ladder/latency_ladder.hpp"

namespace slidebench {

/// A byte of the memory, counted from its start.
using Place = std::uint32_t;
using Places = std::vector<Place>;

class TimedMemory {
 public:
  virtual ~TimedMemory() = default;

  /// Bytes of it.
  virtual Place bytes() const = 0;

  /// ns a read of a chase through these places, one after the other, period after period, once it has settled.
  /// Precondition: no line is visited more often in a period than it has words of eight bytes.
  virtual double ns_a_read(const Places& period) = 0;

  /// ns of one read of `probe`, an unknown constant for the clock included, after it was read, then the others, three
  /// times, and then a place of the probe's own page. Precondition: the probe is none of the others.
  virtual double ns_after(Place probe, const Places& others) = 0;
};

/// This machine's memory, one block.
class OwnMemory : public TimedMemory {
 public:
  /// Throws UserError if there is not enough memory. @param bytes  a multiple of 2 MiB, less than 4 GiB
  OwnMemory(Place bytes, bool large_pages);

  Place bytes() const override { return bytes_; }
  double ns_a_read(const Places& period) override;
  double ns_after(Place probe, const Places& others) override;

  /// How much of it lies on 2 MiB pages, as a fraction.
  double large_share() const;

 private:
  std::byte* at(Place place) const { return memory_.get() + place; }
  const std::byte* chain(const Places& places);

  Place bytes_;
  ChaseMemory memory_;
  std::vector<std::uint8_t> used_words_;  ///< by line
};

}  // namespace slidebench
