// SPDX-License-Identifier: MIT
//
// GFNI on any x86-64 with AVX2, for tests only. Many machines that run the tests have no GFNI, so its methods would be
// compiled there and never run. This header puts plain scalar functions, written from the instruction's documented
// operation (Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, GF2P8AFFINEQB), in the place of
// the intrinsics. A method's header that is included after it is compiled against these, unchanged; everything else
// that the method does is AVX2, and stays real.
//
// Include it last but for the methods under test: it renames the intrinsics for the rest of the file.
#pragma once

#ifndef __AVX2__
#error "soft_gfni needs AVX2: compile for x86-64-v3 or with -mavx2"
#endif

#include <immintrin.h>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace slidebench::soft {

/// A byte times an 8 x 8 matrix of bits, plus a constant (a sum of bits is their XOR). The matrix is a word whose
/// highest byte is the row for the lowest bit: bit i of the result is parity(matrix.byte[7 - i] AND source) XOR
/// constant.bit[i].
constexpr std::uint8_t affine_byte(std::uint64_t matrix, std::uint8_t source, std::uint8_t constant) {
  unsigned result = 0;
  for (unsigned i = 0; i < 8; ++i) {
    const auto row = static_cast<std::uint8_t>(matrix >> (8 * (7 - i)));
    const unsigned parity = static_cast<unsigned>(std::popcount(static_cast<std::uint8_t>(row & source))) & 1;
    result |= (parity ^ (constant >> i & 1u)) << i;
  }
  return static_cast<std::uint8_t>(result);
}

/// The eight bytes of a 64-bit lane, each times the same matrix.
constexpr std::uint64_t affine_lane(std::uint64_t matrix, std::uint64_t source, std::uint8_t constant) {
  std::uint64_t result = 0;
  for (unsigned byte = 0; byte < 8; ++byte) {
    const auto from = static_cast<std::uint8_t>(source >> (8 * byte));
    result |= std::uint64_t{affine_byte(matrix, from, constant)} << (8 * byte);
  }
  return result;
}

/// _mm_gf2p8affine_epi64_epi8 and _mm256_gf2p8affine_epi64_epi8: every lane has a matrix of its own.
template <class Vector>
Vector affine(Vector source, Vector matrices, int constant) {
  constexpr std::size_t lanes = sizeof(Vector) / sizeof(std::uint64_t);
  struct Words {
    std::uint64_t lane[lanes];
  };
  auto words = std::bit_cast<Words>(source);
  const auto matrix = std::bit_cast<Words>(matrices);
  for (std::size_t i = 0; i < lanes; ++i) {
    words.lane[i] = affine_lane(matrix.lane[i], words.lane[i], static_cast<std::uint8_t>(constant));
  }
  return std::bit_cast<Vector>(words);
}

}  // namespace slidebench::soft

// The intrinsics are macros already, depending on compiler and optimisation.
#undef _mm_gf2p8affine_epi64_epi8
#undef _mm256_gf2p8affine_epi64_epi8

// To take over the compiler's own names is what this header is for.
// NOLINTBEGIN(bugprone-reserved-identifier)
#define _mm_gf2p8affine_epi64_epi8 ::slidebench::soft::affine<__m128i>
#define _mm256_gf2p8affine_epi64_epi8 ::slidebench::soft::affine<__m256i>

// What the methods' headers ask for before they let themselves be compiled.
#ifndef __GFNI__
#define __GFNI__ 1
#endif
// NOLINTEND(bugprone-reserved-identifier)
