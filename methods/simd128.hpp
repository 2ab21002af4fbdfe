// SPDX-License-Identifier: MIT
//
// What the methods in WebAssembly's SIMD128 share: 64-bit lanes, two in a vector.
//
// The instructions are those of the engine that runs the module. Bytes are turned round by i8x16.swizzle with constant
// indices, of which V8 makes one PSHUFB on x86 and one TBL on ARM; of the i8x16.shuffle that says the same it makes six
// instructions on x86, for processors of before SSSE3.
// Source: the WebAssembly specification, "Vector Instructions"; V8, src/compiler/backend/x64 (kX64S8x8Reverse).
#pragma once

#ifndef __wasm_simd128__
#error "SIMD128 methods need WebAssembly: compile with --target=wasm32-wasi -msimd128 (preset wasm)"
#endif

#include <wasm_simd128.h>

#include "methods/bitboard.hpp"

namespace slidebench::simd128 {

inline v128_t splat(Bitboard b) { return wasm_i64x2_splat(static_cast<std::int64_t>(b)); }

inline v128_t pair(Bitboard lower, Bitboard upper) {
  return wasm_i64x2_make(static_cast<std::int64_t>(lower), static_cast<std::int64_t>(upper));
}

inline Bitboard lower(v128_t lanes) { return static_cast<Bitboard>(wasm_i64x2_extract_lane(lanes, 0)); }

/// The lower lanes of two vectors, and their upper lanes.
inline v128_t lower_lanes(v128_t a, v128_t b) { return wasm_i64x2_shuffle(a, b, 0, 2); }
inline v128_t upper_lanes(v128_t a, v128_t b) { return wasm_i64x2_shuffle(a, b, 1, 3); }

inline Bitboard union_of_lanes(v128_t lanes) { return lower(wasm_v128_or(lanes, upper_lanes(lanes, lanes))); }

/// The bytes of each lane in the opposite order: both boards upside down.
inline v128_t swap_bytes(v128_t lanes) {
  return wasm_i8x16_swizzle(lanes, wasm_i8x16_const(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8));
}

}  // namespace slidebench::simd128
