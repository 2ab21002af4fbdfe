// SPDX-License-Identifier: MIT
//
// Attack table in AVX-512: attack_table.hpp, toggled for all sliders of a square in one go.
//
//      numbers by slot      VPERMB as for the pieces; all but those of sliders that look at the square become 0
//      along the rays       VPSADBW adds up the eight bytes of a ray, of which one at most is left. A VPERMB copies the
//                           sum to the seven slots of the opposite ray, and a mask keeps those that are open.
//      by square            VPERMB by the inverse permutation
//      as bits              Bytes are widened to words, less the colour's first code, and VPSLLVW shifts a 1 by each:
//                           by 16 and more, for the other colour and for nobody, it leaves 0.
//
// Two toggles, what is cleared and what is set are two VPTERNLOGD for each vector of T, of which there are four.
// Attackers: VPSHUFBITQMB takes for each square the bit of the column that its piece's code names, so that the 64 codes
// are all that one needs to know where the pieces stand.
//
// Inventor: 87flowers (Rose, 2025); the codes and VPSHUFBITQMB are this project's. Source: https://87flowers.com.
// State: 384 bytes, of which 32 are not used. Tables: those of attack_table.hpp, inv of 4,096 bytes, and 64 for the
// way along the rays. Loads: attackers 3, attacks 3, attacked 2. Relies on: AVX-512 F and BW, VBMI and BITALG: Intel
// since Ice Lake, AMD since Zen 4.
#pragma once

#if !defined(__AVX512BITALG__)
#error "attack_table_avx512 needs AVX-512: compile for x86-64-v4 with -mavx512vbmi -mavx512bitalg"
#endif

#include "extras/stores/attack_table.hpp"
#include "extras/stores/rays_avx512.hpp"

namespace slidebench {

struct TableAvx512 {
  static constexpr MethodInfo info{.id = "attack_table_avx512",
                                   .title = "Attack table: who attacks each square (AVX-512)",
                                   .family = "store",
                                   .inventor = "87flowers",
                                   .year = 2025,
                                   .reference = "https://87flowers.com",
                                   .requires_isa = Isa::avx512f | Isa::avx512bw | Isa::avx512dq | Isa::avx512vl |
                                                   Isa::avx512vbmi | Isa::avx512bitalg};
  static constexpr bool asks_squares = false;
  using Rays = RaysAvx512;
  using Codes = RaysAvx512::Bytes;
  using Set = Bitboard;
  using Squares = std::array<std::uint16_t, 64>;

  /// By square the code of the slider that attacks it through the square of the rays, if that is empty.
  class Passing {
   public:
    Passing(const RaysAvx512& rays, const Codes& codes) {
      const __m512i sliders = _mm512_maskz_mov_epi8(rays.sliders(), rays.by_slot(codes));
      const __m512i one_a_ray = _mm512_sad_epu8(sliders, _mm512_setzero_si512());
      const __m512i open = rays.open();
      by_square_ = rays.by_square(
          _mm512_maskz_permutexvar_epi8(_mm512_test_epi8_mask(open, open), onward.load512(0), one_a_ray));
    }

    /// For half the squares, the bits of a colour.
    __m512i bits(unsigned half, unsigned color) const {
      const __m256i codes = half == 0 ? _mm512_castsi512_si256(by_square_) : _mm512_extracti64x4_epi64(by_square_, 1);
      const __m512i first = _mm512_set1_epi16(static_cast<short>(first_code(color)));
      return _mm512_sllv_epi16(_mm512_set1_epi16(1), _mm512_sub_epi16(_mm512_cvtepu8_epi16(codes), first));
    }

   private:
    __m512i by_square_;
  };

  static Set reach(const RaysAvx512& rays, Piece piece) { return rays.attacks(piece); }

  template <class... Toggles>
  static void apply(AttackWords& words, const TableStep<Set>& step, const Toggles&... passing) {
    auto& own = words.of[step.color];
    auto& others = words.of[step.color ^ 1];
    const __m512i clear = _mm512_set1_epi16(static_cast<short>(step.clear));
    const __m512i clear_others = _mm512_set1_epi16(static_cast<short>(step.clear_others));
    for (unsigned half = 0; half < 2; ++half) {
      const __m512i set = chosen(step.set, half, step.set_bit);
      const __m512i toggled = toggle(load(own, half), passing.bits(half, step.color)...);
      store(own, half, _mm512_ternarylogic_epi32(toggled, clear, set, and_not_or));
      store(others, half,
            _mm512_andnot_si512(clear_others, toggle(load(others, half), passing.bits(half, step.color ^ 1)...)));
    }
  }

  static void add(Squares& words, std::uint16_t bit, Bitboard squares) {
    for (unsigned half = 0; half < 2; ++half)
      store(words, half, _mm512_or_si512(load(words, half), chosen(squares, half, bit)));
  }

  static Bitboard squares_of(std::uint64_t attackers, const TableNumbers& numbers) {
    const __m512i column = _mm512_set1_epi64(static_cast<long long>(attackers));
    return _mm512_bitshuffle_epi64_mask(column, _mm512_load_si512(numbers.codes.at));
  }

  static Bitboard attacks(const Squares& words, std::uint16_t bit) {
    return tested(words, _mm512_set1_epi16(static_cast<short>(bit)));
  }
  static Bitboard attacked(const Squares& words) { return tested(words, _mm512_set1_epi16(-1)); }

 private:
  // Truth tables of VPTERNLOGD: bit 4a + 2b + c is the result for the bits a, b and c.
  static constexpr int and_not_or = 0b10111010;  ///< (a & ~b) | c
  static constexpr int xor_xor = 0b10010110;     ///< a ^ b ^ c

  /// From the byte of a ray's sum, the lowest of its word, to all slots of the opposite ray; to the knights' slots from
  /// one that is 0.
  static constexpr Table<Slots, 1> onward = [] {
    Table<Slots, 1> table;
    for (unsigned slot = 0; slot < 64; ++slot)
      table.data[0].at[slot] = static_cast<std::uint8_t>(8 * (slot / 8 ^ 4) + (ray_layout::is_jump(slot) ? 7 : 0));
    return table;
  }();

  static __m512i load(const Squares& words, unsigned half) { return _mm512_load_si512(&words[32 * half]); }
  static void store(Squares& words, unsigned half, __m512i value) { _mm512_store_si512(&words[32 * half], value); }

  static __m512i toggle(__m512i words, __m512i bits) { return _mm512_xor_si512(words, bits); }
  static __m512i toggle(__m512i words, __m512i bits, __m512i more) {
    return _mm512_ternarylogic_epi32(words, bits, more, xor_xor);
  }

  /// A bit in some squares of a half.
  static __m512i chosen(Bitboard squares, unsigned half, std::uint16_t bit) {
    return _mm512_maskz_set1_epi16(static_cast<__mmask32>(squares >> 32 * half), static_cast<short>(bit));
  }

  static Bitboard tested(const Squares& words, __m512i bits) {
    const Bitboard low = _mm512_test_epi16_mask(load(words, 0), bits);
    const Bitboard high = _mm512_test_epi16_mask(load(words, 1), bits);
    return low | high << 32;
  }

 public:
  static constexpr std::array tables{TableWords::tables[0],
                                     TableWords::tables[1],
                                     TableWords::tables[2],
                                     TableWords::tables[3],
                                     table_info("inv", ray_layout::inv),
                                     table_info("onward", onward)};
};

template <AttackMethod M>
using AttackTableAvx512 = AttackTableStore<M, TableAvx512>;

}  // namespace slidebench
