// SPDX-License-Identifier: MIT
//
// Byte rays in AVX2: the ray layout in two registers of four rays each.
//
// AVX2 permutes 16 bytes, not 64. So each quarter of the board is looked up with all indices, and three blends by bits
// 4 and 5 of the index keep the right one:
//
//      index       5     4     3 2 1 0
//                  |     |     PSHUFB of each of the four quarters
//                  |     VPBLENDVB of quarters 0 and 1, and of 2 and 3
//                  VPBLENDVB of these two
//
// Four VPSHUFB and three VPBLENDVB permute 32 bytes; the same way leads back from slots to squares. The rest is as in
// ray_layout.hpp: words of eight bytes, a ray each. Opposite rays lie in different registers. Threats are listed slot
// by slot, for nothing compresses here. Leapers' attacks come from their tables, which are shorter than two
// permutations.
//
// During a move the board stays in two registers. Each change of a byte is a comparison with the numbers of the squares
// and a blend, and whole registers are stored at the end. Were the bytes stored one by one, the next load would wait
// until they have left the store buffer.
//
// Inventor: 87flowers (2025). Source: https://87flowers.com. State: none. Tables: perm and inv, 4,096 bytes
// each, 1,232 of classes and slots. Loads: 64 bytes of the board, 64 of perm, 64 for each kind of classes by slot;
// attacks and attackers 64 of inv; one byte of perm and one of pieces a threat.
#pragma once

#if !defined(__AVX2__)
#error "byte_rays_avx2 needs AVX2: compile for x86-64-v3"
#endif

#include <immintrin.h>

#include "extras/stores/byte_rays.hpp"

namespace slidebench {

/// Two registers, for rays or squares 0 to 31 and 32 to 63.
struct Halves {
  __m256i low;
  __m256i high;

  /// From an aligned address.
  static Halves load(const std::uint8_t* bytes) {
    return {_mm256_load_si256(reinterpret_cast<const __m256i*>(bytes)),
            _mm256_load_si256(reinterpret_cast<const __m256i*>(bytes + 32))};
  }

  void store(std::uint8_t* bytes) const {
    _mm256_store_si256(reinterpret_cast<__m256i*>(bytes), low);
    _mm256_store_si256(reinterpret_cast<__m256i*>(bytes + 32), high);
  }

  friend Halves operator&(Halves a, Halves b) {
    return {_mm256_and_si256(a.low, b.low), _mm256_and_si256(a.high, b.high)};
  }
  /// A mask of the bytes that are 0.
  Halves zeros() const {
    const __m256i zero = _mm256_setzero_si256();
    return {_mm256_cmpeq_epi8(low, zero), _mm256_cmpeq_epi8(high, zero)};
  }
  /// The bytes where a mask is not set.
  Halves without(Halves mask) const {
    return {_mm256_andnot_si256(mask.low, low), _mm256_andnot_si256(mask.high, high)};
  }
  /// The set of the bytes that are not 0.
  std::uint64_t set() const {
    const Halves none = zeros();
    const auto bits = [](__m256i mask) { return static_cast<std::uint32_t>(_mm256_movemask_epi8(mask)); };
    return ~(bits(none.low) | std::uint64_t{bits(none.high)} << 32);
  }
};

/// 64 bytes to be looked up: four registers, each with a quarter twice.
class Lookup {
 public:
  explicit Lookup(const Halves& bytes)
      : first_(_mm256_permute4x64_epi64(bytes.low, lower_twice)),
        second_(_mm256_permute4x64_epi64(bytes.low, upper_twice)),
        third_(_mm256_permute4x64_epi64(bytes.high, lower_twice)),
        fourth_(_mm256_permute4x64_epi64(bytes.high, upper_twice)) {}
  /// From memory the loads alone do it.
  explicit Lookup(const std::uint8_t* bytes)
      : first_(twice(bytes)), second_(twice(bytes + 16)), third_(twice(bytes + 32)), fourth_(twice(bytes + 48)) {}

  /// The bytes that indices name; 0 for those above 127.
  Halves operator[](const Halves& indices) const { return {permuted(indices.low), permuted(indices.high)}; }

 private:
  static constexpr int lower_twice = 0b01'00'01'00, upper_twice = 0b11'10'11'10;

  static __m256i twice(const std::uint8_t* bytes) {
    return _mm256_broadcastsi128_si256(_mm_load_si128(reinterpret_cast<const __m128i*>(bytes)));
  }

  __m256i permuted(__m256i index) const {
    // VPBLENDVB looks at bit 7.
    const __m256i bit4 = _mm256_slli_epi16(index, 3), bit5 = _mm256_slli_epi16(index, 2);
    const __m256i low =
        _mm256_blendv_epi8(_mm256_shuffle_epi8(first_, index), _mm256_shuffle_epi8(second_, index), bit4);
    const __m256i high =
        _mm256_blendv_epi8(_mm256_shuffle_epi8(third_, index), _mm256_shuffle_epi8(fourth_, index), bit4);
    return _mm256_blendv_epi8(low, high, bit5);
  }

  __m256i first_, second_, third_, fourth_;
};

class RaysAvx2 {
 public:
  static constexpr MethodInfo info{.id = "byte_rays_avx2",
                                   .title = "Byte rays (AVX2)",
                                   .family = "store",
                                   .inventor = "87flowers",
                                   .year = 2025,
                                   .reference = "https://87flowers.com",
                                   .requires_isa = Isa::avx2};
  static constexpr std::array tables = ray_layout::tables_and(table_info("inv", ray_layout::inv),
                                                              table_info("attacked_bytes", ray_layout::attacked_bytes));

  /// 64 bytes by square, in registers.
  class Bytes {
   public:
    explicit Bytes(const PieceBoard& board) : Bytes(board.on.data()) {}
    explicit Bytes(const std::uint8_t* bytes) : by_square(Halves::load(bytes)) {}

    void set(Square s, std::uint8_t byte) {
      const __m256i square = _mm256_set1_epi8(static_cast<char>(s));
      const __m256i now = _mm256_set1_epi8(static_cast<char>(byte));
      const Halves numbers = Halves::load(numbered.at);
      by_square.low = _mm256_blendv_epi8(by_square.low, now, _mm256_cmpeq_epi8(square, numbers.low));
      by_square.high = _mm256_blendv_epi8(by_square.high, now, _mm256_cmpeq_epi8(square, numbers.high));
    }
    void set(const PieceBoard&, Square s, Piece piece) { set(s, piece); }

    void store(std::uint8_t* bytes) const { by_square.store(bytes); }
    void store(PieceBoard& board) const { store(board.on.data()); }

    Halves by_square;

   private:
    static constexpr Slots numbered = ray_layout::slots_of([](unsigned s) { return s; });
  };

  RaysAvx2(const Bytes& bytes, Square s) : RaysAvx2(Lookup(bytes.by_square), s) {}
  RaysAvx2(const Lookup& board, Square s) : square_(s), squares_(row(ray_layout::perm, s)) {
    pieces_ = board[squares_];
    const __m256i of_piece = _mm256_broadcastsi128_si256(ray_layout::class_of_piece.load128(0));
    const Halves classes{_mm256_shuffle_epi8(of_piece, pieces_.low), _mm256_shuffle_epi8(of_piece, pieces_.high)};
    const __m256i knights_slots = _mm256_set1_epi64x(0xFF);
    rays_ = classes.without({knights_slots, knights_slots});
    first_ = classes & Halves{_mm256_sub_epi64(knights_slots, rays_.low), _mm256_sub_epi64(knights_slots, rays_.high)};
  }

  static Bitboard attackers_of(const PieceBoard& board, Square s) {
    const RaysAvx2 rays(Lookup(board.on.data()), s);
    return rays.by_square(rays.first(ray_layout::attacking)).set();
  }

  static Bitboard attacks_of(const PieceBoard& board, Square s) {
    const Piece piece = board.on[s];
    const auto type = static_cast<PieceType>(type_of(piece));
    if (type != PieceType::bishop && type != PieceType::rook && type != PieceType::queen)
      return leaper_attacks(piece, s);
    return RaysAvx2(Lookup(board.on.data()), s).reach(piece).set();
  }

  SlotThreats<Slots> threats() const {
    const __m256i others = _mm256_set1_epi8(127 & ~ray_layout::king);
    SlotThreats<Slots> threats;
    pieces_.store(threats.pieces.at);
    threats.squares = ray_layout::perm.data[square_].at;
    threats.square = square_;
    threats.targets = (first_ & Halves{others, others}).set();
    threats.threatening = first(ray_layout::threatening).set();
    threats.sliding = sliders().set();
    return threats;
  }

  // For the store that keeps a table of attacks.

  /// Bytes by square, by slot.
  Halves by_slot(const Bytes& bytes) const { return Lookup(bytes.by_square)[squares_]; }
  /// Bytes by slot, by square; 0 where no slot leads.
  Halves by_square(Halves slots) const { return Lookup(slots)[row(ray_layout::inv, square_)]; }
  /// Not 0 in the slots that are open, those of knights included.
  Halves open() const {
    const __m256i minus_one = _mm256_set1_epi64x(-1);
    return {_mm256_xor_si256(rays_.low, _mm256_add_epi64(rays_.low, minus_one)),
            _mm256_xor_si256(rays_.high, _mm256_add_epi64(rays_.high, minus_one))};
  }
  /// Not 0 in the squares that a piece attacks.
  Halves reach(Piece piece) const { return by_square(open() & row(ray_layout::attacked_bytes, piece)); }
  /// The classes of the sliders that attack the square.
  Halves sliders() const { return first(ray_layout::sliding); }

 private:
  template <std::size_t n>
  static Halves row(const Table<Slots, n>& table, std::size_t i) {
    record_access(&table, i * sizeof(Slots), sizeof(Slots));
    return Halves::load(table.data[i].at);
  }

  Halves first(unsigned which) const { return first_ & row(ray_layout::classes, which); }

  Square square_;
  Halves squares_;  ///< by slot
  Halves pieces_;   ///< by slot
  Halves rays_;     ///< classes, without the knights' slots
  Halves first_;    ///< classes of who is first, and in all knights' slots
};

template <AttackMethod M>
using ByteRaysAvx2 = ByteRayStore<M, RaysAvx2>;

}  // namespace slidebench
