// SPDX-License-Identifier: MIT
//
// Kogge-Stone fill, AVX-512: the eight directions of a queen in one register.
//
// VPROLVQ rotates each 64-bit lane by a count of its own. A rotation left by 64 - n is a rotation right by n, so one
// instruction steps all lanes, whichever way; and what used to fall off the board now comes back on the other side:
//
//      lane                  north   northeast   east   northwest   south   southwest   west   southeast
//      rotate left by        8       9           1      7           56      55          63     57
//      guard: not rank       1       1           -      1           8       8           -      8
//             not file       -       a           a      h           -       h           h      a
//
// A guard holds the squares that a step of its direction can rightly reach. It cuts both kinds of wrapping, over the
// sides of the board and over its ends, out of the empty squares and out of the last step. VPTERNLOGQ does the AND and
// the OR of a fill step at once, so that the fill of eight directions takes 13 instructions:
//
//      p = empty & guard   1     g |= p & rotate(g)   2, three times     p &= rotate(p)   2, twice
//      attacks = rotate(g) & guard   2
//
// Orthogonal and diagonal lanes alternate: halving the register twice leaves the rook's set and the bishop's, and for a
// set query rooks and bishops are filled together, each in its own lanes. One bishop or rook needs half a register.
//
// A batch turns the registers round: a lane is a slider, all lanes go the same way, and the eight directions (four, if
// all are bishops or all rooks) follow one another.
//
// Inventors: S. Westcott (the fill, 2002); 87flowers (Reckless, January 2026) put a side's sliders into one register.
// Source: https://github.com/codedeliveryservice/Reckless/pull/688; Chessprogramming wiki, Kogge-Stone Algorithm.
// Tables: none; 512 bytes of vector constants, which a loop keeps in registers. Loads per query: none. Relies on:
// AVX-512F and VL. One query waits for a chain of about 25 cycles; its throughput and its set queries are the strength.
#pragma once

#if !defined(__AVX512F__) || !defined(__AVX512VL__)
#error "kogge_stone_avx512 needs AVX-512F and VL: compile for x86-64-v4 or with -mavx512vl"
#endif

#include <immintrin.h>

#include "methods/method.hpp"

namespace slidebench {

struct KoggeStoneAvx512 {
  static constexpr MethodInfo info{.id = "kogge_stone_avx512",
                                   .title = "Kogge-Stone fill, AVX-512",
                                   .family = "fill",
                                   .inventor = "S. Westcott, 87flowers",
                                   .year = 2026,
                                   .reference = "https://github.com/codedeliveryservice/Reckless/pull/688",
                                   .requires_isa = Isa::avx512f | Isa::avx512vl};
  static constexpr auto tables = no_tables;

  static Bitboard bishop(Square s, Bitboard occupied) { return unite(halve(from_square<DiagonalLanes>(s, occupied))); }
  static Bitboard rook(Square s, Bitboard occupied) { return unite(halve(from_square<OrthogonalLanes>(s, occupied))); }
  static Bitboard queen(Square s, Bitboard occupied) { return unite(halve(halve(from_square<AllLanes>(s, occupied)))); }

  static BishopRook both(Square s, Bitboard occupied) {
    const __m128i attacks = halve(halve(from_square<AllLanes>(s, occupied)));
    return {high_word(attacks), low_word(attacks)};
  }

  static Bitboard set_attacks(Bitboard diagonal_sliders, Bitboard orthogonal_sliders, Bitboard occupied) {
    const __m512i sliders = _mm512_mask_set1_epi64(everywhere<AllLanes>(orthogonal_sliders), AllLanes::diagonal,
                                                   static_cast<long long>(diagonal_sliders));
    return unite(halve(halve(fill<AllLanes>(sliders, ~everywhere<AllLanes>(occupied)))));
  }

  static void batch(const SliderBatch& sliders, Bitboard occupied, Bitboard* attacks) {
    const __m512i empty = ~everywhere<AllLanes>(occupied);
    std::uint64_t diagonal = bit(sliders.diagonal_end()) - 1;
    std::uint64_t orthogonal = ~Bitboard{0} << sliders.orthogonal_begin();
    for (unsigned first = 0; first < sliders.size(); first += 8, diagonal >>= 8, orthogonal >>= 8) {
      const __m512i eight = squares_of(sliders.squares + first);
      const auto diagonal_lanes = static_cast<__mmask8>(diagonal);
      const auto orthogonal_lanes = static_cast<__mmask8>(orthogonal);
      __m512i sets = everywhere<AllLanes>(0);
      if (diagonal_lanes != 0) sets = _mm512_maskz_mov_epi64(diagonal_lanes, fill_four<1>(eight, empty));
      if (orthogonal_lanes != 0) {
        sets = _mm512_mask_or_epi64(sets, orthogonal_lanes, sets, fill_four<0>(eight, empty));
      }
      _mm512_storeu_si512(attacks + first, sets);
    }
  }

 private:
  /// All lanes go in the direction of this number in the order of of().
  template <unsigned direction>
  struct SliderLanes {
    using Vector = __m512i;
    template <class... Words>
    static Vector of(Words... words) {
      const Bitboard each[] = {words...};
      return _mm512_set1_epi64(as_signed(each[direction]));
    }
  };

  /// In each lane, the squares that its slider attacks in the four directions of the same parity.
  template <unsigned first>
  static __m512i fill_four(__m512i sliders, __m512i empty) {
    return fill<SliderLanes<first>>(sliders, empty) | fill<SliderLanes<first + 2>>(sliders, empty) |
           fill<SliderLanes<first + 4>>(sliders, empty) | fill<SliderLanes<first + 6>>(sliders, empty);
  }

  static __m512i squares_of(const std::uint8_t* squares) {
    const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(squares));
    return _mm512_sllv_epi64(_mm512_set1_epi64(1), _mm512_cvtepu8_epi64(bytes));
  }

  /// The lanes of a register: of() makes one from a word for each direction.
  struct OrthogonalLanes {
    using Vector = __m256i;
    static Vector of(Bitboard n, Bitboard, Bitboard e, Bitboard, Bitboard s, Bitboard, Bitboard w, Bitboard) {
      return _mm256_setr_epi64x(as_signed(n), as_signed(e), as_signed(s), as_signed(w));
    }
  };

  struct DiagonalLanes {
    using Vector = __m256i;
    static Vector of(Bitboard, Bitboard ne, Bitboard, Bitboard nw, Bitboard, Bitboard sw, Bitboard, Bitboard se) {
      return _mm256_setr_epi64x(as_signed(ne), as_signed(nw), as_signed(sw), as_signed(se));
    }
  };

  struct AllLanes {
    using Vector = __m512i;
    static constexpr __mmask8 diagonal = 0b10101010;
    static Vector of(Bitboard n, Bitboard ne, Bitboard e, Bitboard nw, Bitboard s, Bitboard sw, Bitboard w,
                     Bitboard se) {
      return _mm512_setr_epi64(as_signed(n), as_signed(ne), as_signed(e), as_signed(nw), as_signed(s), as_signed(sw),
                               as_signed(w), as_signed(se));
    }
  };

  static constexpr long long as_signed(Bitboard b) { return static_cast<long long>(b); }

  template <class Lanes>
  static typename Lanes::Vector everywhere(Bitboard b) {
    return Lanes::of(b, b, b, b, b, b, b, b);
  }

  /// The squares on which one step in the direction of each lane can rightly arrive.
  template <class Lanes>
  static typename Lanes::Vector guard() {
    return Lanes::of(~first_rank, ~(first_rank | a_file), ~a_file, ~(first_rank | h_file), ~eighth_rank,
                     ~(eighth_rank | h_file), ~h_file, ~(eighth_rank | a_file));
  }

  /// Moves each lane by `steps` steps in its direction, without a guard.
  template <class Lanes, unsigned steps>
  static typename Lanes::Vector move(typename Lanes::Vector v) {
    return rotate(v, Lanes::of(8 * steps, 9 * steps, 1 * steps, 7 * steps, 64 - 8 * steps, 64 - 9 * steps,
                               64 - 1 * steps, 64 - 7 * steps));
  }
  static __m256i rotate(__m256i v, __m256i counts) { return _mm256_rolv_epi64(v, counts); }
  static __m512i rotate(__m512i v, __m512i counts) { return _mm512_rolv_epi64(v, counts); }

  /// a | (b & c). The constant is the truth table of it: bit 4a + 2b + c is the result for the bits a, b and c.
  static __m256i or_and(__m256i a, __m256i b, __m256i c) { return _mm256_ternarylogic_epi64(a, b, c, 0b11111000); }
  static __m512i or_and(__m512i a, __m512i b, __m512i c) { return _mm512_ternarylogic_epi64(a, b, c, 0b11111000); }

  /// In each lane, the squares attacked in its direction by any of its sliders.
  template <class Lanes, class Vector = typename Lanes::Vector>
  static Vector fill(Vector sliders, Vector empty) {
    Vector g = sliders;
    Vector p = empty & guard<Lanes>();
    g = or_and(g, p, move<Lanes, 1>(g));
    p = p & move<Lanes, 1>(p);
    g = or_and(g, p, move<Lanes, 2>(g));
    p = p & move<Lanes, 2>(p);
    g = or_and(g, p, move<Lanes, 4>(g));
    return move<Lanes, 1>(g) & guard<Lanes>();
  }

  template <class Lanes>
  static typename Lanes::Vector from_square(Square s, Bitboard occupied) {
    return fill<Lanes>(everywhere<Lanes>(bit(s)), ~everywhere<Lanes>(occupied));
  }

  /// The union of both halves.
  static __m256i halve(__m512i v) { return _mm512_extracti64x4_epi64(v, 1) | _mm512_castsi512_si256(v); }
  static __m128i halve(__m256i v) { return _mm256_extracti128_si256(v, 1) | _mm256_castsi256_si128(v); }
  static Bitboard unite(__m128i v) { return low_word(v | _mm_unpackhi_epi64(v, v)); }

  static Bitboard low_word(__m128i v) { return static_cast<Bitboard>(_mm_cvtsi128_si64(v)); }
  static Bitboard high_word(__m128i v) { return low_word(_mm_unpackhi_epi64(v, v)); }
};

}  // namespace slidebench
