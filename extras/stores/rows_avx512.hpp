// SPDX-License-Identifier: MIT
//
// Rows in AVX-512: the attack sets of rows.hpp, searched, turned into squares and listed without a loop over pieces.
//
//   search      VPTESTMQ tests eight rows at once and leaves a bit for each: four of them search all 32.
//   attackers   The same four masks choose lanes in which a 1 is shifted to the square of the lane's piece; their union
//               is the answer.
//   threats     The piece and square of each id are a word, which VPERMB fetches from the board. Who attacks a piece
//   are
//               the words of a column's ids; whom it attacks are those of the ids whose squares its row holds, which
//               VPSHUFBITQMB says for all 32 at once. VPCOMPRESSD moves the words of a set together, each beside the
//               word of the piece, and they are a list.
//
//                  word of id      piece | square << 8
//                  threat          attacker's word | attacked piece's word << 16
//
// Inventor: Aethdv (engine Soul), for the search. Source: https://github.com/Aethdv/Soul/pull/123 (2026); what makes
// squares and lists of it is this project's, the compressed lists after Stockfish's. State: as rows.hpp, 384 bytes.
// Loads: attacks 2, attackers 8, attacked 2; make and unmake 4 for each search. Slow: rows are written as words and
// read as vectors, so that a question right after a move waits until these words have left the store buffer. make()
// reads before it writes. Relies on: AVX-512 F, BW and VL, VBMI (VPERMB) and BITALG (VPSHUFBITQMB): Intel since Ice
// Lake, AMD since Zen 4.
#pragma once

#if !defined(__AVX512BW__) || !defined(__AVX512VL__) || !defined(__AVX512VBMI__) || !defined(__AVX512BITALG__)
#error "rows_avx512 needs AVX-512: compile for x86-64-v4 with -mavx512vbmi -mavx512bitalg"
#endif

#include <immintrin.h>

#include "extras/stores/rows.hpp"

namespace slidebench {

/// Of the pieces of some ids, the squares as a set.
inline Bitboard squares_of(__mmask32 ids, const std::uint8_t* squares) {
  const __m512i one = _mm512_set1_epi64(1);
  const auto eight = [&](unsigned first) {
    const __m512i shifts = _mm512_cvtepu8_epi64(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(squares + first)));
    return _mm512_maskz_sllv_epi64(static_cast<__mmask8>(ids >> first), one, shifts);
  };
  const __m512i lanes = _mm512_or_si512(_mm512_or_si512(eight(0), eight(8)), _mm512_or_si512(eight(16), eight(24)));
  return static_cast<Bitboard>(_mm512_reduce_or_epi64(lanes));
}

/// Lists the threats of a set of ids at once.
class ThreatCompressor {
 public:
  ThreatCompressor(const PieceBoard& board, const Roster& roster)
      : squares_(_mm256_load_si256(reinterpret_cast<const __m256i*>(roster.squares.data()))),
        alive_(_mm256_cmplt_epu8_mask(squares_, _mm256_set1_epi8(Roster::off_board))) {
    const __m512i by_square = _mm512_load_si512(board.on.data());
    const __m256i pieces = _mm512_castsi512_si256(_mm512_permutexvar_epi8(_mm512_castsi256_si512(squares_), by_square));
    words_ = _mm512_or_si512(_mm512_cvtepu8_epi16(pieces), _mm512_slli_epi16(_mm512_cvtepu8_epi16(squares_), 8));
  }

  void attackers(Ids ids, PieceAt at, ThreatList& list) const {
    const __m512i attacked = _mm512_set1_epi32(static_cast<int>(word(at) << 16));
    append(ids, _mm512_or_si512(side(0), attacked), list);
    append(ids >> 16, _mm512_or_si512(side(1), attacked), list);
  }

  void attacked(PieceAt at, Bitboard targets, ThreatList& list) const {
    const __m256i set = _mm256_set1_epi64x(static_cast<long long>(targets));
    const Ids ids = _mm256_mask_bitshuffle_epi64_mask(alive_, set, squares_);
    const __m512i attacker = _mm512_set1_epi32(static_cast<int>(word(at)));
    append(ids, _mm512_or_si512(_mm512_slli_epi32(side(0), 16), attacker), list);
    append(ids >> 16, _mm512_or_si512(_mm512_slli_epi32(side(1), 16), attacker), list);
  }

  /// A piece was put down.
  void put(unsigned id, PieceAt at) {
    const __mmask32 lane = id_bit(id);
    squares_ = _mm256_mask_mov_epi8(squares_, lane, _mm256_set1_epi8(static_cast<char>(at.square)));
    words_ = _mm512_mask_mov_epi16(words_, lane, _mm512_set1_epi16(static_cast<short>(word(at))));
  }

 private:
  static std::uint32_t word(PieceAt at) { return at.piece | std::uint32_t{at.square} << 8; }

  /// The words of a side, each in 32 bits.
  __m512i side(unsigned color) const {
    return _mm512_cvtepu16_epi32(color == 0 ? _mm512_castsi512_si256(words_) : _mm512_extracti64x4_epi64(words_, 1));
  }

  static void append(Ids ids, __m512i threats, ThreatList& list) {
    const auto chosen = static_cast<__mmask16>(ids);
    // Not by the form that stores: it takes far longer on Zen 4.
    _mm512_storeu_si512(&list.items[list.count], _mm512_maskz_compress_epi32(chosen, threats));
    list.count += static_cast<unsigned>(std::popcount(std::uint32_t{chosen}));
  }

  __m256i squares_;
  __mmask32 alive_;
  __m512i words_;
};

struct RowArrayAvx512 : RowArray {
  static constexpr MethodInfo info{
      .id = "rows_avx512",
      .title = "Rows: an attack set for each piece (AVX-512)",
      .family = "store",
      .inventor = "Aethdv (Soul)",
      .year = 2026,
      .reference = "https://github.com/Aethdv/Soul/pull/123",
      .requires_isa = Isa::avx512f | Isa::avx512bw | Isa::avx512vl | Isa::avx512vbmi | Isa::avx512bitalg};
  using Lister = ThreatCompressor;

  Ids meeting(Bitboard set, const Roster& roster) const { return meeting(set) & roster.sliders; }

  Ids column(Square s, const PieceBoard&, const Roster&) const { return meeting(bit(s)); }

  Bitboard attackers(Square s, const PieceBoard&, const Roster& roster) const {
    return squares_of(meeting(bit(s)), roster.squares.data());
  }

  Bitboard of(Color color) const {
    const unsigned first = 16 * static_cast<unsigned>(color);
    record_state(this, first * sizeof(Bitboard), 16 * sizeof(Bitboard));
    return static_cast<Bitboard>(_mm512_reduce_or_epi64(_mm512_or_si512(eight(first), eight(first + 8))));
  }

 private:
  __m512i eight(unsigned id) const { return _mm512_load_si512(&rows[id]); }

  __mmask32 meeting(Bitboard set) const {
    record_state(this, 0, sizeof rows);
    const __m512i squares = _mm512_set1_epi64(static_cast<long long>(set));
    const __mmask16 white =
        _mm512_kunpackb(_mm512_test_epi64_mask(eight(8), squares), _mm512_test_epi64_mask(eight(0), squares));
    const __mmask16 black =
        _mm512_kunpackb(_mm512_test_epi64_mask(eight(24), squares), _mm512_test_epi64_mask(eight(16), squares));
    return _mm512_kunpackw(black, white);
  }
};

template <AttackMethod M>
using RowsAvx512 = RowStore<M, RowArrayAvx512>;

}  // namespace slidebench
