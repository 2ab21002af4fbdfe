// SPDX-License-Identifier: MIT
#include "harness/simulator/row_kernels.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace slidebench {

#if defined(__x86_64__)
namespace {

// Functions are marked one by one instead of compiled with -mavx2, so that no inline function of others needs AVX2.

/// From 16 - n on, a mask of n lanes.
alignas(64) constexpr std::uint32_t lane_masks[32] = {~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u,
                                                      ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u};

[[gnu::target("avx2")]] inline __m256i load(const Tag* tags) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(tags));
}
[[gnu::target("avx2")]] inline void store(Tag* tags, __m256i vector) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(tags), vector);
}

/// The places of a tag, a bit each.
template <unsigned Vectors>
[[gnu::target("avx2")]] inline std::uint32_t places_of(const Tag* set, __m256i tag) {
  std::uint32_t places = 0;
  for (unsigned i = 0; i < Vectors; ++i) {
    const __m256i equal = _mm256_cmpeq_epi32(load(set + 8 * i), tag);
    places |= static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(equal))) << (8 * i);
  }
  return places;
}

/// The i-th vector with every tag a place further; `tag`, in all lanes, comes to the front.
[[gnu::target("avx2")]] inline __m256i one_before(const Tag* set, unsigned i, __m256i tag) {
  if (i != 0) return load(set + 8 * i - 1);
  const __m256i turned = _mm256_permutevar8x32_epi32(load(set), _mm256_setr_epi32(7, 0, 1, 2, 3, 4, 5, 6));
  return _mm256_blend_epi32(turned, tag, 1);
}

template <unsigned Vectors>
[[gnu::target("avx2")]] inline Tag push(Tag* set, __m256i tag) {
  const Tag last = set[8 * Vectors - 1];
  for (unsigned i = Vectors; i-- != 0;) store(set + 8 * i, one_before(set, i, tag));
  return last;
}

template <unsigned Vectors>
[[gnu::target("avx2")]] std::uint32_t access_sets(Tag* sets, Tag first, std::uint32_t lines, Tag* outcomes) {
  std::uint32_t missed = 0;
  for (; lines != 0; lines &= lines - 1) {
    const auto i = static_cast<std::uint32_t>(__builtin_ctz(lines));
    Tag* const set = sets + 8 * Vectors * i;
    const __m256i tag = _mm256_set1_epi32(static_cast<int>(first + i));
    const std::uint32_t places = places_of<Vectors>(set, tag);
    if (places == 0) {
      outcomes[i] = push<Vectors>(set, tag);
      missed |= 1u << i;
    } else {
      outcomes[i] = tag_hit;
      const std::uint32_t* const moving = lane_masks + 15 - __builtin_ctz(places);
      for (unsigned v = Vectors; v-- != 0;) {
        store(set + 8 * v, _mm256_blendv_epi8(load(set + 8 * v), one_before(set, v, tag), load(moving + 8 * v)));
      }
    }
  }
  return missed;
}

template <unsigned Vectors>
[[gnu::target("avx2")]] std::uint32_t remove_from_sets(Tag* sets, Tag first, std::uint32_t lines) {
  std::uint32_t missed = 0;
  for (; lines != 0; lines &= lines - 1) {
    const auto i = static_cast<std::uint32_t>(__builtin_ctz(lines));
    Tag* const set = sets + 8 * Vectors * i;
    const std::uint32_t places = places_of<Vectors>(set, _mm256_set1_epi32(static_cast<int>(first + i)));
    if (places == 0) {
      missed |= 1u << i;
      continue;
    }
    const std::uint32_t* const staying = lane_masks + 16 - __builtin_ctz(places);
    for (unsigned v = 0; v < Vectors; ++v) {
      const __m256i old = load(set + 8 * v);
      __m256i moved;
      if (v + 1 < Vectors) {
        moved = load(set + 8 * v + 1);
      } else {
        moved = _mm256_permutevar8x32_epi32(old, _mm256_setr_epi32(1, 2, 3, 4, 5, 6, 7, 0));
        moved = _mm256_blend_epi32(moved, _mm256_set1_epi32(static_cast<int>(no_tag)), 0x80);
      }
      store(set + 8 * v, _mm256_blendv_epi8(moved, old, load(staying + 8 * v)));
    }
  }
  return missed;
}

template <unsigned Vectors>
[[gnu::target("avx2")]] void fill_sets(Tag* sets, const std::uint32_t* set_numbers, const Tag* tags,
                                       std::uint32_t lines) {
  for (; lines != 0; lines &= lines - 1) {
    const auto i = static_cast<std::uint32_t>(__builtin_ctz(lines));
    push<Vectors>(sets + std::uint64_t{8 * Vectors} * set_numbers[i], _mm256_set1_epi32(static_cast<int>(tags[i])));
  }
}

template <unsigned Vectors>
constexpr RowKernels kernels{access_sets<Vectors>, remove_from_sets<Vectors>, fill_sets<Vectors>};

}  // namespace

const RowKernels* row_kernels(std::uint32_t ways) {
  static const bool usable = __builtin_cpu_supports("avx2") != 0;
  if (!usable) return nullptr;
  return ways == 8 ? &kernels<1> : ways == 16 ? &kernels<2> : nullptr;
}

#else

const RowKernels* row_kernels(std::uint32_t) { return nullptr; }

#endif

}  // namespace slidebench
