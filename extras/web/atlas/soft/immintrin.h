// SPDX-License-Identifier: MIT
//
// The intrinsics of x86-64 that the methods use, without an x86-64: plain functions on GNU vectors, written from the
// instructions' documented operation (Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2). A method
// that includes <immintrin.h> is compiled against these, unchanged, for any processor, here WebAssembly.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

// To take over the compiler's own names is what this header is for.
// NOLINTBEGIN(bugprone-reserved-identifier)
#define __SSE2__ 1
#define __SSSE3__ 1
#define __AVX2__ 1
#define __BMI__ 1
#define __BMI2__ 1
#define __LZCNT__ 1
#define __GFNI__ 1
#define __AVX512F__ 1
#define __AVX512BW__ 1
#define __AVX512CD__ 1
#define __AVX512VL__ 1
#define __AVX512BITALG__ 1

typedef long long __m128i __attribute__((vector_size(16), may_alias));
typedef long long __m256i __attribute__((vector_size(32), may_alias));
typedef long long __m512i __attribute__((vector_size(64), may_alias));
using __mmask8 = std::uint8_t;
using __mmask64 = std::uint64_t;

namespace slidebench::soft {

using Word = std::uint64_t;

template <class V>
inline constexpr unsigned words = sizeof(V) / sizeof(Word);

/// The vector whose word i is f(i).
template <class V, class F>
V by_words(F f) {
  V result;
  for (unsigned i = 0; i < words<V>; ++i) result[i] = static_cast<long long>(f(i));
  return result;
}

template <class V>
Word word(V v, unsigned i) {
  return static_cast<Word>(v[i]);
}

/// The elements of a vector as those of a width of their own: bytes, or pairs of bytes.
template <class E, class V>
struct Elements {
  E at[sizeof(V) / sizeof(E)];
};

/// The vector whose element i is f(i).
template <class E, class V, class F>
V by_elements(F f) {
  Elements<E, V> result;
  for (unsigned i = 0; i < sizeof(V) / sizeof(E); ++i) result.at[i] = static_cast<E>(f(i));
  return std::bit_cast<V>(result);
}

template <class E, class V>
Elements<E, V> elements(V v) {
  return std::bit_cast<Elements<E, V>>(v);
}

template <class V>
V load(const void* from) {
  V v;
  __builtin_memcpy(&v, from, sizeof v);
  return v;
}
template <class V>
void store(void* to, V v) {
  __builtin_memcpy(to, &v, sizeof v);
}

template <class V>
V set1(long long w) {
  return by_words<V>([w](unsigned) { return w; });
}
template <class V>
V add(V a, V b) {
  return by_words<V>([&](unsigned i) { return word(a, i) + word(b, i); });
}
template <class V>
V sub(V a, V b) {
  return by_words<V>([&](unsigned i) { return word(a, i) - word(b, i); });
}

/// A shift by a count of 64 or more leaves nothing, of signed words the sign.
inline Word left(Word w, Word count) { return count < 64 ? w << count : 0; }
inline Word right(Word w, Word count) { return count < 64 ? w >> count : 0; }

template <class V>
V sll(V a, Word count) {
  return by_words<V>([&](unsigned i) { return left(word(a, i), count); });
}
template <class V>
V srl(V a, Word count) {
  return by_words<V>([&](unsigned i) { return right(word(a, i), count); });
}
template <class V>
V sllv(V a, V counts) {
  return by_words<V>([&](unsigned i) { return left(word(a, i), word(counts, i)); });
}
template <class V>
V srlv(V a, V counts) {
  return by_words<V>([&](unsigned i) { return right(word(a, i), word(counts, i)); });
}
template <class V>
V srav(V a, V counts) {
  return by_words<V>([&](unsigned i) { return a[i] >> (word(counts, i) < 63 ? word(counts, i) : 63); });
}
template <class V>
V rolv(V a, V counts) {
  return by_words<V>([&](unsigned i) {
    const Word count = word(counts, i) & 63;
    return left(word(a, i), count) | right(word(a, i), 64 - count);
  });
}
template <class V>
V lzcnt(V a) {
  return by_words<V>([&](unsigned i) { return std::countl_zero(word(a, i)); });
}

/// Bit 4a + 2b + c of the table is the result of the bits a, b and c.
template <class V>
V ternarylogic(V a, V b, V c, int table) {
  V result{};
  for (unsigned row = 0; row < 8; ++row) {
    if ((table >> row & 1) == 0) continue;
    result |= ((row & 4) != 0 ? a : ~a) & ((row & 2) != 0 ? b : ~b) & ((row & 1) != 0 ? c : ~c);
  }
  return result;
}

/// The lower or upper words of each 128 bits of a, and of b, by turns.
template <class V>
V unpack(V a, V b, unsigned upper) {
  return by_words<V>([&](unsigned i) { return word(i % 2 == 0 ? a : b, i / 2 * 2 + upper); });
}

/// Within each 128 bits: byte i is the one of that number, or zero.
template <class V>
V shuffle_bytes(V a, V order) {
  const auto from = elements<std::uint8_t>(a), number = elements<std::uint8_t>(order);
  return by_elements<std::uint8_t, V>([&](unsigned i) {
    return (number.at[i] & 0x80) != 0 ? std::uint8_t{0} : from.at[i / 16 * 16 + (number.at[i] & 15)];
  });
}

template <class V>
V set1_bytes(char byte) {
  return by_elements<char, V>([byte](unsigned) { return byte; });
}
template <class V>
V sll_pairs(V a, int count) {
  return by_elements<std::uint16_t, V>([&](unsigned i) { return elements<std::uint16_t>(a).at[i] << count; });
}
template <class V>
V srl_pairs(V a, int count) {
  return by_elements<std::uint16_t, V>([&](unsigned i) { return elements<std::uint16_t>(a).at[i] >> count; });
}

/// The lowest bytes, each as a word.
template <class V>
V from_bytes(__m128i bytes) {
  const auto byte = elements<std::uint8_t>(bytes);
  return by_words<V>([&](unsigned i) { return byte.at[i]; });
}

/// Where the bit of the mask is set a, elsewhere b.
template <class V>
V blend(__mmask8 mask, V a, V b) {
  return by_words<V>([&](unsigned i) { return (mask >> i & 1) != 0 ? a[i] : b[i]; });
}

/// A half of a vector of twice the width.
template <class Half, class V>
Half half(V v, int which) {
  return by_words<Half>([&](unsigned i) { return v[words<Half> * static_cast<unsigned>(which) + i]; });
}

/// Each byte times the 8 x 8 matrix of bits of its word, plus a constant: bit i of the result is
/// parity(matrix.byte[7 - i] AND source) XOR constant.bit[i].
template <class V>
V affine(V source, V matrices, int constant) {
  const auto from = elements<std::uint8_t>(source), rows = elements<std::uint8_t>(matrices);
  return by_elements<std::uint8_t, V>([&](unsigned byte) {
    unsigned result = static_cast<unsigned>(constant);
    for (unsigned i = 0; i < 8; ++i) {
      const unsigned products = rows.at[byte / 8 * 8 + 7 - i] & from.at[byte];
      result ^= (static_cast<unsigned>(std::popcount(products)) & 1) << i;
    }
    return result;
  });
}

}  // namespace slidebench::soft

// What every width has. `m` is the prefix of the intrinsics, `si` the suffix of those that know no lanes.
#define SLIDEBENCH_EVERY_WIDTH(V, m, si)                                                                            \
  inline V m##_and_##si(V a, V b) { return a & b; }                                                                 \
  inline V m##_or_##si(V a, V b) { return a | b; }                                                                  \
  inline V m##_xor_##si(V a, V b) { return a ^ b; }                                                                 \
  inline V m##_andnot_##si(V a, V b) { return ~a & b; }                                                             \
  inline V m##_setzero_##si() { return V{}; }                                                                       \
  inline V m##_load_##si(const void* from) { return slidebench::soft::load<V>(from); }                              \
  inline V m##_loadu_##si(const void* from) { return slidebench::soft::load<V>(from); }                             \
  inline void m##_storeu_##si(void* to, V v) { slidebench::soft::store(to, v); }                                    \
  inline V m##_add_epi64(V a, V b) { return slidebench::soft::add(a, b); }                                          \
  inline V m##_sub_epi64(V a, V b) { return slidebench::soft::sub(a, b); }                                          \
  inline V m##_slli_epi64(V a, unsigned count) { return slidebench::soft::sll(a, count); }                          \
  inline V m##_srli_epi64(V a, unsigned count) { return slidebench::soft::srl(a, count); }                          \
  inline V m##_sll_epi64(V a, __m128i count) { return slidebench::soft::sll(a, slidebench::soft::word(count, 0)); } \
  inline V m##_srl_epi64(V a, __m128i count) { return slidebench::soft::srl(a, slidebench::soft::word(count, 0)); } \
  inline V m##_sllv_epi64(V a, V counts) { return slidebench::soft::sllv(a, counts); }                              \
  inline V m##_srlv_epi64(V a, V counts) { return slidebench::soft::srlv(a, counts); }                              \
  inline V m##_srav_epi64(V a, V counts) { return slidebench::soft::srav(a, counts); }                              \
  inline V m##_rolv_epi64(V a, V counts) { return slidebench::soft::rolv(a, counts); }                              \
  inline V m##_lzcnt_epi64(V a) { return slidebench::soft::lzcnt(a); }                                              \
  inline V m##_ternarylogic_epi64(V a, V b, V c, int t) { return slidebench::soft::ternarylogic(a, b, c, t); }      \
  inline V m##_unpacklo_epi64(V a, V b) { return slidebench::soft::unpack(a, b, 0); }                               \
  inline V m##_unpackhi_epi64(V a, V b) { return slidebench::soft::unpack(a, b, 1); }                               \
  inline V m##_shuffle_epi8(V a, V order) { return slidebench::soft::shuffle_bytes(a, order); }                     \
  inline V m##_set1_epi8(char byte) { return slidebench::soft::set1_bytes<V>(byte); }                               \
  inline V m##_slli_epi16(V a, int count) { return slidebench::soft::sll_pairs(a, count); }                         \
  inline V m##_srli_epi16(V a, int count) { return slidebench::soft::srl_pairs(a, count); }                         \
  inline V m##_cvtepu8_epi64(__m128i bytes) { return slidebench::soft::from_bytes<V>(bytes); }                      \
  inline V m##_maskz_mov_epi64(__mmask8 mask, V a) { return slidebench::soft::blend(mask, a, V{}); }                \
  inline V m##_mask_or_epi64(V c, __mmask8 mask, V a, V b) { return slidebench::soft::blend(mask, a | b, c); }      \
  inline V m##_gf2p8affine_epi64_epi8(V a, V matrices, int c) { return slidebench::soft::affine(a, matrices, c); }
SLIDEBENCH_EVERY_WIDTH(__m128i, _mm, si128)
SLIDEBENCH_EVERY_WIDTH(__m256i, _mm256, si256)
SLIDEBENCH_EVERY_WIDTH(__m512i, _mm512, si512)
#undef SLIDEBENCH_EVERY_WIDTH

// What one width has.
inline __m128i _mm_set1_epi64x(long long w) { return slidebench::soft::set1<__m128i>(w); }
inline __m256i _mm256_set1_epi64x(long long w) { return slidebench::soft::set1<__m256i>(w); }
inline __m512i _mm512_set1_epi64(long long w) { return slidebench::soft::set1<__m512i>(w); }
inline __m512i _mm512_mask_set1_epi64(__m512i otherwise, __mmask8 mask, long long w) {
  return slidebench::soft::blend(mask, _mm512_set1_epi64(w), otherwise);
}

inline __m128i _mm_set_epi64x(long long b, long long a) { return __m128i{a, b}; }
inline __m256i _mm256_setr_epi64x(long long a, long long b, long long c, long long d) { return __m256i{a, b, c, d}; }
inline __m256i _mm256_set_epi64x(long long d, long long c, long long b, long long a) { return __m256i{a, b, c, d}; }
inline __m512i _mm512_setr_epi64(long long a, long long b, long long c, long long d, long long e, long long f,
                                 long long g, long long h) {
  return __m512i{a, b, c, d, e, f, g, h};
}
template <class... Bytes>
__m128i _mm_setr_epi8(Bytes... bytes) {
  static_assert(sizeof...(bytes) == 16);
  return std::bit_cast<__m128i>(slidebench::soft::Elements<char, __m128i>{{static_cast<char>(bytes)...}});
}

inline long long _mm_cvtsi128_si64(__m128i v) { return v[0]; }
inline __m128i _mm_cvtsi64_si128(long long w) { return __m128i{w, 0}; }
inline __m128i _mm_cvtsi32_si128(int w) { return __m128i{static_cast<long long>(static_cast<unsigned>(w)), 0}; }
inline long long _mm_extract_epi64(__m128i v, int lane) { return v[lane]; }
inline __m128i _mm_loadl_epi64(const __m128i* from) {
  return _mm_cvtsi64_si128(slidebench::soft::load<long long>(from));
}

inline __m128i _mm256_castsi256_si128(__m256i v) { return slidebench::soft::half<__m128i>(v, 0); }
inline __m128i _mm256_extracti128_si256(__m256i v, int which) { return slidebench::soft::half<__m128i>(v, which); }
inline __m256i _mm512_castsi512_si256(__m512i v) { return slidebench::soft::half<__m256i>(v, 0); }
inline __m256i _mm512_extracti64x4_epi64(__m512i v, int which) { return slidebench::soft::half<__m256i>(v, which); }
inline __m256i _mm256_broadcastsi128_si256(__m128i v) { return __m256i{v[0], v[1], v[0], v[1]}; }
inline __m512i _mm512_broadcast_i32x4(__m128i v) { return __m512i{v[0], v[1], v[0], v[1], v[0], v[1], v[0], v[1]}; }

/// Each half of the result is one of the four of a and b, by the lowest two bits of each half of the number; bit 3
/// clears.
inline __m256i _mm256_permute2x128_si256(__m256i a, __m256i b, int number) {
  return slidebench::soft::by_words<__m256i>([&](unsigned i) {
    const unsigned which = static_cast<unsigned>(number) >> (i / 2 * 4) & 15;
    return (which & 8) != 0 ? 0 : ((which & 2) != 0 ? b : a)[(which & 1) * 2 + i % 2];
  });
}
inline __m256i _mm256_permute4x64_epi64(__m256i a, int order) {
  return slidebench::soft::by_words<__m256i>([&](unsigned i) { return a[order >> (2 * i) & 3]; });
}
inline __m512i _mm512_permutexvar_epi64(__m512i order, __m512i a) {
  return slidebench::soft::by_words<__m512i>([&](unsigned i) { return a[order[i] & 7]; });
}
inline __m512i _mm512_permutex2var_epi64(__m512i a, __m512i order, __m512i b) {
  return slidebench::soft::by_words<__m512i>([&](unsigned i) { return ((order[i] & 8) != 0 ? b : a)[order[i] & 7]; });
}

inline __m256i _mm256_cmpgt_epi64(__m256i a, __m256i b) { return a > b; }
inline __m256i _mm256_cmpgt_epi8(__m256i a, __m256i b) {
  const auto left = slidebench::soft::elements<std::int8_t>(a), right = slidebench::soft::elements<std::int8_t>(b);
  return slidebench::soft::by_elements<std::int8_t, __m256i>(
      [&](unsigned i) { return left.at[i] > right.at[i] ? -1 : 0; });
}
inline __m256i _mm256_add_epi8(__m256i a, __m256i b) {
  const auto left = slidebench::soft::elements<std::uint8_t>(a), right = slidebench::soft::elements<std::uint8_t>(b);
  return slidebench::soft::by_elements<std::uint8_t, __m256i>([&](unsigned i) { return left.at[i] + right.at[i]; });
}
inline int _mm256_movemask_epi8(__m256i a) {
  const auto byte = slidebench::soft::elements<std::uint8_t>(a);
  unsigned mask = 0;
  for (unsigned i = 0; i < 32; ++i) mask |= unsigned{byte.at[i]} >> 7 << i;
  return static_cast<int>(mask);
}

/// Bit i is the bit of its word whose number byte i of `order` is.
inline __mmask64 _mm512_bitshuffle_epi64_mask(__m512i a, __m512i order) {
  const auto number = slidebench::soft::elements<std::uint8_t>(order);
  __mmask64 mask = 0;
  for (unsigned i = 0; i < 64; ++i) mask |= (slidebench::soft::word(a, i / 8) >> (number.at[i] & 63) & 1) << i;
  return mask;
}

// General registers.
inline std::uint64_t _pext_u64(std::uint64_t word, std::uint64_t mask) {
  std::uint64_t gathered = 0;
  for (unsigned i = 0; mask != 0; mask &= mask - 1) gathered |= (word >> std::countr_zero(mask) & 1) << i++;
  return gathered;
}
inline std::uint64_t _pdep_u64(std::uint64_t word, std::uint64_t mask) {
  std::uint64_t laid = 0;
  for (; mask != 0; mask &= mask - 1, word >>= 1) laid |= (word & 1) << std::countr_zero(mask);
  return laid;
}
inline std::uint64_t _bzhi_u64(std::uint64_t word, unsigned first) {
  return (first & 255) < 64 ? word & ((std::uint64_t{1} << (first & 255)) - 1) : word;
}
inline std::uint64_t _tzcnt_u64(std::uint64_t word) { return static_cast<std::uint64_t>(std::countr_zero(word)); }
inline std::uint64_t _lzcnt_u64(std::uint64_t word) { return static_cast<std::uint64_t>(std::countl_zero(word)); }
/// A field of a word: its first bit in the lowest byte, its length in the next.
inline std::uint64_t bextr_u64(std::uint64_t word, std::uint64_t field) {
  return _bzhi_u64(slidebench::soft::right(word, field & 255), static_cast<unsigned>(field >> 8 & 255));
}
#define __builtin_ia32_bextr_u64 bextr_u64
// NOLINTEND(bugprone-reserved-identifier)
