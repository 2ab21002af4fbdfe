// SPDX-License-Identifier: MIT
//
// Finding a magic factor, square by relevant square, instead of drawing whole factors at random.
//
// The product of an occupancy and a factor is a sum: factor << t over the blockers t. The term of square t depends on
// the lowest 64 - t bits of the factor alone. So take the relevant squares from the highest down: the first one asks
// for a few low bits of the factor, each further one for a few more. With j squares settled, the indices of their 2^j
// occupancies are final; the next square doubles them, and each value of its new bits that makes no harmful collision
// is followed further. A wrong beginning is dropped after a handful of occupancies, not after thousands.
//
// One square more has two kinds of occupancies: those where its blocker shows and those where another hides it. The
// former collide sooner, and are tried first.
//
// It finds the rooks' factors of n - 1 bits on the last two ranks, which random drawing does not: there the relevant
// squares stand high, and a factor has few bits that matter. (Where they stand low, sparse_search.hpp is quicker.)
// The first squares decide whether the last ones can succeed, so many short searches beat a long one: a search that has
// spent its budget begins again, and of the values that one square offers only a random part is tried.
// Ideas: L. Hansen 2006 (the hash), P. Kannan 2007 (individual sizes), H. G. Muller (settling bit by bit),
// N. Fiekas 2017 (only the lowest 64 - t bits matter).
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "extras/magics/random.hpp"
#include "extras/magics/square_problem.hpp"

namespace slidebench::magic {

/// What to search for, and where to look.
struct SearchPlan {
  unsigned index_bits;         ///< 1 to 12
  std::size_t slots;           ///< indices must stay below: 2^index_bits, or fewer for a short array
  std::uint64_t budget;        ///< values to look at before the search gives up
  std::uint64_t values = 256;  ///< of the bits that one square asks for, at most so many are tried (or two)

  /// Bit r: the term of the r-th square from the last on stays within 1/32 of the circle around 0. A square whose term
  /// is nearly 0 takes hardly any slots of its own.
  unsigned short_terms = 0;

  /// So many low bits of the factor are 0. Then the terms of the highest squares lie on a coarse lattice.
  unsigned zero_bits = 0;
};

class FactorSearch {
 public:
  /// Keeps a reference to `problem`.
  explicit FactorSearch(const SquareProblem& problem);

  /// A valid factor, if the search meets one within the budget. The result depends on the state of `random` alone.
  std::optional<std::uint64_t> find(const SearchPlan& plan, Random& random);

 private:
  static constexpr std::size_t max_occupancies = 4096;
  static constexpr std::uint8_t forbidden = 255;  ///< in a slot that no occupancy may take

  /// With some squares settled: the sums of their occupancies, and which attack set each slot holds (0: none).
  struct Level {
    std::array<std::uint64_t, max_occupancies> sums;
    std::array<std::uint8_t, max_occupancies> slots;
  };

  bool descend(unsigned settled, std::uint64_t factor, unsigned known_bits);
  bool fits(unsigned settled, std::uint64_t term);
  void settle(unsigned settled, std::uint64_t term);

  const SquareProblem& problem_;
  std::vector<std::vector<std::uint16_t>> order_;  ///< by settled squares: the occupancies, telling ones first
  std::unique_ptr<std::array<Level, 13>> levels_ = std::make_unique<std::array<Level, 13>>();
  std::array<std::uint32_t, max_occupancies> claims_{};  ///< of one candidate: number of the try, and attack set
  std::uint32_t try_ = 0;
  std::uint64_t looked_at_ = 0;

  SearchPlan plan_{};  ///< of the search under way, as the rest
  Random* random_ = nullptr;
  std::uint64_t last_ = 0;  ///< looked_at_ when the budget is spent
  std::optional<std::uint64_t> found_;
};

}  // namespace slidebench::magic
