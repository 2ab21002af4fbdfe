// SPDX-License-Identifier: MIT
//
// Hyperbola quintessence in vectors: both diagonals and the file at once, and with them the bishop and the rook.
//
// The seven steps of `hyperbola` are the same for all lines with one square a rank, so each line gets a lane. A shuffle
// of bytes is the byte swap of all lanes:
//
//      lane          3        2        1             0
//      masks         0        file     antidiagonal  diagonal
//      o           = masks & occupied, occupied           copied to all lanes
//      attacks     = ((o - r) ^ swap(swap(o) - r')) & masks
//                             |        +---- or ----+
//      rook        =          file     bishop             rook: | rank attacks, from the first-rank table
//
// One record of a square, a cache line, holds all that the query needs: masks, r = bit s and r' = bit 63 - s (why that
// serves for every lane, `hyperbola` tells), the square's column in the first-rank table and the shift to its rank. A
// bishop alone is the lower half, 128 bits wide; a rook alone has a single line of this kind and stays scalar, because
// the way into vector registers and back costs more than its seven steps. The diagonals share the lower half so that
// the bishop's set need not cross to it.
//
// A batch turns the registers round: four sliders are the lanes, and the lines follow one another, made from the
// squares by shifts (VPSLLVQ and VPSRLVQ leave nothing of a lane at counts from 64 on, "negative" ones among them, so
// that one of the two moves the long diagonal and the other one vanishes). Ranks take no table there: to the east the
// subtraction, to the west the shadow of the blockers (see `ray_masks_avx2`).
//
// Inventors: of the hyperbola see there; the form with one record per square and both answers at once: Stockfish, 2026
// (pull request 6845 by "anematode"; its lanes are file, diagonal, none, antidiagonal). It replaced magic bitboards.
// Source: Stockfish pull requests 6845, 6870 and 6998; the order of the lanes is this project's.
// Tables: 64 records x 64 bytes + first rank 512 = 4,608 bytes.
// Loads: bishop 3, rook 5, both 5, all of one record (the masks are one load); a rank 1 set more.
// Relies on: AVX2, and a short way between the register files (2 to 4 cycles each way).
#pragma once

#ifndef __AVX2__
#error "hyperbola_avx2 needs AVX2: compile for x86-64-v3 or with -mavx2"
#endif

#include <immintrin.h>

#include "methods/calculation/first_rank.hpp"
#include "methods/method.hpp"

namespace slidebench {

struct HyperbolaAvx2 {
  static constexpr MethodInfo info{.id = "hyperbola_avx2",
                                   .title = "Hyperbola quintessence, four lanes (AVX2)",
                                   .family = "calculation",
                                   .inventor = "anematode (Stockfish), after G. Isenberg",
                                   .year = 2026,
                                   .reference = "https://github.com/official-stockfish/Stockfish/pull/6845",
                                   .requires_isa = Isa::avx2};

  static Bitboard bishop(Square s, Bitboard occupied) {
    const __m128i masks = records.load128(s);
    const __m128i o = _mm_and_si128(masks, _mm_set1_epi64x(word(occupied)));
    const __m128i up = _mm_sub_epi64(o, _mm_set1_epi64x(word(slider(s))));
    const __m128i down = swap(_mm_sub_epi64(swap(o), _mm_set1_epi64x(word(flipped_slider(s)))));
    return union_of_lanes(_mm_and_si128(_mm_xor_si128(up, down), masks));
  }

  static Bitboard rook(Square s, Bitboard occupied) {
    const Bitboard mask = records.member(s, &Record::file);
    const Bitboard o = occupied & mask;
    const Bitboard file = ((o - slider(s)) ^ flip_ranks(flip_ranks(o) - flipped_slider(s))) & mask;
    return file | rank_attacks(s, occupied);
  }

  static Bitboard queen(Square s, Bitboard occupied) {
    const __m256i lines = line_attacks(s, occupied);
    return union_of_lanes(_mm_or_si128(lower(lines), upper(lines))) | rank_attacks(s, occupied);
  }

  static BishopRook both(Square s, Bitboard occupied) {
    const __m256i lines = line_attacks(s, occupied);
    return {union_of_lanes(lower(lines)), lowest_lane(upper(lines)) | rank_attacks(s, occupied)};
  }

  static void batch(const SliderBatch& sliders, Bitboard occupied, Bitboard* attacks) {
    __m256i lane = _mm256_set_epi64x(3, 2, 1, 0);
    for (unsigned first = 0; first < sliders.size(); first += 4) {
      const FourSliders four(sliders.squares + first, occupied);
      __m256i sets = _mm256_setzero_si256();
      if (first < sliders.diagonal_end()) {
        const __m256i is_diagonal = _mm256_cmpgt_epi64(_mm256_set1_epi64x(sliders.diagonal_end()), lane);
        sets = _mm256_and_si256(is_diagonal, four.diagonals());
      }
      if (first + 4 > sliders.orthogonal_begin()) {
        const __m256i only_diagonal = _mm256_cmpgt_epi64(_mm256_set1_epi64x(sliders.orthogonal_begin()), lane);
        sets = _mm256_or_si256(sets, _mm256_andnot_si256(only_diagonal, four.orthogonals()));
      }
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(attacks + first), sets);
      lane = _mm256_add_epi64(lane, _mm256_set1_epi64x(4));
    }
  }

 private:
  /// Four sliders, each a lane.
  class FourSliders {
   public:
    FourSliders(const std::uint8_t* squares, Bitboard occupied) {
      std::uint32_t four = 0;
      __builtin_memcpy(&four, squares, sizeof four);
      const __m256i square = _mm256_cvtepu8_epi64(_mm_cvtsi32_si128(static_cast<int>(four)));
      file_ = _mm256_and_si256(square, everywhere(7));
      eight_ranks_ = _mm256_and_si256(square, everywhere(56));
      slider_ = _mm256_sllv_epi64(everywhere(1), square);
      others_ = _mm256_andnot_si256(slider_, everywhere(occupied));
    }

    __m256i diagonals() const {
      const __m256i eight_files = _mm256_slli_epi64(file_, 3);
      const __m256i mirrored_files = _mm256_sub_epi64(everywhere(56), eight_files);
      return _mm256_or_si256(along(moved(main_diagonal, eight_ranks_, eight_files)),
                             along(moved(main_antidiagonal, eight_ranks_, mirrored_files)));
    }

    __m256i orthogonals() const {
      return _mm256_or_si256(along(_mm256_sllv_epi64(everywhere(a_file), file_)), along_rank());
    }

   private:
    static __m256i everywhere(Bitboard b) { return _mm256_set1_epi64x(word(b)); }

    /// A line moved up from one place to another, or down.
    static __m256i moved(Bitboard line, __m256i to, __m256i from) {
      return _mm256_or_si256(_mm256_sllv_epi64(everywhere(line), _mm256_sub_epi64(to, from)),
                             _mm256_srlv_epi64(everywhere(line), _mm256_sub_epi64(from, to)));
    }

    /// Attacks along lines with one square a rank; the slider's own bit drops out of the XOR.
    __m256i along(__m256i line) const {
      const __m256i o = _mm256_and_si256(others_, line);
      const __m256i up = _mm256_sub_epi64(o, slider_);
      const __m256i down = swap(_mm256_sub_epi64(swap(o), swap(slider_)));
      return _mm256_and_si256(_mm256_xor_si256(up, down), line);
    }

    __m256i along_rank() const {
      const __m256i rank = _mm256_andnot_si256(slider_, _mm256_sllv_epi64(everywhere(first_rank), eight_ranks_));
      const __m256i o = _mm256_and_si256(others_, rank);
      const __m256i east = _mm256_and_si256(_mm256_xor_si256(o, _mm256_sub_epi64(o, slider_)), rank);
      const __m256i below = _mm256_and_si256(rank, _mm256_sub_epi64(slider_, everywhere(1)));
      const __m256i blockers = _mm256_and_si256(o, below);
      __m256i hidden = _mm256_or_si256(_mm256_srli_epi64(blockers, 1), _mm256_srli_epi64(blockers, 2));
      hidden = _mm256_or_si256(hidden, _mm256_srli_epi64(hidden, 2));
      hidden = _mm256_or_si256(hidden, _mm256_srli_epi64(hidden, 2));
      return _mm256_or_si256(east, _mm256_andnot_si256(hidden, below));
    }

    __m256i file_, eight_ranks_;
    __m256i slider_;  ///< the slider alone
    __m256i others_;  ///< the occupancy without it
  };

  struct alignas(64) Record {
    Bitboard diagonal;
    Bitboard antidiagonal;
    Bitboard file;
    Bitboard none;
    Bitboard slider;
    Bitboard flipped_slider;
    const std::uint8_t* rank_sets;  ///< the column of the square's file in the first-rank table
    std::uint64_t rank_start;       ///< the first square of the square's rank
  };

  static constexpr Table<Record, 64> records = [] {
    Table<Record, 64> table;
    for (Square s = 0; s < 64; ++s) {
      table.data[s] = {diagonal_mask(s),
                       antidiagonal_mask(s),
                       file_mask(s),
                       0,
                       bit(s),
                       bit(63 - s),
                       first_rank_by_inner.data + file_of(s),
                       s & 56};
    }
    return table;
  }();

  static Bitboard slider(Square s) { return records.member(s, &Record::slider); }
  static Bitboard flipped_slider(Square s) { return records.member(s, &Record::flipped_slider); }

  /// The attacks along the four lines of the record, each in its lane.
  static __m256i line_attacks(Square s, Bitboard occupied) {
    const __m256i masks = records.load256(s);
    const __m256i o = _mm256_and_si256(masks, _mm256_set1_epi64x(word(occupied)));
    const __m256i up = _mm256_sub_epi64(o, _mm256_set1_epi64x(word(slider(s))));
    const __m256i down = swap(_mm256_sub_epi64(swap(o), _mm256_set1_epi64x(word(flipped_slider(s)))));
    return _mm256_and_si256(_mm256_xor_si256(up, down), masks);
  }

  static Bitboard rank_attacks(Square s, Bitboard occupied) {
    const std::uint64_t rank_start = records.member(s, &Record::rank_start);
    const auto sets = first_rank_by_inner.from(records.member(s, &Record::rank_sets));
    const Bitboard twice_inner = (occupied >> rank_start) & 126;
    return Bitboard{sets[4 * twice_inner]} << rank_start;
  }

  static long long word(Bitboard b) { return static_cast<long long>(b); }

  /// Reverses the bytes of each lane.
  static __m128i swap(__m128i lanes) {
    return _mm_shuffle_epi8(lanes, _mm_set_epi64x(0x08090A0B0C0D0E0F, 0x0001020304050607));
  }
  static __m256i swap(__m256i lanes) {
    return _mm256_shuffle_epi8(
        lanes, _mm256_set_epi64x(0x08090A0B0C0D0E0F, 0x0001020304050607, 0x08090A0B0C0D0E0F, 0x0001020304050607));
  }

  static __m128i lower(__m256i lanes) { return _mm256_castsi256_si128(lanes); }
  static __m128i upper(__m256i lanes) { return _mm256_extracti128_si256(lanes, 1); }
  static Bitboard lowest_lane(__m128i lanes) { return static_cast<Bitboard>(_mm_cvtsi128_si64(lanes)); }
  static Bitboard union_of_lanes(__m128i lanes) {
    return lowest_lane(_mm_or_si128(lanes, _mm_unpackhi_epi64(lanes, lanes)));
  }

 public:
  static constexpr std::array tables{table_info("records", records), table_info("first_rank", first_rank_by_inner)};
};

}  // namespace slidebench
