// SPDX-License-Identifier: MIT
//
// AVX-512 on any x86-64, for tests only. Most machines that run the tests, continuous integration among them, have no
// AVX-512, so its methods would be compiled there and never run. This header puts plain structs of 64-bit words in the
// place of the 256- and 512-bit registers, and plain functions, written from the instructions' documented operation, in
// the place of the intrinsics. A method's header that is included after it is compiled against these, unchanged.
//
// Include it last but for the methods under test: it renames the intrinsics for the rest of the file.
#pragma once

#include <immintrin.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "methods/method.hpp"

namespace slidebench::soft {

/// A register of n 64-bit lanes, lane 0 the lowest.
template <std::size_t n>
struct Register {
  std::uint64_t lane[n];

  /// The register whose lane i is f(i).
  template <class F>
  static Register make(F f) {
    Register r;
    for (std::size_t i = 0; i < n; ++i) r.lane[i] = f(i);
    return r;
  }

  friend Register operator&(Register a, Register b) {
    return make([&](std::size_t i) { return a.lane[i] & b.lane[i]; });
  }
  friend Register operator|(Register a, Register b) {
    return make([&](std::size_t i) { return a.lane[i] | b.lane[i]; });
  }
  friend Register operator~(Register a) {
    return make([&](std::size_t i) { return ~a.lane[i]; });
  }
};

/// _mm256_setr_epi64x, _mm512_setr_epi64: the lowest lane first.
template <class... Words>
Register<sizeof...(Words)> setr(Words... words) {
  return {{static_cast<std::uint64_t>(words)...}};
}

/// _mm512_mask_set1_epi64: `word` in the lanes whose bit of the mask is set, the others from `otherwise`.
inline Register<8> mask_set1(Register<8> otherwise, __mmask8 mask, long long word) {
  return Register<8>::make(
      [&](std::size_t i) { return (mask >> i & 1) != 0 ? static_cast<std::uint64_t>(word) : otherwise.lane[i]; });
}

inline Register<8> set1(long long word) {
  return Register<8>::make([word](std::size_t) { return static_cast<std::uint64_t>(word); });
}

/// VMOVDQA64 and VPORQ with a mask: lanes whose bit is not set are zero, or come from `otherwise`.
inline Register<8> maskz_mov(__mmask8 mask, Register<8> a) {
  return Register<8>::make([&](std::size_t i) { return (mask >> i & 1) != 0 ? a.lane[i] : 0; });
}
inline Register<8> mask_or(Register<8> otherwise, __mmask8 mask, Register<8> a, Register<8> b) {
  return Register<8>::make(
      [&](std::size_t i) { return (mask >> i & 1) != 0 ? a.lane[i] | b.lane[i] : otherwise.lane[i]; });
}

/// VPMOVZXBQ: the eight lower bytes, each in a lane.
inline Register<8> from_bytes(__m128i bytes) {
  const auto low = static_cast<std::uint64_t>(_mm_cvtsi128_si64(bytes));
  return Register<8>::make([low](std::size_t i) { return low >> (8 * i) & 0xFF; });
}

/// VPSLLVQ: each lane shifted left by its count; counts of 64 and more leave nothing.
inline Register<8> sllv(Register<8> a, Register<8> counts) {
  return Register<8>::make(
      [&](std::size_t i) { return counts.lane[i] < 64 ? a.lane[i] << counts.lane[i] : std::uint64_t{0}; });
}

inline void store(void* address, Register<8> a) { std::memcpy(address, a.lane, sizeof a.lane); }

/// VPROLVQ: each lane rotated left by its count modulo 64.
template <std::size_t n>
Register<n> rolv(Register<n> a, Register<n> counts) {
  return Register<n>::make([&](std::size_t i) { return std::rotl(a.lane[i], static_cast<int>(counts.lane[i] & 63)); });
}

/// VPTERNLOGQ: the result of the bits a, b and c is bit 4a + 2b + c of the immediate.
template <std::size_t n>
Register<n> ternarylogic(Register<n> a, Register<n> b, Register<n> c, int immediate) {
  Register<n> result{};
  for (unsigned row = 0; row < 8; ++row) {
    if ((immediate >> row & 1) == 0) continue;
    const Register<n> match = ((row & 4) != 0 ? a : ~a) & ((row & 2) != 0 ? b : ~b) & ((row & 1) != 0 ? c : ~c);
    result = result | match;
  }
  return result;
}

/// VEXTRACTI64X4: half 0 or 1 of a 512-bit register.
inline Register<4> extract_half(Register<8> a, int half) {
  return Register<4>::make([&](std::size_t i) { return a.lane[4 * static_cast<std::size_t>(half) + i]; });
}
inline Register<4> low_half(Register<8> a) { return extract_half(a, 0); }

/// VEXTRACTI128: half 0 or 1 of a 256-bit register. 128-bit registers are real: SSE2 is everywhere.
inline __m128i extract_half(Register<4> a, int half) {
  const std::size_t first = 2 * static_cast<std::size_t>(half);
  return _mm_set_epi64x(static_cast<long long>(a.lane[first + 1]), static_cast<long long>(a.lane[first]));
}
inline __m128i low_half(Register<4> a) { return extract_half(a, 0); }

}  // namespace slidebench::soft

// Some of the intrinsics are macros already, depending on compiler and optimisation.
#undef _mm256_setr_epi64x
#undef _mm256_rolv_epi64
#undef _mm256_ternarylogic_epi64
#undef _mm256_castsi256_si128
#undef _mm256_extracti128_si256
#undef _mm512_setr_epi64
#undef _mm512_mask_set1_epi64
#undef _mm512_rolv_epi64
#undef _mm512_ternarylogic_epi64
#undef _mm512_castsi512_si256
#undef _mm512_extracti64x4_epi64
#undef _mm512_set1_epi64
#undef _mm512_maskz_mov_epi64
#undef _mm512_mask_or_epi64
#undef _mm512_cvtepu8_epi64
#undef _mm512_sllv_epi64
#undef _mm512_storeu_si512

// To take over the compiler's own names is what this header is for.
// NOLINTBEGIN(bugprone-reserved-identifier)
#define __m256i ::slidebench::soft::Register<4>
#define _mm256_setr_epi64x ::slidebench::soft::setr
#define _mm256_rolv_epi64 ::slidebench::soft::rolv
#define _mm256_ternarylogic_epi64 ::slidebench::soft::ternarylogic
#define _mm256_castsi256_si128 ::slidebench::soft::low_half
#define _mm256_extracti128_si256 ::slidebench::soft::extract_half

#define __m512i ::slidebench::soft::Register<8>
#define _mm512_setr_epi64 ::slidebench::soft::setr
#define _mm512_mask_set1_epi64 ::slidebench::soft::mask_set1
#define _mm512_rolv_epi64 ::slidebench::soft::rolv
#define _mm512_ternarylogic_epi64 ::slidebench::soft::ternarylogic
#define _mm512_castsi512_si256 ::slidebench::soft::low_half
#define _mm512_extracti64x4_epi64 ::slidebench::soft::extract_half
#define _mm512_set1_epi64 ::slidebench::soft::set1
#define _mm512_maskz_mov_epi64 ::slidebench::soft::maskz_mov
#define _mm512_mask_or_epi64 ::slidebench::soft::mask_or
#define _mm512_cvtepu8_epi64 ::slidebench::soft::from_bytes
#define _mm512_sllv_epi64 ::slidebench::soft::sllv
#define _mm512_storeu_si512 ::slidebench::soft::store

// What the methods' headers ask for before they let themselves be compiled.
#ifndef __AVX512F__
#define __AVX512F__ 1
#endif
#ifndef __AVX512VL__
#define __AVX512VL__ 1
#endif
// NOLINTEND(bugprone-reserved-identifier)
