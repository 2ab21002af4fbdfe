// SPDX-License-Identifier: MIT
//
// How far reads overlap on this machine: how many it has under way at once, and across how many instructions; and what
// a mispredicted branch costs.
//
// Reads at once: k chases through the same memory side by side take as long as one, until the machine has no more slots
// for missing reads; the latency over the shortest time a read is their number.
//
// Instructions: two chases that take turns, with n additions between their reads, overlap as long as the second read
// enters the window of instructions before the first has come back. Source: H. Wong, Measuring Reorder Buffer Capacity,
// 2013 (blog.stuffedcow.net). Additions write registers, as most of an engine's instructions do: where the registers
// run out before the buffer, that is what counts.
//
// Branch: a loop that branches on random bits, half of which no predictor can foretell, against the same loop on bits
// that are all alike.
#pragma once

#include <cstdint>
#include <vector>

namespace slidebench {

struct MemoryOverlap {
  double reads = 1;         ///< under way at once
  double instructions = 1;  ///< between the first and the last of them
};

/// Measures both, for about a second, in 64 MiB. Throws UserError without memory.
MemoryOverlap measure_overlap(std::uint64_t seed);

/// Measures it, for some 50 ms. @return ns a misprediction
double measure_misprediction_ns(std::uint64_t seed);

/// ns an iteration with so many additions between the reads.
struct SpacedReads {
  double additions = 0;
  double ns = 0;
};

/// Where the two reads of an iteration no longer overlap: the fewest additions from which on it takes half as long
/// again as its quickest, what the additions take themselves set aside. The largest number, if they always overlap.
/// Precondition: from few to many additions, not empty.
double window_from(const std::vector<SpacedReads>& measured, double ns_an_addition);

}  // namespace slidebench
