// SPDX-License-Identifier: MIT
//
// The AVX-512 instructions of ray_masks_avx512, ray_major and hyperbola_avx512 on any x86-64 with AVX2, for tests only:
// plain functions, written from the instructions' documented operation, in the place of the intrinsics. The 128- and
// 256-bit registers are the real ones, the 512-bit one is a struct of eight words. A method's header that is included
// after this one is compiled against them, unchanged.
//
// Include it before everything of methods/, as Table is one of its users; and put no other code into the program.
#pragma once

#ifndef __AVX2__
#error "soft_ray_masks needs AVX2: compile for x86-64-v3 or with -mavx2"
#endif

#include <immintrin.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace slidebench::soft {

template <class Vector>
struct Words {
  std::uint64_t lane[sizeof(Vector) / sizeof(std::uint64_t)];
};

/// The vector whose lane i is f(i).
template <class Vector, class F>
Vector make(F f) {
  Words<Vector> words;
  for (std::size_t i = 0; i < std::size(words.lane); ++i) words.lane[i] = f(i);
  return std::bit_cast<Vector>(words);
}

/// VPTERNLOGQ: the result of the bits a, b and c is bit 4a + 2b + c of the immediate.
constexpr std::uint64_t ternary_word(std::uint64_t a, std::uint64_t b, std::uint64_t c, int immediate) {
  std::uint64_t result = 0;
  for (unsigned i = 0; i < 64; ++i) {
    const unsigned row = static_cast<unsigned>((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1));
    result |= static_cast<std::uint64_t>(immediate >> row & 1) << i;
  }
  return result;
}
template <class Vector>
Vector ternarylogic(Vector a, Vector b, Vector c, int immediate) {
  const auto x = std::bit_cast<Words<Vector>>(a);
  const auto y = std::bit_cast<Words<Vector>>(b);
  const auto z = std::bit_cast<Words<Vector>>(c);
  return make<Vector>([&](std::size_t i) { return ternary_word(x.lane[i], y.lane[i], z.lane[i], immediate); });
}

/// VPLZCNTQ: the zeros above the highest bit of each lane, 64 of an empty one.
template <class Vector>
Vector lzcnt(Vector a) {
  const auto x = std::bit_cast<Words<Vector>>(a);
  return make<Vector>([&](std::size_t i) { return static_cast<std::uint64_t>(std::countl_zero(x.lane[i])); });
}

/// VPSRAVQ: each lane shifted right by its count, with copies of the sign; counts of 64 and more leave the sign alone.
template <class Vector>
Vector srav(Vector a, Vector counts) {
  const auto x = std::bit_cast<Words<Vector>>(a);
  const auto n = std::bit_cast<Words<Vector>>(counts);
  return make<Vector>([&](std::size_t i) {
    const auto by = static_cast<int>(n.lane[i] < 63 ? n.lane[i] : 63);
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(x.lane[i]) >> by);
  });
}

struct Vector512 {
  std::uint64_t lane[8];
};

inline Vector512 load512(const void* address) {
  Vector512 v;
  std::memcpy(&v, address, sizeof v);
  return v;
}

inline Vector512 set512(long long word) {
  return make<Vector512>([word](std::size_t) { return static_cast<std::uint64_t>(word); });
}

/// A register whose lane i is f(a, b).
template <class F>
Vector512 each_lane(Vector512 a, Vector512 b, F f) {
  return make<Vector512>([&](std::size_t i) { return f(a.lane[i], b.lane[i]); });
}
inline Vector512 and512(Vector512 a, Vector512 b) {
  return each_lane(a, b, [](auto x, auto y) { return x & y; });
}
inline Vector512 andnot512(Vector512 a, Vector512 b) {
  return each_lane(a, b, [](auto x, auto y) { return ~x & y; });
}
inline Vector512 or512(Vector512 a, Vector512 b) {
  return each_lane(a, b, [](auto x, auto y) { return x | y; });
}
inline Vector512 add512(Vector512 a, Vector512 b) {
  return each_lane(a, b, [](auto x, auto y) { return x + y; });
}
inline Vector512 sub512(Vector512 a, Vector512 b) {
  return each_lane(a, b, [](auto x, auto y) { return x - y; });
}
/// VPSLLVQ and VPSRLQ: counts of 64 and more leave nothing. VPROLVQ: counts modulo 64.
inline Vector512 sllv512(Vector512 a, Vector512 counts) {
  return each_lane(a, counts, [](auto x, auto n) { return n < 64 ? x << n : 0; });
}
inline Vector512 srli512(Vector512 a, unsigned count) {
  return make<Vector512>([&](std::size_t i) { return count < 64 ? a.lane[i] >> count : 0; });
}
inline Vector512 rolv512(Vector512 a, Vector512 counts) {
  return each_lane(a, counts, [](auto x, auto n) { return std::rotl(x, static_cast<int>(n & 63)); });
}

/// VPERMQ and VPERMI2Q: lane i is the word of that number, modulo 8, or modulo 16 of two registers.
inline Vector512 permute(Vector512 numbers, Vector512 words) {
  return make<Vector512>([&](std::size_t i) { return words.lane[numbers.lane[i] & 7]; });
}
inline Vector512 permute_two(Vector512 low, Vector512 numbers, Vector512 high) {
  return make<Vector512>(
      [&](std::size_t i) { return ((numbers.lane[i] & 8) == 0 ? low : high).lane[numbers.lane[i] & 7]; });
}

/// VBROADCASTI32X4, and VPSHUFB, which shuffles within 16 bytes: by the real instruction.
inline Vector512 four_times(__m128i quarter) {
  Vector512 v;
  for (std::size_t i = 0; i < 4; ++i) std::memcpy(v.lane + 2 * i, &quarter, sizeof quarter);
  return v;
}
inline Vector512 shuffle_bytes(Vector512 a, Vector512 order) {
  Vector512 v;
  for (std::size_t i = 0; i < 8; i += 2) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(a.lane + i));
    const __m128i by = _mm_loadu_si128(reinterpret_cast<const __m128i*>(order.lane + i));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(v.lane + i), _mm_shuffle_epi8(bytes, by));
  }
  return v;
}

/// VPMOVZXBQ: the eight lower bytes, each in a lane.
inline Vector512 from_bytes(__m128i bytes) {
  const auto low = static_cast<std::uint64_t>(_mm_cvtsi128_si64(bytes));
  return make<Vector512>([low](std::size_t i) { return low >> (8 * i) & 0xFF; });
}

/// VMOVDQA64 and VPORQ with a mask: lanes whose bit is not set are zero, or come from `otherwise`.
template <class Vector>
Vector maskz_mov(__mmask8 mask, Vector a) {
  const auto x = std::bit_cast<Words<Vector>>(a);
  return make<Vector>([&](std::size_t i) { return (mask >> i & 1) != 0 ? x.lane[i] : 0; });
}
template <class Vector>
Vector mask_or(Vector otherwise, __mmask8 mask, Vector a, Vector b) {
  const auto x = std::bit_cast<Words<Vector>>(a);
  const auto y = std::bit_cast<Words<Vector>>(b);
  const auto z = std::bit_cast<Words<Vector>>(otherwise);
  return make<Vector>([&](std::size_t i) { return (mask >> i & 1) != 0 ? x.lane[i] | y.lane[i] : z.lane[i]; });
}

inline void store512(void* address, Vector512 a) { std::memcpy(address, &a, sizeof a); }

/// VPSHUFBITQMB: bit 8i + j of the result is the bit of lane i of `data` whose number is byte j of lane i of `order`,
/// modulo 64.
inline std::uint64_t bitshuffle(Vector512 data, Vector512 order) {
  std::uint64_t result = 0;
  for (unsigned i = 0; i < 64; ++i) {
    const std::uint64_t which = order.lane[i / 8] >> (8 * (i % 8)) & 63;
    result |= (data.lane[i / 8] >> which & 1) << i;
  }
  return result;
}

}  // namespace slidebench::soft

// Some of the intrinsics are macros already, depending on compiler and optimisation.
#undef _mm_ternarylogic_epi64
#undef _mm256_ternarylogic_epi64
#undef _mm_lzcnt_epi64
#undef _mm256_lzcnt_epi64
#undef _mm_srav_epi64
#undef _mm256_srav_epi64
#undef _mm512_loadu_si512
#undef _mm512_set1_epi64
#undef _mm512_bitshuffle_epi64_mask
#undef _mm256_maskz_mov_epi64
#undef _mm256_mask_or_epi64
#undef _mm512_maskz_mov_epi64
#undef _mm512_mask_or_epi64
#undef _mm512_ternarylogic_epi64
#undef _mm512_lzcnt_epi64
#undef _mm512_srav_epi64
#undef _mm512_and_si512
#undef _mm512_andnot_si512
#undef _mm512_or_si512
#undef _mm512_add_epi64
#undef _mm512_sub_epi64
#undef _mm512_sllv_epi64
#undef _mm512_srli_epi64
#undef _mm512_rolv_epi64
#undef _mm512_permutexvar_epi64
#undef _mm512_permutex2var_epi64
#undef _mm512_broadcast_i32x4
#undef _mm512_shuffle_epi8
#undef _mm512_cvtepu8_epi64
#undef _mm512_setzero_si512
#undef _mm512_load_si512
#undef _mm512_storeu_si512

// To take over the compiler's own names is what this header is for.
// NOLINTBEGIN(bugprone-reserved-identifier)
#define _mm_ternarylogic_epi64 ::slidebench::soft::ternarylogic
#define _mm256_ternarylogic_epi64 ::slidebench::soft::ternarylogic
#define _mm_lzcnt_epi64 ::slidebench::soft::lzcnt
#define _mm256_lzcnt_epi64 ::slidebench::soft::lzcnt
#define _mm_srav_epi64 ::slidebench::soft::srav
#define _mm256_srav_epi64 ::slidebench::soft::srav
#define __m512i ::slidebench::soft::Vector512
#define _mm512_loadu_si512 ::slidebench::soft::load512
#define _mm512_set1_epi64 ::slidebench::soft::set512
#define _mm512_bitshuffle_epi64_mask ::slidebench::soft::bitshuffle
#define _mm256_maskz_mov_epi64 ::slidebench::soft::maskz_mov
#define _mm256_mask_or_epi64 ::slidebench::soft::mask_or
#define _mm512_maskz_mov_epi64 ::slidebench::soft::maskz_mov
#define _mm512_mask_or_epi64 ::slidebench::soft::mask_or
#define _mm512_ternarylogic_epi64 ::slidebench::soft::ternarylogic
#define _mm512_lzcnt_epi64 ::slidebench::soft::lzcnt
#define _mm512_srav_epi64 ::slidebench::soft::srav
#define _mm512_and_si512 ::slidebench::soft::and512
#define _mm512_andnot_si512 ::slidebench::soft::andnot512
#define _mm512_or_si512 ::slidebench::soft::or512
#define _mm512_add_epi64 ::slidebench::soft::add512
#define _mm512_sub_epi64 ::slidebench::soft::sub512
#define _mm512_sllv_epi64 ::slidebench::soft::sllv512
#define _mm512_srli_epi64 ::slidebench::soft::srli512
#define _mm512_rolv_epi64 ::slidebench::soft::rolv512
#define _mm512_permutexvar_epi64 ::slidebench::soft::permute
#define _mm512_permutex2var_epi64 ::slidebench::soft::permute_two
#define _mm512_broadcast_i32x4 ::slidebench::soft::four_times
#define _mm512_shuffle_epi8 ::slidebench::soft::shuffle_bytes
#define _mm512_cvtepu8_epi64 ::slidebench::soft::from_bytes
#define _mm512_setzero_si512 ::slidebench::soft::Vector512
#define _mm512_load_si512 ::slidebench::soft::load512
#define _mm512_storeu_si512 ::slidebench::soft::store512

// What the methods' headers ask for before they let themselves be compiled.
#define __AVX512F__ 1
#define __AVX512BW__ 1
#define __AVX512CD__ 1
#define __AVX512VL__ 1
#define __AVX512BITALG__ 1
// NOLINTEND(bugprone-reserved-identifier)
