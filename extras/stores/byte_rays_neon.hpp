// SPDX-License-Identifier: MIT
//
// Byte rays in NEON: the board in four registers, and TBL looks a byte up in all four.
//
// One TBL permutes sixteen bytes of the board into two rays of the ray layout, and sixteen slots back to squares, and
// gives 0 for an index beyond 63. The rest is as in ray_layout.hpp: words of eight bytes, a ray each. Sets of slots are
// made of vectors by adding neighbours: a bit is kept in each byte, its place in the byte of the set, and three
// pairwise additions gather eight each. Threats are listed slot by slot. Leapers' attacks come from their tables.
//
// The board is kept, loaded and stored as four registers of sixteen bytes.
//
// Inventor: 87flowers (2025). Source: https://87flowers.com. State: none. Tables: as byte_rays_avx2.hpp. Loads: 64
// bytes of the board, 64 of perm, 64 for each kind of classes by slot; attacks and attackers 64 of inv; one byte of
// perm and one of pieces a threat. Relies on: NEON, which all of AArch64 has; a TBL of four registers takes some cores
// several steps.
#pragma once

#if !defined(__aarch64__)
#error "byte_rays_neon needs AArch64"
#endif

#include <arm_neon.h>

#include "extras/stores/byte_rays.hpp"

namespace slidebench {

/// Four registers, for two rays or sixteen squares each.
struct Quarters {
  uint8x16_t at[4];

  template <class Function>
  static Quarters from(Function function) {
    return {{function(0), function(1), function(2), function(3)}};
  }

  friend Quarters operator&(const Quarters& a, const Quarters& b) {
    return from([&](unsigned q) { return vandq_u8(a.at[q], b.at[q]); });
  }
  /// The bytes that indices name; 0 for those above 63.
  Quarters operator[](const Quarters& indices) const {
    const uint8x16x4_t table{{at[0], at[1], at[2], at[3]}};
    return from([&](unsigned q) { return vqtbl4q_u8(table, indices.at[q]); });
  }
  /// The set of the bytes that share a bit with those of a mask.
  std::uint64_t set(const Quarters& mask) const {
    const uint8x16_t places = vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201));
    const Quarters bits = from([&](unsigned q) { return vandq_u8(vtstq_u8(at[q], mask.at[q]), places); });
    const uint8x16_t pairs = vpaddq_u8(vpaddq_u8(bits.at[0], bits.at[1]), vpaddq_u8(bits.at[2], bits.at[3]));
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(pairs, pairs)), 0);
  }
};

class RaysNeon {
 public:
  static constexpr MethodInfo info{.id = "byte_rays_neon",
                                   .title = "Byte rays (NEON)",
                                   .family = "store",
                                   .inventor = "87flowers",
                                   .year = 2025,
                                   .reference = "https://87flowers.com",
                                   .requires_isa = Isa::neon};
  static constexpr std::array tables = ray_layout::tables_and(table_info("inv", ray_layout::inv),
                                                              table_info("attacked_bytes", ray_layout::attacked_bytes));

  /// 64 bytes by square, in registers.
  class Bytes {
   public:
    explicit Bytes(const PieceBoard& board) : by_square(load(board.on.data())) {}

    void set(const PieceBoard&, Square s, Piece piece) {
      constexpr std::uint8_t first[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
      const uint8x16_t now = vdupq_n_u8(piece);
      for (unsigned q = 0; q < 4; ++q) {
        const uint8x16_t there = vceqq_u8(vld1q_u8(first), vdupq_n_u8(static_cast<std::uint8_t>(s - 16 * q)));
        by_square.at[q] = vbslq_u8(there, now, by_square.at[q]);
      }
    }
    void store(PieceBoard& board) const {
      for (unsigned q = 0; q < 4; ++q) vst1q_u8(board.on.data() + 16 * q, by_square.at[q]);
    }

    Quarters by_square;
  };

  RaysNeon(const Bytes& bytes, Square s) : square_(s) {
    pieces_ = bytes.by_square[row(ray_layout::perm, s)];
    record_access(&ray_layout::class_of_piece, 0, 16);
    const uint8x16_t of_piece = vld1q_u8(ray_layout::class_of_piece.data);
    const uint64x2_t knights_slots = vdupq_n_u64(0xFF);
    for (unsigned q = 0; q < 4; ++q) {
      const uint64x2_t classes = vreinterpretq_u64_u8(vqtbl1q_u8(of_piece, pieces_.at[q]));
      rays_[q] = vbicq_u64(classes, knights_slots);
      first_.at[q] = vreinterpretq_u8_u64(vandq_u64(classes, vsubq_u64(knights_slots, rays_[q])));
    }
  }

  static Bitboard attackers_of(const PieceBoard& board, Square s) {
    const RaysNeon rays(Bytes(board), s);
    return rays.on_board(rays.first_ & row(ray_layout::classes, ray_layout::attacking));
  }

  static Bitboard attacks_of(const PieceBoard& board, Square s) {
    const Piece piece = board.on[s];
    const auto type = static_cast<PieceType>(type_of(piece));
    if (type != PieceType::bishop && type != PieceType::rook && type != PieceType::queen)
      return leaper_attacks(piece, s);
    return RaysNeon(Bytes(board), s).attacks(piece);
  }
  Bitboard attacks(Piece piece) const { return on_board(open() & row(ray_layout::attacked_bytes, piece)); }

  SlotThreats<Slots> threats() const {
    SlotThreats<Slots> threats;
    for (unsigned q = 0; q < 4; ++q) vst1q_u8(threats.pieces.at + 16 * q, pieces_.at[q]);
    threats.squares = ray_layout::perm.data[square_].at;
    threats.square = square_;
    threats.targets = first_.set(Quarters::from([](unsigned) { return vdupq_n_u8(127 & ~ray_layout::king); }));
    threats.threatening = first_.set(row(ray_layout::classes, ray_layout::threatening));
    threats.sliding = first_.set(row(ray_layout::classes, ray_layout::sliding));
    return threats;
  }

 private:
  static Quarters load(const std::uint8_t* bytes) {
    return Quarters::from([bytes](unsigned q) { return vld1q_u8(bytes + 16 * q); });
  }
  template <std::size_t n>
  static Quarters row(const Table<Slots, n>& table, std::size_t i) {
    record_access(&table, i * sizeof(Slots), sizeof(Slots));
    return load(table.data[i].at);
  }

  /// Not 0 in the slots that are open, those of knights included.
  Quarters open() const {
    const uint64x2_t minus_one = vdupq_n_u64(~std::uint64_t{0});
    return Quarters::from(
        [&](unsigned q) { return vreinterpretq_u8_u64(veorq_u64(rays_[q], vaddq_u64(rays_[q], minus_one))); });
  }

  /// The set of the squares whose slots are not 0.
  Bitboard on_board(const Quarters& slots) const {
    const Quarters squares = slots[row(ray_layout::inv, square_)];
    return squares.set(squares);
  }

  Square square_;
  Quarters pieces_;     ///< by slot
  uint64x2_t rays_[4];  ///< classes by slot, without the knights' slots
  Quarters first_;      ///< classes of who is first, and in all knights' slots
};

template <AttackMethod M>
using ByteRaysNeon = ByteRayStore<M, RaysNeon>;

}  // namespace slidebench
