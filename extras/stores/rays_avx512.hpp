// SPDX-License-Identifier: MIT
//
// Rays in AVX-512: a board is one register, and one instruction permutes it. VPERMB turns the board into the ray
// layout, VPSHUFB turns pieces into classes, and three steps on words of eight bytes leave the first piece of each ray
// (ray_layout.hpp). A second VPERMB takes slots back to squares, and a test makes them a set.
//
// During a move the board stays in its register: each change of a byte is a masked broadcast, and a vector is stored
// at the end. Were the bytes stored one by one, the next load of all 64 would wait until they have left the store
// buffer.
//
// Inventor: 87flowers (2025), with masks in place of words; the words are this project's. Source:
// https://87flowers.com; Reckless, pull request 652. Relies on: AVX-512 F and BW, and VBMI (VPERMB): Intel since Ice
// Lake, AMD since Zen 4.
#pragma once

#if !defined(__AVX512BW__) || !defined(__AVX512VL__) || !defined(__AVX512VBMI__)
#error "rays_avx512 needs AVX-512: compile for x86-64-v4 with -mavx512vbmi"
#endif

#include <immintrin.h>

#include "extras/stores/rays.hpp"

namespace slidebench {

class RaysAvx512 {
 public:
  /// 64 bytes by square, in a register.
  class Bytes {
   public:
    explicit Bytes(const PieceBoard& board) : Bytes(board.on.data()) {}
    explicit Bytes(const std::uint8_t* bytes) : by_square(_mm512_load_si512(bytes)) {}

    void set(Square s, std::uint8_t byte) {
      by_square = _mm512_mask_mov_epi8(by_square, bit(s), _mm512_set1_epi8(static_cast<char>(byte)));
    }
    void set(const PieceBoard&, Square s, Piece piece) { set(s, piece); }
    void store(std::uint8_t* bytes) const { _mm512_store_si512(bytes, by_square); }
    void store(PieceBoard& board) const { store(board.on.data()); }

    __m512i by_square;
  };

  RaysAvx512(const Bytes& bytes, Square s) : square_(s), squares_(ray_layout::perm.load512(s)) {
    const __m512i of_piece = _mm512_broadcast_i32x4(ray_layout::class_of_piece.load128(0));
    const __m512i classes = _mm512_shuffle_epi8(of_piece, by_slot(bytes));
    const __m512i knights_slots = _mm512_set1_epi64(0xFF);
    rays_ = _mm512_andnot_si512(knights_slots, classes);
    first_ = _mm512_and_si512(classes, _mm512_sub_epi64(knights_slots, rays_));
  }

  Bitboard attacks(Piece piece) const {
    return on_board(_mm512_maskz_mov_epi8(ray_layout::attacked_slots[piece], open()));
  }

  /// Bytes by square, by slot.
  __m512i by_slot(const Bytes& bytes) const { return _mm512_permutexvar_epi8(squares_, bytes.by_square); }
  /// Bytes by slot, by square; where no slot leads, that of slot 0.
  __m512i by_square(__m512i slots) const { return _mm512_permutexvar_epi8(ray_layout::inv.load512(square_), slots); }
  /// Not 0 in the slots that are open, those of knights included.
  __m512i open() const { return _mm512_xor_si512(rays_, _mm512_add_epi64(rays_, _mm512_set1_epi64(-1))); }
  /// The sliders that attack the square, by slot.
  __mmask64 sliders() const { return _mm512_test_epi8_mask(first_, ray_layout::sliding.load512(0)); }

 private:
  /// The set of the squares whose slots are not 0.
  Bitboard on_board(__m512i slots) const {
    const __m512i inv = ray_layout::inv.load512(square_);
    const __mmask64 reached = _mm512_testn_epi8_mask(inv, _mm512_set1_epi8(static_cast<char>(ray_layout::nowhere)));
    const __m512i squares = _mm512_permutexvar_epi8(inv, slots);
    return _mm512_mask_test_epi8_mask(reached, squares, squares);
  }

  Square square_;
  __m512i squares_;  ///< by slot
  __m512i rays_;     ///< classes, without the knights' slots
  __m512i first_;    ///< classes of who is first, and in all knights' slots
};

}  // namespace slidebench
