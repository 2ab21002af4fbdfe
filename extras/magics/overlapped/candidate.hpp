// SPDX-License-Identifier: MIT
//
// One of the 128 arrays of an overlapped table: which slots a factor uses on one square.
//
// With the shift fixed at 52 (rook) or 55 (bishop) an index counts cells of a circle of 2^64 points. Relevant square t
// moves the product by the image factor * 2^t, so the products of all occupancies are the subset sums of at most 12
// images, begun at 0 (white) or at ~mask * factor (black). A factor is valid if no cell receives the products of two
// occupancies with different attacks; the fewer cells it uses, the better it packs.
//
// A candidate is a factor together with the cells that it uses, in the forms that packing wants.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "extras/magics/square_problem.hpp"

namespace slidebench::overlap {

inline constexpr unsigned most_relevant = 12;

/// What a search needs to know of a slider on a square. Relevant square t moves the product by the image factor << t.
struct ArrayShape : magic::SquareProblem {
  ArrayShape(magic::Piece piece, Square square, bool black);

  bool black;
  Bitboard mask;
  unsigned shift;

  /// The product of the empty board.
  std::uint64_t origin(std::uint64_t factor) const { return black ? ~mask * factor : 0; }
  unsigned index_bits() const { return 64 - shift; }
};

/// Scratch memory that counts the cells of one factor after the other; it never has to be cleared.
class CellCounter {
 public:
  /// Number of cells used by the subsets of the first `count` images; 0 if two attack sets meet or it exceeds `limit`.
  unsigned count(const ArrayShape& shape, std::uint64_t factor, std::uint64_t origin, std::size_t count,
                 unsigned limit);

  /// The same for all images.
  unsigned count(const ArrayShape& shape, std::uint64_t factor, unsigned limit = ~0U) {
    return count(shape, factor, shape.origin(factor), shape.squares.size(), limit);
  }

  /// After count(): the cells of one image more, for a child that shares the counted images and the origin.
  unsigned count_child(const ArrayShape& shape, std::uint64_t factor, std::size_t count, unsigned parent_used);

  /// After a count that was not 0: how many of the aligned blocks of 2^size_log cells hold one of these cells.
  unsigned blocks(unsigned cells, unsigned size_log);

 private:
  std::vector<std::uint64_t> sums_ = std::vector<std::uint64_t>(std::size_t{1} << most_relevant);
  std::vector<std::uint64_t> cells_ = sums_;  ///< epoch << 8 | attack set
  std::vector<std::uint64_t> child_cells_ = sums_;
  std::vector<std::uint64_t> blocks_ = sums_;
  std::vector<std::uint16_t> used_ = std::vector<std::uint16_t>(std::size_t{1} << most_relevant);  ///< in order of use
  std::uint64_t epoch_ = 0;
  std::uint64_t child_epoch_ = 0;
  std::uint64_t block_epoch_ = 0;
};

struct Candidate {
  static constexpr std::size_t probe_count = 64;

  std::uint64_t factor;
  unsigned used;  ///< number of cells
  double cost;    ///< slots that it really takes, the holes that nothing fits into included; see slot_map.hpp
  double mean;    ///< of the used indices
  unsigned lowest;
  unsigned highest;
  std::array<std::uint64_t, 64> cells;            ///< bit i: index i is used
  std::array<std::uint16_t, probe_count> probes;  ///< used indices all over the array, in an order that misses soon

  unsigned range() const { return highest - lowest + 1; }
};

/// The candidate of a valid factor.
Candidate make_candidate(const ArrayShape& shape, std::uint64_t factor);

/// For black: an equivalent factor, whose range does not wrap around the circle and starts as low as possible; the used
/// cells only turn. For white the origin stands fast: the factor itself.
std::uint64_t turned_low(const ArrayShape& shape, std::uint64_t factor);

}  // namespace slidebench::overlap
