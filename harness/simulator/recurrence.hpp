// SPDX-License-Identifier: MIT
//
// How often an attack query comes again soon, and how many cache lines of a table it takes to answer a number of them:
// the locality that tables and caches live on.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "harness/trace/block.hpp"

namespace slidebench {

/// The squares whose occupancy decides the answer to a query.
constexpr Bitboard relevant_squares(QueryKind kind, Square s) {
  switch (kind) {
    case QueryKind::bishop: return bishop_relevant(s);
    case QueryKind::rook: return rook_relevant(s);
    case QueryKind::queen:
    case QueryKind::both: return bishop_relevant(s) | rook_relevant(s);
  }
  return 0;
}

/// Tells for each query how many queries ago the same one (kind, square, relevant occupancy) was asked.
///
/// Exact up to `window` queries back, in memory of that order: the queries are cut into epochs of that length, and a
/// query within the window lies in this epoch or in the one before.
class RecurrenceFinder {
 public:
  static constexpr std::uint64_t window = 1024;

  RecurrenceFinder();

  /// Takes the next query. Returns the distance to its last occurrence, 1 = the query just before; 0 if that lies
  /// further back than `window`, or there is none.
  std::uint64_t add(QueryCode query, Bitboard occupied);

 private:
  struct Slot {
    Bitboard relevant_occupancy = 0;
    QueryCode query = 0;
    std::uint64_t position = 0;  ///< number of the query, counted from 1; 0 means a free slot
  };

  /// Half full at most, so that a search ends soon.
  using Epoch = std::array<Slot, std::bit_ceil(2 * window)>;

  static Slot& find(Epoch& epoch, Bitboard relevant_occupancy, QueryCode query);

  std::array<Bitboard, 256> relevant_;  ///< by query code
  std::vector<Epoch> epochs_;           ///< this one and the one before, alternating
  std::uint64_t position_ = 0;
};

/// Counts the different cache lines of a method's tables that so many queries in a row touch, for fancy and for plain
/// magic: the table of every square's own size, and the one of a common size (methods/magic/magic_fancy.hpp and
/// magic_plain.hpp say how they lie in memory; sets and records are counted).
class TableLines {
 public:
  enum Layout : std::size_t { fancy, plain };
  static constexpr std::size_t layouts = 2;
  static constexpr std::array<std::uint64_t, 3> windows{1'000, 10'000, 100'000};

  TableLines();

  void add(QueryCode query, Bitboard occupied);

  /// Lines on average of the stretches of windows[window] queries that follow one another; nothing if there was no
  /// whole one.
  std::optional<double> mean(Layout layout, std::size_t window) const;

 private:
  struct Count {
    std::vector<std::uint32_t> seen_in;  ///< by line: the last stretch that touched it, counted from 1
    std::uint64_t lines = 0;             ///< of this stretch
    std::uint64_t lines_before = 0;      ///< of all whole stretches before
  };

  void touch(Layout layout, std::size_t line);
  void touch_sets(bool rook, Square s, Bitboard occupied);

  /// Where each square's sets begin in fancy magic's table, in sets: bishops, rooks.
  std::array<std::array<std::uint32_t, 64>, 2> first_set_{};
  std::array<std::array<Count, windows.size()>, layouts> counts_;
  std::uint64_t queries_ = 0;
};

}  // namespace slidebench
