// SPDX-License-Identifier: MIT
//
// Hyperbola quintessence: find the first blocker by subtraction, on a file or diagonal that is its own little number.
//
// Take one line through the slider, masked out of the occupancy; the slider's bit r is not part of it. Subtracting r
// borrows from the first blocker above, and flips every bit from r up to and including that blocker:
//
//      line (high bit left)    . X . . r . X .
//      o                       0 1 0 0 0 0 1 0
//      o - r                   0 0 1 1 1 ...            the difference to o marks X . . (the squares up to the blocker)
//
// The other direction is the same on the board upside down: files and diagonals have one square a rank, so a byte swap
// reverses them. The two differences share the unchanged o, which cancels:
//
//      attacks = ((o - r) ^ swap(swap(o) - r')) & line         with o = occupied & line
//
// r' should be the slider upside down, on square s ^ 56. But r need not be the slider: any single bit above the
// previous square of the line and not above the next one borrows from the same blocker. With one square a rank, every
// square of the rank will do, for all three lines: r' is square 63 - s, which is one shift. Ranks have no such luck (a
// byte swap does not reverse them) and take the first-rank table.
//
// A batch takes the same steps for four sliders at once, in vectors of words that GCC and Clang make of whatever the
// processor has; ranks take the shadow of their blockers there (see `ray_masks_avx2`), as no vector looks up four
// tables.
//
// Inventors: Gerd Isenberg (name, 2007), Aleks Peshkov (CCC, 25 August 2007), from Ryan Mack's Hyperbola project.
// Source: G. Isenberg, Efficient Generation of Sliding Piece Attacks (Dresden 2008) -- its listing lacks the final
// mask. Tables: 3 masks x 64 squares x 8 bytes + 512 bytes for ranks = 2,048 bytes. Loads: bishop 2, rook 2. Relies on:
// a fast byte swap (1 cycle on Zen, 2 on Intel). Best where caches are contended.
#pragma once

#include "methods/calculation/first_rank.hpp"
#include "methods/method.hpp"

namespace slidebench {

struct Hyperbola {
  static constexpr MethodInfo info{.id = "hyperbola",
                                   .title = "Hyperbola quintessence",
                                   .family = "calculation",
                                   .inventor = "G. Isenberg, A. Peshkov, R. Mack",
                                   .year = 2007,
                                   .reference = "https://www.chessprogramming.org/Hyperbola_Quintessence",
                                   .requires_isa = Isa::none};

  static constexpr Bitboard bishop(Square s, Bitboard occupied) {
    return line_attacks(s, occupied, masks.member(s, &Lines::diagonal)) |
           line_attacks(s, occupied, masks.member(s, &Lines::antidiagonal));
  }

  static constexpr Bitboard rook(Square s, Bitboard occupied) {
    return file_attacks(s, occupied) | rank_attacks(s, occupied);
  }

  static constexpr Bitboard file_attacks(Square s, Bitboard occupied) {
    return line_attacks(s, occupied, masks.member(s, &Lines::file));
  }

#if defined(__AVX2__) || defined(__ARM_NEON)
  // Elsewhere lanes cannot be shifted each by a count of its own, and a query for each slider is faster.
  static void batch(const SliderBatch& sliders, Bitboard occupied, Bitboard* attacks) {
    for (unsigned first = 0; first < sliders.size(); first += 4) {
      const FourSliders four(sliders.squares + first, occupied);
      const Lanes lane = everywhere(first) + Lanes{0, 1, 2, 3};
      Lanes sets{};
      if (first < sliders.diagonal_end()) {
        sets = four.diagonals() & (lane < everywhere(sliders.diagonal_end()));
      }
      if (first + 4 > sliders.orthogonal_begin()) {
        sets |= four.orthogonals() & (lane >= everywhere(sliders.orthogonal_begin()));
      }
      __builtin_memcpy(attacks + first, &sets, sizeof sets);
    }
  }
#endif

  struct Lines {
    Bitboard file;
    Bitboard diagonal;
    Bitboard antidiagonal;
  };

  static constexpr Table<Lines, 64> masks = [] {
    Table<Lines, 64> table;
    for (Square s = 0; s < 64; ++s) table.data[s] = {file_mask(s), diagonal_mask(s), antidiagonal_mask(s)};
    return table;
  }();

 private:
  /// Attacks along a line with one square a rank. Precondition: s is not in `line`.
  static constexpr Bitboard line_attacks(Square s, Bitboard occupied, Bitboard line) {
    const Bitboard slider = bit(s);
    const Bitboard flipped_slider = bit(63) >> s;
    const Bitboard o = occupied & line;
    return ((o - slider) ^ flip_ranks(flip_ranks(o) - flipped_slider)) & line;
  }

#if defined(__AVX2__) || defined(__ARM_NEON)
  using Lanes [[gnu::vector_size(32)]] = Bitboard;
  using Bytes [[gnu::vector_size(32)]] = std::uint8_t;
  using FourBytes [[gnu::vector_size(4)]] = std::uint8_t;

  static Lanes everywhere(Bitboard b) { return Lanes{b, b, b, b}; }

  static Lanes flip_lanes(Lanes v) {
    const auto bytes = reinterpret_cast<Bytes>(v);
    return reinterpret_cast<Lanes>(__builtin_shufflevector(bytes, bytes, 7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10,
                                                           9, 8, 23, 22, 21, 20, 19, 18, 17, 16, 31, 30, 29, 28, 27, 26,
                                                           25, 24));
  }

  /// Four sliders, each a lane.
  class FourSliders {
   public:
    FourSliders(const std::uint8_t* squares, Bitboard occupied) : square_(squares), occupied_(everywhere(occupied)) {
      FourBytes four;
      __builtin_memcpy(&four, squares, sizeof four);
      squares_ = __builtin_convertvector(four, Lanes);
      slider_ = everywhere(1) << squares_;
      flipped_slider_ = flip_lanes(slider_);
    }

    Lanes diagonals() const {
      return along(each([](Square s) { return masks.member(s, &Lines::diagonal); })) |
             along(each([](Square s) { return masks.member(s, &Lines::antidiagonal); }));
    }
    Lanes orthogonals() const {
      return along(each([](Square s) { return masks.member(s, &Lines::file); })) | along_rank();
    }

   private:
    template <class MaskOf>
    Lanes each(MaskOf mask_of) const {
      return Lanes{mask_of(square_[0]), mask_of(square_[1]), mask_of(square_[2]), mask_of(square_[3])};
    }

    Lanes along(Lanes line) const {
      const Lanes o = occupied_ & line;
      return ((o - slider_) ^ flip_lanes(flip_lanes(o) - flipped_slider_)) & line;
    }

    Lanes along_rank() const {
      const Lanes rank = (everywhere(first_rank) << (squares_ & 56)) & ~slider_;
      const Lanes o = occupied_ & rank;
      const Lanes east = (o ^ (o - slider_)) & rank;
      const Lanes below = rank & (slider_ - 1);
      const Lanes blockers = o & below;
      Lanes hidden = (blockers >> 1) | (blockers >> 2);
      hidden |= hidden >> 2;
      hidden |= hidden >> 2;
      return east | (below & ~hidden);
    }

    const std::uint8_t* square_;
    Lanes squares_;
    Lanes slider_;          ///< the slider alone
    Lanes flipped_slider_;  ///< on the board upside down
    Lanes occupied_;
  };
#endif

 public:
  static constexpr std::array tables{table_info("masks", masks), table_info("first_rank", first_rank_by_inner)};
};

}  // namespace slidebench
