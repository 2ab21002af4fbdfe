// SPDX-License-Identifier: MIT
#include "harness/plugin/verification.hpp"

#include <fmt/core.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <new>
#include <random>
#include <span>
#include <vector>

#include "harness/chess/squares.hpp"
#include "harness/plugin/board_storage.hpp"
#include "methods/reference.hpp"

namespace slidebench {
namespace {

std::string hex(Bitboard b) { return fmt::format("0x{:016X}", b); }

/// Room for the words of a batch between pages that may not be touched: a write beyond it is a crash, which has the
/// method's name.
class GuardedRoom {
 public:
  GuardedRoom() : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
    pages_ = static_cast<char*>(mmap(nullptr, 3 * page_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (pages_ == MAP_FAILED || mprotect(pages_ + page_, page_, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
  }
  GuardedRoom(const GuardedRoom&) = delete;
  GuardedRoom& operator=(const GuardedRoom&) = delete;
  ~GuardedRoom() { munmap(pages_, 3 * page_); }

  /// Room that begins with the page.
  Bitboard* front() { return reinterpret_cast<Bitboard*>(pages_ + page_); }
  /// Room that ends with it.
  Bitboard* back() { return reinterpret_cast<Bitboard*>(pages_ + 2 * page_) - SliderBatch::room; }

 private:
  std::size_t page_;
  char* pages_;
};

/// Compares answers with the oracle's, and remembers the first difference.
class Comparison {
 public:
  explicit Comparison(const std::string& id) : id_(id) {}

  bool failed() const { return result_.counter_example.has_value(); }
  const VerificationResult& result() const { return result_; }

  /// `what` and `part` name the query, for the counter-example only.
  void expect(Bitboard expected, Bitboard got, const char* what, Square s, Bitboard occupied, const char* part = "") {
    ++result_.answers;
    if (expected == got || failed()) return;
    result_.counter_example = id_ + ": " + what + part + " on " + square_name(s) + ", occupied " + hex(occupied) +
                              ": expected " + hex(expected) + ", got " + hex(got);
  }

  void expect_both(const BishopRook& got, const char* what, Square s, Bitboard occupied) {
    expect(reference::bishop(s, occupied), got.bishop, what, s, occupied, " (bishop set)");
    expect(reference::rook(s, occupied), got.rook, what, s, occupied, " (rook set)");
  }

  void expect_union(Bitboard expected, Bitboard got, Bitboard diagonal, Bitboard orthogonal, Bitboard occupied) {
    ++result_.answers;
    if (expected == got || failed()) return;
    result_.counter_example = id_ + ": set_attacks of diagonal sliders " + hex(diagonal) + ", orthogonal sliders " +
                              hex(orthogonal) + ", occupied " + hex(occupied) + ": expected " + hex(expected) +
                              ", got " + hex(got);
  }

  /// No answer is asked for; but a timed board is checked by its words alone.
  void expect_words(std::span<const Bitboard> built, std::span<const Bitboard> got, const char* what,
                    Bitboard occupied) {
    if (failed() || std::equal(built.begin(), built.end(), got.begin(), got.end())) return;
    result_.counter_example =
        id_ + ": " + what + ", occupied " + hex(occupied) + ": other words than those of a board built for it";
  }

 private:
  std::string id_;
  VerificationResult result_;
};

using Query = Bitboard (*)(Square, Bitboard);

/// The subsets of a mask, each once.
std::vector<Bitboard> subsets_of(Bitboard mask) {
  std::vector<Bitboard> subsets;
  Bitboard subset = 0;
  do {
    subsets.push_back(subset);
    subset = next_subset(subset, mask);
  } while (subset != 0);
  return subsets;
}

/// Every occupancy of the slider's lines, their ends too: alone on the board, and with noise on all other squares and
/// the slider's own bit off and on.
void check_lines(Comparison& check, const char* what, Query query, Query oracle, Bitboard (*relevant)(Square),
                 std::mt19937_64& random) {
  for (Square s = 0; s < square_count && !check.failed(); ++s) {
    const Bitboard lines = oracle(s, 0);
    const std::vector<Bitboard> ends = subsets_of(lines & ~relevant(s));
    for (const Bitboard subset : subsets_of(relevant(s))) {
      const Bitboard expected = oracle(s, subset);
      for (const Bitboard end : ends) {
        const Bitboard alone = subset | end;
        const Bitboard noisy = alone | (random() & ~lines & ~bit(s));
        for (const Bitboard occupied : {alone, noisy, noisy | bit(s)}) {
          check.expect(expected, query(s, occupied), what, s, occupied);
        }
      }
    }
  }
}

/// What stands on the squares that an answer does not depend on: nothing, something everywhere, on one of them, or
/// noise.
Bitboard elsewhere(Bitboard irrelevant, std::mt19937_64& random) {
  const Bitboard word = random();
  switch (word >> 62) {
    case 0: return 0;
    case 1: return irrelevant;
    case 2: return bit(static_cast<Square>(word % 64)) & irrelevant;
    default: return word & irrelevant;
  }
}

/// A slider's attacks on each subset of its relevant occupancy.
struct SubsetAttacks {
  SubsetAttacks(Bitboard mask, Query oracle, Square s) : subsets(subsets_of(mask)) {
    for (const Bitboard subset : subsets) attacks.push_back(oracle(s, subset));
  }

  std::vector<Bitboard> subsets;
  std::vector<Bitboard> attacks;
};

/// Queen and both on every joint relevant occupancy of the two sliders, 6,946,816 in all, or on every Nth.
void check_joint_occupancies(Comparison& check, const OccupancyQueries& queries, std::size_t every,
                             std::mt19937_64& random) {
  std::size_t next = random() % every;
  for (Square s = 0; s < square_count && !check.failed(); ++s) {
    const SubsetAttacks bishop(bishop_relevant(s), reference::bishop, s), rook(rook_relevant(s), reference::rook, s);
    const Bitboard irrelevant = ~(bishop_relevant(s) | rook_relevant(s));
    const std::size_t cases = bishop.subsets.size() * rook.subsets.size();
    for (; next < cases; next += every) {
      const std::size_t b = next / rook.subsets.size(), r = next % rook.subsets.size();
      const Bitboard occupied = bishop.subsets[b] | rook.subsets[r] | elsewhere(irrelevant, random);
      check.expect(bishop.attacks[b] | rook.attacks[r], queries.queen(s, occupied), "queen", s, occupied);
      const BishopRook both = queries.both(s, occupied);
      check.expect(bishop.attacks[b], both.bishop, "both", s, occupied, " (bishop set)");
      check.expect(rook.attacks[r], both.rook, "both", s, occupied, " (rook set)");
    }
    next -= cases;
  }
}

/// A board with few, some or many pieces.
Bitboard random_board(std::mt19937_64& random) {
  const std::uint64_t density = random() % 4;
  const Bitboard word = random();
  if (density == 0) return word & random() & random();
  if (density == 1) return word & random();
  if (density == 2) return word;
  return word | random();
}

void check_random_boards(Comparison& check, const OccupancyQueries& queries, std::uint64_t boards,
                         std::mt19937_64& random) {
  for (std::uint64_t i = 0; i < boards && !check.failed(); ++i) {
    const Bitboard occupied = random_board(random);
    const Square s = static_cast<Square>(random() % 64);
    check.expect(reference::queen(s, occupied), queries.queen(s, occupied), "queen", s, occupied);
    check.expect_both(queries.both(s, occupied), "both", s, occupied);
  }
}

Bitboard union_of_attacks(Bitboard diagonal, Bitboard orthogonal, Bitboard occupied) {
  Bitboard attacks = 0;
  while (diagonal != 0) attacks |= reference::bishop(pop_lowest(diagonal), occupied);
  while (orthogonal != 0) attacks |= reference::rook(pop_lowest(orthogonal), occupied);
  return attacks;
}

/// Of a set of squares few, some, half, most or all.
Bitboard part_of(Bitboard squares, std::mt19937_64& random) {
  return random() % 5 == 0 ? squares : squares & random_board(random);
}

void check_slider_sets(Comparison& check, const OccupancyQueries& queries, std::uint64_t boards,
                       std::mt19937_64& random) {
  for (std::uint64_t i = 0; i < boards && !check.failed(); ++i) {
    const Bitboard occupied = random_board(random);
    const Bitboard sliders = part_of(occupied, random);
    const Bitboard diagonal = part_of(sliders, random);
    const Bitboard orthogonal = (sliders & ~diagonal) | part_of(diagonal, random);  // a queen is in both
    check.expect_union(union_of_attacks(diagonal, orthogonal, occupied),
                       queries.set_attacks(diagonal, orthogonal, occupied), diagonal, orthogonal, occupied);
  }
}

/// A batch of so many sliders of drawn kinds on any squares; what follows the last is noise.
SliderBatch random_batch(unsigned size, std::mt19937_64& random) {
  SliderBatch sliders;
  for (std::uint8_t& square : sliders.squares) square = static_cast<std::uint8_t>(random() % 64);
  sliders.bishops = static_cast<std::uint8_t>(random() % (size + 1));
  sliders.queens = static_cast<std::uint8_t>(random() % (size + 1 - sliders.bishops));
  sliders.rooks = static_cast<std::uint8_t>(size - sliders.bishops - sliders.queens);
  return sliders;
}

/// Batches of every length, with their room now at the front and now at the back of a page. Beyond it a method must not
/// write: there another page begins, or words must stay.
void check_batches(Comparison& check, const OccupancyQueries& queries, std::uint64_t batches, std::mt19937_64& random) {
  constexpr Bitboard untouched = 0x5EA1ED5EA1ED5EA1;
  constexpr unsigned lengths = SliderBatch::capacity + 1, beyond = 8;
  GuardedRoom room;
  for (std::uint64_t i = 0; i < batches && !check.failed(); ++i) {
    const Bitboard occupied = random_board(random);
    const unsigned size = static_cast<unsigned>(i % lengths);
    const SliderBatch sliders = random_batch(size, random);
    const bool at_front = i / lengths % 2 == 0;
    Bitboard* const attacks = at_front ? room.front() : room.back();
    const unsigned words = SliderBatch::room + (at_front ? beyond : 0);
    std::fill_n(attacks, words, untouched);
    queries.batch(sliders, occupied, attacks);
    for (unsigned n = 0; n < size; ++n) {
      const Square s = sliders.squares[n];
      const Bitboard bishop = n < sliders.diagonal_end() ? reference::bishop(s, occupied) : 0;
      const Bitboard rook = n >= sliders.orthogonal_begin() ? reference::rook(s, occupied) : 0;
      check.expect(bishop | rook, attacks[n], "batch", s, occupied);
    }
    for (unsigned n = SliderBatch::room; n < words; ++n) {
      check.expect(untouched, attacks[n], "batch", sliders.squares[0], occupied, " (a word beyond its room)");
    }
  }
}

void check_position(Comparison& check, const BoardStorage& board, const char* what, Bitboard occupied) {
  for (Square s = 0; s < square_count; ++s) check.expect_both(board.both(s), what, s, occupied);
}

/// The board along a game: built anew at every position, toggled forwards, and toggled back to the start.
void check_board(Comparison& check, const BoardQueries& queries, std::span<const Bitboard> game) {
  if (game.empty()) return;
  BoardStorage toggled(queries);
  BoardStorage rebuilt(queries);
  toggled.build(game[0]);
  for (std::size_t i = 0; i < game.size() && !check.failed(); ++i) {
    if (i > 0) toggled.toggle(game[i - 1] ^ game[i]);
    rebuilt.build(game[i]);
    check_position(check, rebuilt, "board built for the position", game[i]);
    check_position(check, toggled, "board toggled forwards", game[i]);
    check.expect_words(rebuilt.words(), toggled.words(), "board toggled forwards", game[i]);
  }
  for (std::size_t i = game.size() - 1; i > 0 && !check.failed(); --i) {
    toggled.toggle(game[i] ^ game[i - 1]);
    rebuilt.build(game[i - 1]);
    check_position(check, toggled, "board toggled backwards", game[i - 1]);
    check.expect_words(rebuilt.words(), toggled.words(), "board toggled backwards", game[i - 1]);
  }
}

}  // namespace

VerificationResult verify_method(const PluginDescriptor& method, const VerificationOptions& options,
                                 std::span<const Bitboard> game) {
  std::mt19937_64 random(options.seed);
  Comparison check(method.info.id);
  check_lines(check, "bishop", method.queries.bishop, reference::bishop, bishop_relevant, random);
  check_lines(check, "rook", method.queries.rook, reference::rook, rook_relevant, random);
  check_joint_occupancies(check, method.queries, options.joint_every, random);
  check_random_boards(check, method.queries, options.random_boards, random);
  check_slider_sets(check, method.queries, options.random_boards / 2, random);
  check_batches(check, method.queries, options.random_boards / 2, random);
  check_board(check, method.board, game);
  return check.result();
}

}  // namespace slidebench
