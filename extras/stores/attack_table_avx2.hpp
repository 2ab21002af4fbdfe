// SPDX-License-Identifier: MIT
//
// Attack table in AVX2: attack_table.hpp, toggled for all sliders of a square in one go.
//
//      numbers by slot      permuted as the pieces are; all but those of sliders that look at the square become 0
//      along the rays       VPSADBW adds up the eight bytes of a ray, of which one at most is left. VPSHUFB copies the
//                           sum to seven slots, and opposite rays lie in the other register.
//      by square            the inverse permutation
//      as bits              VPSHUFB, once for the lower byte of a word and once for the upper one. It leaves 0 where
//                           bit 7 of the index is set: in the codes of the other colour and in nobody's, after a
//                           subtraction.
//
// What is set for the mover joins the toggled bits as long as they are bytes: its bit is clear in all squares then, and
// no toggle holds it. Attackers: of each square's code the upper bits choose a byte of the column and the lower ones a
// bit, which are two VPSHUFB. What a piece attacks, and what a side does, is tested in words, packed to bytes and made
// a set.
//
// Inventor: 87flowers (Rose, 2025); the codes are this project's. Source: https://87flowers.com. State: 384
// bytes, of which 32 are not used. Tables: those of byte_rays_avx2.hpp. Loads: attackers 6, attacks 5, attacked 4, of
// up to 32 bytes.
#pragma once

#include "extras/stores/attack_table.hpp"
#include "extras/stores/byte_rays_avx2.hpp"

namespace slidebench {

struct TableAvx2 {
  static constexpr MethodInfo info{.id = "attack_table_avx2",
                                   .title = "Attack table: who attacks each square (AVX2)",
                                   .family = "store",
                                   .inventor = "87flowers",
                                   .year = 2025,
                                   .reference = "https://87flowers.com",
                                   .requires_isa = Isa::avx2};
  static constexpr std::array tables = RaysAvx2::tables;
  static constexpr bool asks_squares = false;
  using Rays = RaysAvx2;
  using Codes = RaysAvx2::Bytes;
  using Set = Halves;  ///< bytes that are not 0
  using Squares = std::array<std::uint16_t, 64>;

  /// By square the code of the slider that attacks it through the square of the rays, if that is empty.
  class Passing {
   public:
    Passing(const RaysAvx2& rays, const Codes& codes) {
      const Halves sliders = rays.by_slot(codes).without(rays.sliders().zeros());
      const Halves onward{along(sliders.high), along(sliders.low)};
      by_square = rays.by_square(onward.without(rays.open().zeros()));
    }

    Halves by_square;

   private:
    /// The byte that a word holds, in all its slots but the knight's.
    static __m256i along(__m256i rays) {
      const __m256i one_a_ray = _mm256_sad_epu8(rays, _mm256_setzero_si256());
      const __m128i copies = _mm_setr_epi8(-1, 0, 0, 0, 0, 0, 0, 0, -1, 8, 8, 8, 8, 8, 8, 8);
      return _mm256_shuffle_epi8(one_a_ray, _mm256_broadcastsi128_si256(copies));
    }
  };

  static Set reach(const RaysAvx2& rays, Piece piece) { return rays.reach(piece); }

  template <class... Toggles>
  static void apply(AttackWords& words, const TableStep<Set>& step, const Toggles&... passing) {
    const __m256i clear = _mm256_set1_epi16(static_cast<short>(step.clear));
    const __m256i clear_others = _mm256_set1_epi16(static_cast<short>(step.clear_others));
    const Halves empty = step.set.zeros();
    const auto toggled = [&](unsigned half, unsigned color) {
      return (Bits(half == 0 ? passing.by_square.low : passing.by_square.high, color) ^ ...);
    };
    for (unsigned half = 0; half < 2; ++half) {
      const Bits set(half == 0 ? empty.low : empty.high, step.set_bit);
      const Words own = toggled(half, step.color) ^ set;
      Words::load(words.of[step.color], half).without(clear).toggle(own).store(words.of[step.color], half);
      const Words others = toggled(half, step.color ^ 1);
      Words::load(words.of[step.color ^ 1], half)
          .toggle(others)
          .without(clear_others)
          .store(words.of[step.color ^ 1], half);
    }
  }

  static void add(Squares& words, std::uint16_t bit, Set squares) {
    const Halves empty = squares.zeros();
    for (unsigned half = 0; half < 2; ++half)
      Words::load(words, half).toggle(Bits(half == 0 ? empty.low : empty.high, bit)).store(words, half);
  }

  static Bitboard squares_of(std::uint64_t attackers, const TableNumbers& numbers) {
    const __m256i column = _mm256_set1_epi64x(static_cast<long long>(attackers));
    const __m256i seven = _mm256_set1_epi8(7);
    const __m256i bits = _mm256_set1_epi64x(static_cast<long long>(0x8040201008040201));
    const auto chosen = [&](__m256i codes) {
      const __m256i byte = _mm256_shuffle_epi8(column, _mm256_and_si256(_mm256_srli_epi16(codes, 3), seven));
      return _mm256_and_si256(byte, _mm256_shuffle_epi8(bits, _mm256_and_si256(codes, seven)));
    };
    const Halves codes = Halves::load(numbers.codes.at);
    return Halves{chosen(codes.low), chosen(codes.high)}.set();
  }

  static Bitboard attacks(const Squares& words, std::uint16_t bit) {
    const __m256i mask = _mm256_set1_epi16(static_cast<short>(bit));
    return packed(words, [mask](__m256i sixteen) { return _mm256_cmpeq_epi16(_mm256_and_si256(sixteen, mask), mask); });
  }
  static Bitboard attacked(const Squares& words) {
    return ~packed(words, [](__m256i sixteen) { return _mm256_cmpeq_epi16(sixteen, _mm256_setzero_si256()); });
  }

 private:
  /// For 32 squares a bit of a word, as its two bytes.
  struct Bits {
    /// The bits of a colour's codes.
    Bits(__m256i codes, unsigned color) {
      const __m256i numbers = _mm256_sub_epi8(codes, _mm256_set1_epi8(static_cast<char>(color == 0 ? 16 : 128)));
      const __m128i bits = _mm_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0);
      const __m128i upper = _mm_slli_si128(bits, 8);
      low = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(bits), numbers);
      high = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(upper), numbers);
    }
    /// One bit, where a mask is not set.
    Bits(__m256i mask, std::uint16_t bit)
        : low(_mm256_andnot_si256(mask, _mm256_set1_epi8(static_cast<char>(bit)))),
          high(_mm256_andnot_si256(mask, _mm256_set1_epi8(static_cast<char>(bit >> 8)))) {}

    friend Bits operator^(Bits a, const Bits& b) {
      a.low = _mm256_xor_si256(a.low, b.low);
      a.high = _mm256_xor_si256(a.high, b.high);
      return a;
    }

    __m256i low;
    __m256i high;
  };

  /// The words of 32 squares.
  struct Words {
    Words(__m256i first, __m256i second) : low(first), high(second) {}
    /// VPUNPCK works in each half of a register: the quarters in the middle change places before.
    Words(const Bits& bits) {
      const __m256i lower = _mm256_permute4x64_epi64(bits.low, middle_exchanged);
      const __m256i upper = _mm256_permute4x64_epi64(bits.high, middle_exchanged);
      low = _mm256_unpacklo_epi8(lower, upper);
      high = _mm256_unpackhi_epi8(lower, upper);
    }

    static Words load(const Squares& words, unsigned half) {
      const auto* const from = reinterpret_cast<const __m256i*>(&words[32 * half]);
      return {_mm256_load_si256(from), _mm256_load_si256(from + 1)};
    }
    void store(Squares& words, unsigned half) const {
      auto* const to = reinterpret_cast<__m256i*>(&words[32 * half]);
      _mm256_store_si256(to, low);
      _mm256_store_si256(to + 1, high);
    }
    Words without(__m256i bits) const { return {_mm256_andnot_si256(bits, low), _mm256_andnot_si256(bits, high)}; }
    Words toggle(const Words& other) const {
      return {_mm256_xor_si256(low, other.low), _mm256_xor_si256(high, other.high)};
    }

    __m256i low;
    __m256i high;
  };

  static constexpr int middle_exchanged = 0b11'01'10'00;

  /// The set of squares whose words a function turns into masks.
  template <class Mask>
  static Bitboard packed(const Squares& words, Mask mask_of) {
    const auto half_of = [&](unsigned half) {
      const Words both = Words::load(words, half);
      const __m256i bytes = _mm256_packs_epi16(mask_of(both.low), mask_of(both.high));
      return static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_permute4x64_epi64(bytes, middle_exchanged)));
    };
    return half_of(0) | Bitboard{half_of(1)} << 32;
  }
};

template <AttackMethod M>
using AttackTableAvx2 = AttackTableStore<M, TableAvx2>;

}  // namespace slidebench
