// SPDX-License-Identifier: MIT
//
// Hyperbola quintessence for eight sliders at once: each slider a lane, each line a step (structure of arrays).
//
// A single query has four lines for its lanes, and pays for the way into vector registers and back. A batch has one
// lane a slider, and the answers leave by one store:
//
//      lane        7    6    5    4    3    2    1    0
//      squares     .    .    h8   a8   d8   d1   f1   c1        VPMOVZXBQ of eight bytes
//      kinds                 R    R    Q    Q    B    B         two masks from three numbers (batch.hpp)
//      attacks = (diagonal | antidiagonal) in the lanes of bishops and queens
//              | (file | rank)             in the lanes of queens and rooks
//
// No table: the lines come from the squares. There are 15 diagonals, 15 antidiagonals, 8 files and 8 ranks, all of
// which lie in registers, and a permutation picks one for each lane, by (rank - file) modulo 16, rank + file, file,
// rank. A line with one square a rank takes the steps of `hyperbola`, with VPSHUFB to turn the ranks and VPTERNLOGQ for
// the last two:
//
//      x = o & line     (x - r) ^ swap(swap(x) - swap(r)) & line         the slider's own bit drops out of the XOR
//
// A rank cannot be turned so. To the east it takes the subtraction; to the west VPLZCNTQ finds the blocker, and VPSRAVQ
// makes a mask of all that is not below it (as in `ray_masks_avx512`).
//
// Single queries are those of `hyperbola_avx2`.
//
// Inventors: of the hyperbola see `hyperbola`; lanes of sliders, with lines by permutation: this project (2026).
// Source: this file. Tables: those of the single queries, 4,608 bytes; a batch has 384 bytes of vector constants.
// Loads: a batch of up to eight 1, and its constants. Relies on: AVX-512F, BW, CD.
#pragma once

#if !defined(__AVX512F__) || !defined(__AVX512BW__) || !defined(__AVX512CD__)
#error "hyperbola_avx512 needs AVX-512F, BW and CD: compile for x86-64-v4 or with -mavx512f -mavx512bw -mavx512cd"
#endif

#include <immintrin.h>

#include "methods/calculation/hyperbola_avx2.hpp"
#include "methods/method.hpp"

namespace slidebench {

struct HyperbolaAvx512 : HyperbolaAvx2 {
  static constexpr MethodInfo info{.id = "hyperbola_avx512",
                                   .title = "Hyperbola quintessence, eight sliders (AVX-512)",
                                   .family = "calculation",
                                   .inventor = "slidebench, after G. Isenberg",
                                   .year = 2026,
                                   .reference = "methods/calculation/hyperbola_avx512.hpp",
                                   .requires_isa = Isa::avx2 | Isa::avx512f | Isa::avx512bw | Isa::avx512cd};

  static void batch(const SliderBatch& sliders, Bitboard occupied, Bitboard* attacks) {
    std::uint64_t diagonal = bit(sliders.diagonal_end()) - 1;
    std::uint64_t orthogonal = ~Bitboard{0} << sliders.orthogonal_begin();
    for (unsigned first = 0; first < sliders.size(); first += 8, diagonal >>= 8, orthogonal >>= 8) {
      const Sliders eight(sliders.squares + first, occupied);
      const auto diagonal_lanes = static_cast<__mmask8>(diagonal);
      const auto orthogonal_lanes = static_cast<__mmask8>(orthogonal);
      __m512i sets = _mm512_setzero_si512();
      if (diagonal_lanes != 0) sets = _mm512_maskz_mov_epi64(diagonal_lanes, eight.diagonals());
      if (orthogonal_lanes != 0) sets = _mm512_mask_or_epi64(sets, orthogonal_lanes, sets, eight.orthogonals());
      _mm512_storeu_si512(attacks + first, sets);
    }
  }

 private:
  // Truth tables of VPTERNLOGQ: bit 4a + 2b + c is the result for the bits a, b and c.
  static constexpr int xor_and = 0b00101000;  ///< (a ^ b) & c
  static constexpr int or_and = 0b11111000;   ///< a | (b & c)

  /// Eight words for a register, or two registers that are looked up as one.
  struct alignas(64) Eight {
    Bitboard word[8];
  };
  struct alignas(64) Sixteen {
    Bitboard word[16];
  };

  /// The diagonal at (rank - file) modulo 16, the antidiagonal at rank + file.
  static constexpr Sixteen diagonal_by_difference = [] {
    Sixteen lines{};
    for (Square s = 0; s < 64; ++s) lines.word[(rank_of(s) - file_of(s)) & 15] = diagonal_mask(s) | bit(s);
    return lines;
  }();
  static constexpr Sixteen antidiagonal_by_sum = [] {
    Sixteen lines{};
    for (Square s = 0; s < 64; ++s) lines.word[rank_of(s) + file_of(s)] = antidiagonal_mask(s) | bit(s);
    return lines;
  }();
  static constexpr Eight rank_by_number = [] {
    Eight lines{};
    for (unsigned rank = 0; rank < 8; ++rank) lines.word[rank] = first_rank << 8 * rank;
    return lines;
  }();

  static __m512i load(const Bitboard* words) { return _mm512_load_si512(words); }
  static __m512i everywhere(Bitboard b) { return _mm512_set1_epi64(static_cast<long long>(b)); }

  /// The board upside down, in each lane.
  static __m512i swap(__m512i lanes) {
    const __m128i order = _mm_set_epi64x(0x08090A0B0C0D0E0F, 0x0001020304050607);
    return _mm512_shuffle_epi8(lanes, _mm512_broadcast_i32x4(order));
  }

  /// Eight sliders, each a lane.
  class Sliders {
   public:
    Sliders(const std::uint8_t* squares, Bitboard occupied)
        : squares_(_mm512_cvtepu8_epi64(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(squares)))),
          files_(_mm512_and_si512(squares_, everywhere(7))),
          ranks_(_mm512_srli_epi64(squares_, 3)),
          slider_(_mm512_sllv_epi64(everywhere(1), squares_)),
          others_(_mm512_andnot_si512(slider_, everywhere(occupied))) {}

    __m512i diagonals() const {
      const __m512i difference = _mm512_sub_epi64(ranks_, files_);
      const __m512i sum = _mm512_add_epi64(ranks_, files_);
      return _mm512_or_si512(along(pick(diagonal_by_difference, difference)), along(pick(antidiagonal_by_sum, sum)));
    }

    __m512i orthogonals() const {
      const __m512i file = _mm512_rolv_epi64(everywhere(a_file), squares_);
      return _mm512_or_si512(along(file), along_rank());
    }

   private:
    static __m512i pick(const Sixteen& lines, __m512i numbers) {
      return _mm512_permutex2var_epi64(load(lines.word), numbers, load(lines.word + 8));
    }

    /// Attacks along lines with one square a rank.
    __m512i along(__m512i line) const {
      const __m512i o = _mm512_and_si512(others_, line);
      const __m512i up = _mm512_sub_epi64(o, slider_);
      const __m512i down = swap(_mm512_sub_epi64(swap(o), swap(slider_)));
      return _mm512_ternarylogic_epi64(up, down, line, xor_and);
    }

    __m512i along_rank() const {
      const __m512i rank = _mm512_andnot_si512(slider_, _mm512_permutexvar_epi64(ranks_, load(rank_by_number.word)));
      const __m512i o = _mm512_and_si512(others_, rank);
      const __m512i east = _mm512_ternarylogic_epi64(o, _mm512_sub_epi64(o, slider_), rank, xor_and);
      const __m512i below = _mm512_and_si512(rank, _mm512_sub_epi64(slider_, everywhere(1)));
      const __m512i zeros = _mm512_lzcnt_epi64(_mm512_and_si512(o, below));
      return _mm512_ternarylogic_epi64(east, _mm512_srav_epi64(everywhere(bit(63)), zeros), below, or_and);
    }

    __m512i squares_, files_, ranks_;
    __m512i slider_;  ///< the slider alone
    __m512i others_;  ///< the occupancy without it
  };
};

}  // namespace slidebench
