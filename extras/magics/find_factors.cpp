// SPDX-License-Identifier: MIT
#include "extras/magics/find_factors.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include "extras/magics/deadline.hpp"
#include "extras/magics/factor_search.hpp"
#include "extras/magics/overlapped/search.hpp"
#include "extras/magics/sparse_search.hpp"
#include "harness/base/errors.hpp"
#include "methods/magic/split32_fold.hpp"

namespace slidebench {
namespace {

using magic::Piece;
using magic::SquareProblem;

/// The stream of one piece on one square.
std::uint64_t seed_of(const FindOptions& options, const SquareProblem& problem) {
  magic::Random random(options.seed * 128 + (problem.piece == Piece::rook ? 64 : 0) + problem.square);
  return random.next();
}

/// Calls search(problem) for all squares of the variant's pieces, on several threads; it returns the square's row.
template <class Search>
void for_each_square(const FindOptions& options, FactorFile& file, Search search) {
  std::atomic<unsigned> next{0};
  const auto work = [&] {
    for (unsigned i = next++; i < (file.variant->has_rooks ? 128u : 64u); i = next++) {
      const Piece piece = i < 64 ? Piece::bishop : Piece::rook;
      const SquareProblem problem = magic::square_problem(piece, i % 64);
      (piece == Piece::bishop ? file.bishop : file.rook)[i % 64] = search(problem);
    }
  };
  std::vector<std::jthread> threads;
  for (unsigned i = 1; i < options.jobs; ++i) threads.emplace_back(work);
  work();
}

/// Where factors of n - 1 bits have been found. Those of rooks on the last two ranks look alike: the two farthest
/// squares of the file, and the fourth (or third) farthest, have terms near 0; on rank 7 the low bits are 0 as well, so
/// that the squares of the rank fill a lattice without gaps. Bishops need no such hint.
std::vector<magic::SearchPlan> dense_plans(Piece piece, unsigned bits) {
  const std::size_t slots = std::size_t{1} << bits;
  if (piece == Piece::bishop) return {{.index_bits = bits, .slots = slots, .budget = 100'000, .values = 64}};
  // Budget, values, short terms, zero bits.
  return {{bits, slots, 200'000, 64, 0b1011, 7},
          {bits, slots, 200'000, 64, 0b1011, 6},
          {bits, slots, 200'000, 64, 0b1011, 0},
          {bits, slots, 1'000'000, 256, 0b0111, 5}};
}

/// n - 1 bits, by the search square by square. What is found does not depend on the clock, only whether it is found.
std::optional<std::uint64_t> find_dense_factor(const FindOptions& options, const SquareProblem& problem,
                                               const std::stop_token& stop) {
  const std::vector<magic::SearchPlan> plans = dense_plans(problem.piece, problem.bits() - 1);
  magic::Random random(seed_of(options, problem));
  magic::FactorSearch search(problem);
  const Deadline end(options.seconds);
  while (!end.is_over() && !stop.stop_requested()) {
    for (const magic::SearchPlan& plan : plans) {
      if (const auto factor = search.find(plan, random)) return factor;
    }
  }
  return std::nullopt;
}

void find_dense(const FindOptions& options, const std::optional<FactorFile>& start, FactorFile& file,
                const FindProgress& progress, const std::stop_token& stop) {
  // First every square has some factor, so that what is saved on the way is whole.
  for_each_square(options, file, [&](const SquareProblem& problem) -> FactorRow {
    const unsigned n = problem.bits();
    if (start) {
      const FactorRow& known = (problem.piece == Piece::bishop ? start->bishop : start->rook)[problem.square];
      if (known.second < n) return known;
    }
    return {find_sparse_factor(problem, n, seed_of(options, problem)), n};
  });
  FactorFile best = file;
  std::mutex one_at_a_time;
  for_each_square(options, file, [&](const SquareProblem& problem) -> FactorRow {
    FactorRow& row = (problem.piece == Piece::bishop ? best.bishop : best.rook)[problem.square];
    const unsigned n = problem.bits();
    if (row.second < n) return row;
    const auto factor = find_dense_factor(options, problem, stop);
    const std::lock_guard lock(one_at_a_time);
    if (progress) {
      progress(square_text(problem.piece, problem.square) + ": " +
               (factor ? std::to_string(n - 1) + " bits" : "none found for " + std::to_string(n - 1) + " bits"));
    }
    if (factor) {
      row = {*factor, n - 1};
      if (options.checkpoint) options.checkpoint(best);
    }
    return row;
  });
}

FactorRow find_split32(const FindOptions& options, const SquareProblem& problem) {
  magic::SparseWords words(seed_of(options, problem));
  magic::CollisionTest test;
  for (;;) {
    const std::uint64_t pair = words.next();
    const auto low = static_cast<std::uint32_t>(pair);
    const auto high = static_cast<std::uint32_t>(pair >> 32);
    const auto index = [&](Bitboard o) {
      return ((static_cast<std::uint32_t>(o) * low) ^ (static_cast<std::uint32_t>(o >> 32) * high)) >>
             (32 - problem.bits());
    };
    if (test.passes(problem, index)) return {low, high};
  }
}

/// All 32-bit factors, in a random order that visits each once: on the centre squares very few are magic.
FactorRow find_split32_fold(const FindOptions& options, const SquareProblem& problem) {
  magic::Random random(seed_of(options, problem));
  const auto step = static_cast<std::uint32_t>(random.next() | 1);
  auto factor = static_cast<std::uint32_t>(random.next());
  magic::CollisionTest test;
  for (std::uint64_t tried = 0; tried <= 0xFFFFFFFF; ++tried, factor += step) {
    const auto index = [&](Bitboard o) { return (split32_fold(o) * factor) >> (32 - problem.bits()); };
    if (test.passes(problem, index)) return {factor, 0};
  }
  throw UserError("no 32-bit factor exists for the " + square_text(problem.piece, problem.square) +
                  " behind this fold");
}

/// A factor, and the last index that it uses; the first is 0, that of the empty board.
struct RangedFactor {
  std::uint64_t factor = 0;
  std::uint64_t highest = ~std::uint64_t{0};
};

constexpr unsigned fixed_bits(Piece piece) { return piece == Piece::bishop ? 9 : 12; }

RangedFactor range_of(const SquareProblem& problem, std::uint64_t factor) {
  RangedFactor range{factor, 0};
  for (const Bitboard o : problem.occupancies)
    range.highest = std::max(range.highest, (o * factor) >> (64 - fixed_bits(problem.piece)));
  return range;
}

/// Random factors with small products, then changes of one to three bits, as long as the range gets no longer. Finds
/// one however little time there is.
RangedFactor find_short_range(const FindOptions& options, const SquareProblem& problem, double seconds,
                              const std::stop_token& stop) {
  const unsigned bits = fixed_bits(problem.piece);
  magic::Random random(seed_of(options, problem));
  magic::SparseWords words(random.next());
  magic::CollisionTest test;
  RangedFactor best;
  RangedFactor current;
  const Deadline end(seconds);
  const auto goes_on = [&](unsigned round) { return round % 64 != 0 || !(end.is_over() || stop.stop_requested()); };
  for (unsigned stale = 0; best.factor == 0 || goes_on(stale);) {
    std::uint64_t candidate = words.next() >> (bits - problem.bits());
    if (current.factor != 0 && stale < 20'000) {
      candidate = current.factor;
      for (std::uint64_t flips = 1 + random.next() % 3; flips > 0; --flips) candidate ^= bit(random.next() % 64);
    }
    RangedFactor range{candidate, 0};
    const auto index = [&](Bitboard o) {
      const std::uint64_t i = (o * candidate) >> (64 - bits);
      range.highest = std::max(range.highest, i);
      return i;
    };
    const bool valid = test.passes(problem, index);
    if (current.factor != 0 && stale >= 20'000 && valid) current = range, stale = 0;  // a fresh start
    ++stale;
    if (!valid || range.highest > current.highest) continue;
    if (range.highest < current.highest) stale = 0;
    current = range;
    if (current.highest < best.highest) best = current;
  }
  return best;
}

/// Fewer indices than `known` uses, by the search square by square. It aims at 2^n of them, and after some failures
/// half-way nearer to what is known.
RangedFactor shorten_range(const FindOptions& options, const SquareProblem& problem, RangedFactor known, double seconds,
                           const std::stop_token& stop) {
  constexpr unsigned patience = 18;
  const unsigned bits = fixed_bits(problem.piece);
  const std::array plans{
      magic::SearchPlan{.index_bits = bits, .slots = 0, .budget = 20'000, .values = 64},
      magic::SearchPlan{.index_bits = bits, .slots = 0, .budget = 20'000, .values = 64, .short_terms = 1},
      magic::SearchPlan{.index_bits = bits, .slots = 0, .budget = 100'000, .values = 256}};
  magic::Random random(~seed_of(options, problem));
  magic::FactorSearch search(problem);
  std::uint64_t target = std::min(known.highest, std::uint64_t{1} << problem.bits());
  const Deadline end(seconds);
  for (unsigned failures = 0; !end.is_over() && known.highest > 1 && !stop.stop_requested();) {
    magic::SearchPlan plan = plans[failures % plans.size()];
    plan.slots = std::min(target, known.highest);
    if (const auto factor = search.find(plan, random)) {
      known = range_of(problem, *factor);
      target = known.highest - known.highest / 64;
      failures = 0;
    } else if (++failures % patience == 0) {
      target += (known.highest - std::min(target, known.highest) + 1) / 2;
    }
  }
  return known;
}

/// Puts the ranges one behind the other, the rooks' first.
void lay_out(const std::array<std::array<RangedFactor, 64>, 2>& ranges, FactorFile& file) {
  file.slots = 0;
  for (const bool rook : {true, false}) {
    for (Square s = 0; s < square_count; ++s) {
      const RangedFactor& range = ranges[rook ? 1 : 0][s];
      (rook ? file.rook : file.bishop)[s] = {range.factor, file.slots};
      file.slots += range.highest + 1;
    }
  }
}

void find_fixed_shift(const FindOptions& options, const std::optional<FactorFile>& start, FactorFile& file,
                      const FindProgress& progress, const std::stop_token& stop) {
  std::array<std::array<RangedFactor, 64>, 2> ranges;
  // First every square has some factor, so that what is saved on the way is whole.
  FactorFile begun = file;
  for_each_square(options, begun, [&](const SquareProblem& problem) -> FactorRow {
    const bool rook = problem.piece == Piece::rook;
    ranges[rook ? 1 : 0][problem.square] =
        start ? range_of(problem, (rook ? start->rook : start->bishop)[problem.square].factor)
              : find_short_range(options, problem, 0, stop);
    return {};
  });
  const double seconds = options.seconds * options.jobs / 128 / 2;  // of each of the two searches
  std::mutex one_at_a_time;
  for_each_square(options, begun, [&](const SquareProblem& problem) -> FactorRow {
    RangedFactor& known = ranges[problem.piece == Piece::rook ? 1 : 0][problem.square];
    RangedFactor best = find_short_range(options, problem, seconds, stop);
    if (known.highest <= best.highest) best = known;
    best = shorten_range(options, problem, best, seconds, stop);
    const std::lock_guard lock(one_at_a_time);
    if (best.highest >= known.highest) return {};
    known = best;
    lay_out(ranges, file);
    if (progress)
      progress(square_text(problem.piece, problem.square) + ": " + std::to_string(best.highest + 1) + " slots");
    if (options.checkpoint && (!start || file.slots < start->slots)) options.checkpoint(file);
    return {};
  });
  lay_out(ranges, file);
  if (start && start->slots <= file.slots) file = *start;
}

FactorFile find_overlapped(const FindOptions& options, const std::optional<FactorFile>& start,
                           const FindProgress& progress, const std::stop_token& stop) {
  double next_save = 0;
  std::uint64_t saved_slots = start ? start->slots : ~std::uint64_t{0};
  const auto report = [&](const FactorFile& best, double elapsed, std::size_t used) {
    if (options.checkpoint && best.slots < saved_slots && elapsed >= next_save) {
      options.checkpoint(best);
      next_save = elapsed + seconds_between_saves;
      saved_slots = best.slots;
    }
    if (progress) {
      progress(std::to_string(static_cast<long>(elapsed)) + " s: " + std::to_string(best.slots) + " slots, " +
               std::to_string(used) + " in use");
    }
  };
  return search_overlap(options, start, report, stop);
}

}  // namespace

FactorFile find_factors(const FindOptions& options, const std::optional<FactorFile>& start,
                        const FindProgress& progress, const std::stop_token& stop) {
  FactorFile file{.variant = options.variant};
  const std::string_view name = options.variant->name;
  if (name == "dense") {
    find_dense(options, start, file, progress, stop);
  } else if (name == "fixed_shift") {
    find_fixed_shift(options, start, file, progress, stop);
  } else if (name == "overlapped" || name == "black") {
    return find_overlapped(options, start, progress, stop);
  } else if (name == "split32") {
    for_each_square(options, file, [&](const SquareProblem& problem) { return find_split32(options, problem); });
  } else if (name == "split32_fold") {
    for_each_square(options, file, [&](const SquareProblem& problem) { return find_split32_fold(options, problem); });
  } else {
    const bool packed = name == "packed_shift";
    for_each_square(options, file, [&](const SquareProblem& problem) -> FactorRow {
      const unsigned n = problem.bits();
      const magic::FixedBits shift{~std::uint64_t{0} << 58, std::uint64_t{64 - n} << 58};
      return {find_sparse_factor(problem, n, seed_of(options, problem), packed ? shift : magic::FixedBits{}), 0};
    });
  }
  return file;
}

}  // namespace slidebench
