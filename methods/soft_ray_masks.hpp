// SPDX-License-Identifier: MIT
//
// The AVX-512 instructions of ray_masks_avx512 and ray_major on any x86-64 with AVX2, for tests only: plain functions,
// written from the instructions' documented operation, in the place of the intrinsics. The 128- and 256-bit registers
// are the real ones, the 512-bit one is a struct of eight words. A method's header that is included after this one is
// compiled against them, unchanged.
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

// What the methods' headers ask for before they let themselves be compiled.
#define __AVX512F__ 1
#define __AVX512BW__ 1
#define __AVX512CD__ 1
#define __AVX512VL__ 1
#define __AVX512BITALG__ 1
// NOLINTEND(bugprone-reserved-identifier)
