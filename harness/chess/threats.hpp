// SPDX-License-Identifier: MIT
//
// Threats: "piece on square attacks piece on square", the inputs that networks have since 2025, and the lists of those
// that a move brings and takes.
//
// Kings neither threaten nor are threatened: their threats are checks. Own pieces are threatened too (defended).
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "harness/chess/piece_board.hpp"

namespace slidebench {

struct Threat {
  Piece attacker;
  std::uint8_t from;
  Piece attacked;
  std::uint8_t to;

  friend constexpr bool operator==(const Threat&, const Threat&) = default;
};
static_assert(sizeof(Threat) == 4);

/// A list of threats. A square that is filled or emptied brings at most 8 of the piece on it, 20 by others and 8
/// discovered; a move touches four squares. Vector stores may write `slack` entries beyond the last.
struct ThreatList {
  static constexpr unsigned capacity = 144;
  static constexpr unsigned slack = 16;

  unsigned count = 0;
  std::array<Threat, capacity + slack> items;

  void clear() { count = 0; }
  /// Precondition: there is room.
  void add(const Threat& threat) { items[count++] = threat; }
  const Threat* begin() const { return items.data(); }
  const Threat* end() const { return items.data() + count; }
};

/// The threats that a move brought and took. A threat may stand in both lists: what a store says is the difference, and
/// what it finds on the way is its own affair.
struct ThreatChange {
  static constexpr bool wanted = true;
  ThreatList came;
  ThreatList went;

  void clear() {
    came.clear();
    went.clear();
  }
};

/// Instead of a ThreatChange: nobody asks.
struct NoThreats {
  static constexpr bool wanted = false;
};

/// A number of a list that its order does not change.
inline std::uint64_t sum_of(const ThreatList& list) {
  std::uint64_t sum = 0;
  for (const Threat& threat : list) {
    const std::uint64_t product = std::bit_cast<std::uint32_t>(threat) * 0x9E3779B97F4A7C15;
    sum += product ^ (product >> 29);
  }
  return sum;
}

/// A number of a change: equal for equal differences, whatever stands in both lists.
inline std::uint64_t sum_of(const ThreatChange& change) { return sum_of(change.came) - sum_of(change.went); }

}  // namespace slidebench
