// SPDX-License-Identifier: MIT
//
// Vector loads from a Table, for the methods that are written for one kind of vector. table.hpp itself knows none: each
// architecture adds its loads here, and one that has none leaves VectorLoads empty.
#pragma once

#include <cstddef>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace slidebench {

/// What Table, given as Self, has beside its scalar accessors.
template <class Self>
struct VectorLoads {
#ifdef __SSE2__
  /// 16, 32 or 64 bytes that begin at element i.
  __m128i load128(std::size_t i) const { return _mm_loadu_si128(at<__m128i>(i)); }
#endif
#ifdef __AVX2__
  __m256i load256(std::size_t i) const { return _mm256_loadu_si256(at<__m256i>(i)); }

  /// Four 8-byte elements at the four 64-bit indices.
  __m256i gather(__m256i indices) const {
    static_assert(sizeof(*self().data) == 8);
    alignas(32) long long each[4];
    _mm256_store_si256(reinterpret_cast<__m256i*>(each), indices);
    for (const long long i : each) self().address(static_cast<std::size_t>(i), 8);
    return _mm256_i64gather_epi64(reinterpret_cast<const long long*>(self().data), indices, 8);
  }
#endif
#ifdef __AVX512F__
  __m512i load512(std::size_t i) const { return _mm512_loadu_si512(at<__m512i>(i)); }
#endif
#ifdef __aarch64__
  /// Two 8-byte elements, from element i on.
  uint64x2_t load_pair(std::size_t i) const {
    static_assert(sizeof(*self().data) == 8);
    return vld1q_u64(self().address(i, 16));
  }
#endif

 private:
  const Self& self() const { return static_cast<const Self&>(*this); }

  /// Where a vector that begins at element i is read.
  template <class Vector>
  const Vector* at(std::size_t i) const {
    return reinterpret_cast<const Vector*>(self().address(i, sizeof(Vector)));
  }
};

}  // namespace slidebench
