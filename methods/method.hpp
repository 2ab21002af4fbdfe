// SPDX-License-Identifier: MIT
//
// The contract between a method and everything that measures it.
//
// A method is a struct with an `info` and two static functions, bishop and rook. What else it defines (queen, both,
// set_attacks, batch, a Board of its own) is found here by the concept; what it leaves out is derived. For every
// method:
//   - an attack set holds the squares that a slider on s reaches: the first blocker of either colour included, s not;
//   - the result depends neither on bit s of the occupancy nor on squares off the lines through s.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>

#include "methods/batch.hpp"
#include "methods/bitboard.hpp"
#include "methods/table.hpp"

namespace slidebench {

/// Instruction sets that a method can need, beyond x86-64-v1 or of AArch64: a set of flags.
enum class Isa : std::uint32_t {
  none = 0,
  ssse3 = 1u << 0,
  popcnt = 1u << 1,
  lzcnt = 1u << 2,
  bmi1 = 1u << 3,
  bmi2 = 1u << 4,
  avx2 = 1u << 5,
  fma = 1u << 6,
  avx512f = 1u << 7,
  avx512bw = 1u << 8,
  avx512dq = 1u << 9,
  avx512vl = 1u << 10,
  avx512cd = 1u << 11,
  avx512vbmi = 1u << 12,
  avx512bitalg = 1u << 13,
  gfni = 1u << 14,
  neon = 1u << 15,  // every AArch64 with an operating system has it
  sve2 = 1u << 16,
  sve2_bitperm = 1u << 17,
  avx512vbmi2 = 1u << 18,
  simd128 = 1u << 19,  // of WebAssembly
};
constexpr Isa operator|(Isa a, Isa b) {
  return static_cast<Isa>(static_cast<std::uint32_t>(a) | static_cast<std::uint32_t>(b));
}
constexpr Isa operator&(Isa a, Isa b) {
  return static_cast<Isa>(static_cast<std::uint32_t>(a) & static_cast<std::uint32_t>(b));
}
constexpr Isa operator~(Isa a) { return static_cast<Isa>(~static_cast<std::uint32_t>(a)); }

/// What is printed about a method, wherever it is printed.
struct MethodInfo {
  const char* id;         ///< file stem, CMake name, CSV value, legend: the one name
  const char* title;      ///< for people
  const char* family;     ///< folder under methods/
  const char* inventor;   ///< who had the idea
  int year;               ///< when it was published
  const char* reference;  ///< where
  Isa requires_isa;       ///< what the algorithm needs, whatever level it is compiled for
};

/// One lookup table of a method: its name, where it lies, and its size without alignment padding.
struct TableInfo {
  const char* name;
  const void* address;
  std::size_t bytes;
};

template <class T, std::size_t N>
constexpr TableInfo table_info(const char* name, const Table<T, N>& table) {
  return {name, table.data, Table<T, N>::bytes};
}

/// What a method without tables says: `static constexpr auto tables = no_tables`. Of one that says nothing the tables
/// are unknown.
inline constexpr std::array<TableInfo, 0> no_tables{};

/// The bishop set and the rook set of one square.
struct BishopRook {
  Bitboard bishop;
  Bitboard rook;
};

/// The board of a method without state: the occupancy and nothing else.
struct PlainBoard {
  Bitboard occupied;

  explicit constexpr PlainBoard(Bitboard o) : occupied(o) {}
  constexpr void toggle(Bitboard changed) { occupied ^= changed; }
  constexpr operator Bitboard() const { return occupied; }
};

/// A method that keeps more than the occupancy (rotated bitboards): Board is built from an occupancy and kept up to
/// date by toggle(changed squares); its queries take `const Board&` where those of other methods take a Bitboard.
/// A board is whole 64-bit words without gaps, and the words depend on the occupancy alone: a board that was toggled
/// there has the words of one that was built for it. By them a timed board is checked without asking it anything.
template <class M>
concept HasBoard = std::constructible_from<typename M::Board, Bitboard> &&
    requires(typename M::Board board, Bitboard changed) {
  board.toggle(changed);
};

template <class M>
struct BoardChoice {
  using type = PlainBoard;
};
template <HasBoard M>
struct BoardChoice<M> {
  using type = typename M::Board;
};

/// What a method's queries are asked of: its own Board, or a PlainBoard.
template <class M>
using BoardOf = typename BoardChoice<M>::type;

template <class M>
concept AttackMethod = requires(Square s, const BoardOf<M>& board) {
  { M::info } -> std::convertible_to<const MethodInfo&>;
  { M::bishop(s, board) } -> std::same_as<Bitboard>;
  { M::rook(s, board) } -> std::same_as<Bitboard>;
};

/// Queen attacks: the method's own, or the union of its bishop and rook.
template <AttackMethod M>
constexpr Bitboard queen_attacks(Square s, const BoardOf<M>& board) {
  if constexpr (requires { M::queen(s, board); }) {
    return M::queen(s, board);
  } else {
    return M::bishop(s, board) | M::rook(s, board);
  }
}

/// The bishop and the rook set of one square: the method's own, or one query each.
template <AttackMethod M>
constexpr BishopRook both_attacks(Square s, const BoardOf<M>& board) {
  if constexpr (requires { M::both(s, board); }) {
    return M::both(s, board);
  } else {
    return {M::bishop(s, board), M::rook(s, board)};
  }
}

/// The union of the attacks of many sliders (queens stand in both sets): the method's own, or a loop over the sliders.
template <AttackMethod M>
constexpr Bitboard set_attacks(Bitboard diagonal_sliders, Bitboard orthogonal_sliders, const BoardOf<M>& board) {
  if constexpr (requires { M::set_attacks(diagonal_sliders, orthogonal_sliders, board); }) {
    return M::set_attacks(diagonal_sliders, orthogonal_sliders, board);
  } else {
    Bitboard attacks = 0;
    while (diagonal_sliders != 0) attacks |= M::bishop(pop_lowest(diagonal_sliders), board);
    while (orthogonal_sliders != 0) attacks |= M::rook(pop_lowest(orthogonal_sliders), board);
    return attacks;
  }
}

/// Whether a method answers a batch of sliders by something else than a query for each.
template <class M>
concept HasBatch = requires(const SliderBatch& sliders, const BoardOf<M>& board, Bitboard* attacks) {
  M::batch(sliders, board, attacks);
};

/// The attacks of every slider of a batch, in its order, each apart: the method's own, or a query for each slider.
/// `attacks` has room for SliderBatch::room words, of which those after the last answer may be overwritten.
template <AttackMethod M>
constexpr void batch_attacks(const SliderBatch& sliders, const BoardOf<M>& board, Bitboard* attacks) {
  if constexpr (HasBatch<M>) {
    M::batch(sliders, board, attacks);
  } else {
    batch_by_queries(
        sliders, attacks, [&board](Square s) { return M::bishop(s, board); },
        [&board](Square s) { return queen_attacks<M>(s, board); }, [&board](Square s) { return M::rook(s, board); });
  }
}

/// Builds the large tables of a method that has any. Call once, before the first query.
template <AttackMethod M>
void initialise() {
  if constexpr (requires { M::init(); }) M::init();
}

}  // namespace slidebench
