// SPDX-License-Identifier: MIT
//
// The vector loads of Table: what each architecture reads at once. table.hpp itself knows no vectors; a method that is
// written for one kind of them finds here what it needs, or does not compile.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace slidebench {

/// Each takes the address of the first element.
struct VectorLoads {
#ifdef __SSE2__
  static __m128i load128(const void* from) { return _mm_loadu_si128(static_cast<const __m128i*>(from)); }
#endif
#ifdef __AVX2__
  static __m256i load256(const void* from) { return _mm256_loadu_si256(static_cast<const __m256i*>(from)); }
#endif
#ifdef __AVX512F__
  static __m512i load512(const void* from) { return _mm512_loadu_si512(from); }
#endif
#ifdef __aarch64__
  static uint64x2_t load_pair(const std::uint64_t* from) { return vld1q_u64(from); }
#endif
};

}  // namespace slidebench
