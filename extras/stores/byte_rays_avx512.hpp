// SPDX-License-Identifier: MIT
//
// Byte rays in AVX-512: a board is one register, and one instruction permutes it.
//
//      rays        VPERMB turns the board into the ray layout, VPSHUFB turns pieces into classes, and three steps on
//                  words of eight bytes leave the first piece of each ray (ray_layout.hpp). Five instructions to who
//                  stands first, with no way to a general register and back.
//      attackers   A second VPERMB takes the slots back to squares, and a test makes them a set.
//      threats     Each test leaves a mask. VPCOMPRESSB moves the pieces and the squares of its slots together.
//                  Widened, they are half a threat each; the piece on the square is the other half, and a whole list
//                  is stored at once.
//      through     Of each ray the one piece that counts: VPSADBW adds up bytes of which at most one is not masked. A
//                  rotation by half the vector puts what stands on the opposite ray beside it.
//
//                  word d      attacker's piece, square | attacked piece, square from word d + 4
//
// During a move the board stays in its register: each change of a byte is a masked broadcast, and a vector is stored
// at the end. Were the bytes stored one by one, the next load of all 64 would wait until they have left the store
// buffer.
//
// Inventor: 87flowers (2025), with masks in place of words and of sums; the words, and VPSADBW for what goes through a
// square, are this project's. Source: https://87flowers.com; Reckless, pull request 652. State: none. Tables:
// perm and inv, 4,096 bytes each, 560 of classes and slots. Loads: 64 bytes of the board, 64 of perm, and 64 for each
// kind of classes by slot; attacks and attackers 64 of inv. Relies on: AVX-512 F and BW, VBMI (VPERMB) and
// VBMI2 (VPCOMPRESSB): Intel since Ice Lake, AMD since Zen 4.
#pragma once

#if !defined(__AVX512BW__) || !defined(__AVX512VL__) || !defined(__AVX512VBMI__) || !defined(__AVX512VBMI2__)
#error "byte_rays_avx512 needs AVX-512: compile for x86-64-v4 with -mavx512vbmi -mavx512vbmi2"
#endif

#include <immintrin.h>

#include "extras/stores/byte_rays.hpp"

namespace slidebench {

class RaysAvx512 {
 public:
  static constexpr MethodInfo info{.id = "byte_rays_avx512",
                                   .title = "Byte rays (AVX-512)",
                                   .family = "store",
                                   .inventor = "87flowers",
                                   .year = 2025,
                                   .reference = "https://87flowers.com",
                                   .requires_isa = Isa::avx512f | Isa::avx512bw | Isa::avx512dq | Isa::avx512vl |
                                                   Isa::avx512vbmi | Isa::avx512vbmi2};
  static constexpr std::array tables = ray_layout::tables_and(table_info("inv", ray_layout::inv),
                                                              table_info("attacked_slots", ray_layout::attacked_slots));

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

  RaysAvx512(const Bytes& bytes, Square s)
      : square_(s), squares_(ray_layout::perm.load512(s)), pieces_(by_slot(bytes)) {
    const __m512i of_piece = _mm512_broadcast_i32x4(ray_layout::class_of_piece.load128(0));
    const __m512i classes = _mm512_shuffle_epi8(of_piece, pieces_);
    const __m512i knights_slots = _mm512_set1_epi64(0xFF);
    rays_ = _mm512_andnot_si512(knights_slots, classes);
    first_ = _mm512_and_si512(classes, _mm512_sub_epi64(knights_slots, rays_));
  }

  static Bitboard attackers_of(const PieceBoard& board, Square s) {
    const RaysAvx512 rays(Bytes(board), s);
    return rays.on_board(_mm512_and_si512(rays.first_, classes(ray_layout::attacking)));
  }

  /// Leapers too: a branch on the type of the piece would cost more than their slots.
  static Bitboard attacks_of(const PieceBoard& board, Square s) {
    return RaysAvx512(Bytes(board), s).attacks(board.on[s]);
  }
  Bitboard attacks(Piece piece) const {
    return on_board(_mm512_maskz_mov_epi8(ray_layout::attacked_slots[piece], open()));
  }

  const RaysAvx512& threats() const { return *this; }
  void of_piece(Piece piece, ThreatList& list) const {
    const ray_layout::ThreatSlots& slots = ray_layout::threat_slots[piece];
    const __m512i others = _mm512_set1_epi8(127 & ~ray_layout::king);
    add_attacked(piece, _mm512_mask_test_epi8_mask(slots.to, first_, others), list);
    add_attackers(piece, slots.from, list);
  }

  void through(ThreatList& list) const {
    const auto attackers = _mm512_test_epi64_mask(first_, classes(ray_layout::sliding));
    const auto targets = _mm512_test_epi64_mask(first_, classes(ray_layout::other_end));
    const auto pairs = static_cast<__mmask8>(attackers & std::rotl(static_cast<std::uint8_t>(targets), 4));
    const __m512i ends = one_a_ray();
    const __m512i threats = _mm512_or_si512(ends, _mm512_slli_epi64(opposite(ends), 16));
    const __m256i listed = _mm512_cvtepi64_epi32(_mm512_maskz_compress_epi64(pairs, threats));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(&list.items[list.count]), listed);
    list.count += static_cast<unsigned>(std::popcount(static_cast<std::uint8_t>(pairs)));
  }

  // For the store that keeps a table of attacks.

  /// Bytes by square, by slot.
  __m512i by_slot(const Bytes& bytes) const { return _mm512_permutexvar_epi8(squares_, bytes.by_square); }
  /// Bytes by slot, by square; where no slot leads, that of slot 0.
  __m512i by_square(__m512i slots) const { return _mm512_permutexvar_epi8(ray_layout::inv.load512(square_), slots); }
  /// Not 0 in the slots that are open, those of knights included.
  __m512i open() const { return _mm512_xor_si512(rays_, _mm512_add_epi64(rays_, _mm512_set1_epi64(-1))); }
  /// The sliders that attack the square, by slot.
  __mmask64 sliders() const { return _mm512_test_epi8_mask(first_, classes(ray_layout::sliding)); }

 private:
  static __m512i classes(unsigned which) { return ray_layout::classes.load512(which); }

  /// The set of the squares whose slots are not 0.
  Bitboard on_board(__m512i slots) const {
    const __m512i inv = ray_layout::inv.load512(square_);
    const __mmask64 reached = _mm512_testn_epi8_mask(inv, _mm512_set1_epi8(static_cast<char>(ray_layout::nowhere)));
    const __m512i squares = _mm512_permutexvar_epi8(inv, slots);
    return _mm512_mask_test_epi8_mask(reached, squares, squares);
  }

  static __m512i opposite(__m512i slots) { return _mm512_shuffle_i64x2(slots, slots, 0b01'00'11'10); }

  /// In each word the piece that is first on the ray, and its square above.
  __m512i one_a_ray() const {
    const __m512i knights_slots = _mm512_set1_epi64(0xFF);
    const __m512i first = _mm512_andnot_si512(knights_slots, first_);
    const __mmask64 slots = _mm512_test_epi8_mask(first, first);
    const __m512i zero = _mm512_setzero_si512();
    const __m512i piece = _mm512_sad_epu8(_mm512_maskz_mov_epi8(slots, pieces_), zero);
    const __m512i square = _mm512_sad_epu8(_mm512_maskz_mov_epi8(slots, squares_), zero);
    return _mm512_or_si512(piece, _mm512_slli_epi64(square, 8));
  }

  static __m128i compressed(__mmask64 slots, __m512i bytes) {
    return _mm512_castsi512_si128(_mm512_maskz_compress_epi8(slots, bytes));
  }

  /// At most eight: a slot in each ray, or the jumps.
  void add_attacked(Piece piece, __mmask64 slots, ThreatList& list) const {
    const __m128i halves = _mm_unpacklo_epi8(compressed(slots, pieces_), compressed(slots, squares_));
    const __m256i self = _mm256_set1_epi16(static_cast<short>(half_threat(piece, square_)));
    const __m256i targets = _mm256_slli_epi32(_mm256_cvtepu16_epi32(halves), 16);
    const __m256i threats = _mm256_blend_epi16(targets, self, 0b01010101);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(&list.items[list.count]), threats);
    list.count += static_cast<unsigned>(std::popcount(std::uint64_t{slots}));
  }

  /// At most sixteen: a slot in each ray, and the jumps. Of a king all are written and none is counted, so that what
  /// attacks the square is compressed once for both pieces of a capture.
  void add_attackers(Piece piece, std::uint64_t counted, ThreatList& list) const {
    const __mmask64 slots = _mm512_test_epi8_mask(first_, classes(ray_layout::threatening));
    const __m512i pieces = _mm512_cvtepu8_epi32(compressed(slots, pieces_));
    const __m512i squares = _mm512_slli_epi32(_mm512_cvtepu8_epi32(compressed(slots, squares_)), 8);
    const __m512i self = _mm512_set1_epi32(static_cast<int>(half_threat(piece, square_) << 16));
    _mm512_storeu_si512(&list.items[list.count], _mm512_ternarylogic_epi32(pieces, squares, self, any_of_three));
    list.count += static_cast<unsigned>(std::popcount(slots & counted));
  }

  // A truth table of VPTERNLOGD: bit 4a + 2b + c is the result for the bits a, b and c.
  static constexpr int any_of_three = 0b11111110;

  Square square_;
  __m512i squares_;  ///< by slot
  __m512i pieces_;   ///< by slot
  __m512i rays_;     ///< classes, without the knights' slots
  __m512i first_;    ///< classes of who is first, and in all knights' slots
};

template <AttackMethod M>
using ByteRaysAvx512 = ByteRayStore<M, RaysAvx512>;

}  // namespace slidebench
