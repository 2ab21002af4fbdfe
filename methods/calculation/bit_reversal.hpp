// SPDX-License-Identifier: MIT
//
// All 64 bits in the opposite order: the board turned by 180 degrees, square s goes to 63 - s. It turns round every
// line, ranks too. AArch64 has an instruction for it (RBIT, one cycle on most cores); x86 takes three exchanges of
// neighbours and a byte swap, 17 instructions.
#pragma once

#include "methods/bitboard.hpp"

namespace slidebench {

#if defined(__aarch64__) && !__has_builtin(__builtin_bitreverse64)
/// RBIT. GCC 12 has no function for it, nor does it find it in the exchanges.
inline Bitboard rbit(Bitboard b) {
  Bitboard reversed;
  asm("rbit %0, %1" : "=r"(reversed) : "r"(b));
  return reversed;
}
#endif

/// The board turned by 180 degrees.
constexpr Bitboard reverse_bits(Bitboard b) {
#if __has_builtin(__builtin_bitreverse64)
  return __builtin_bitreverse64(b);
#else
#ifdef __aarch64__
  if (!__builtin_is_constant_evaluated()) return rbit(b);
#endif
  constexpr Bitboard even_files = 0x5555555555555555;
  constexpr Bitboard even_pairs = 0x3333333333333333;
  constexpr Bitboard low_halves = 0x0F0F0F0F0F0F0F0F;
  b = ((b >> 1) & even_files) + 2 * (b & even_files);
  b = ((b >> 2) & even_pairs) + 4 * (b & even_pairs);
  b = ((b >> 4) & low_halves) + 16 * (b & low_halves);
  return flip_ranks(b);
#endif
}

}  // namespace slidebench
