// SPDX-License-Identifier: MIT
//
// The rays of a square: the bytes of the board, a piece each, permuted into the ray layout of the square
// (ray_layout.hpp), eight rays of seven squares and eight knight's jumps. One such permutation tells who stands first
// on every ray.
//
// Inventor: 87flowers (2025), whose rays the engines Reckless, PlentyChess, Stormphrax and Viridithas took over in
// place of magic bitboards for their threat inputs. Source: https://87flowers.com; Reckless, pull request 652.
// Here in words of eight bytes, gathered byte by byte; rays_avx512.hpp permutes in vectors.
#pragma once

#include <cstring>

#include "extras/stores/ray_layout.hpp"

namespace slidebench {

/// The rays of a square as eight words. What a form of rays has to offer: Bytes, what a piece attacks from the square,
/// the sliders that attack the square, and how far each ray is open.
class RayWords {
 public:
  /// The board's own bytes: without vectors there is nothing to keep in registers.
  class Bytes {
   public:
    explicit Bytes(const PieceBoard& board) : on(board.on) {}
    static void set(PieceBoard& board, Square s, Piece piece) { board.on[s] = piece; }
    static void store(PieceBoard&) {}

    const std::array<Piece, 64>& on;
  };

  RayWords(const Bytes& bytes, Square s) : squares_(ray_layout::perm[s]), square_(s) {
    for (unsigned d = 0; d < 8; ++d) {
      const std::uint64_t pieces = gather(bytes.on, squares_.at + 8 * d);
      // Who is not nobody: the first such byte above the knight's, else the last, of class 0.
      const std::uint64_t ray = (pieces ^ nobody) & ~std::uint64_t{0xFF};
      const unsigned first = static_cast<unsigned>(std::countr_zero(ray | bit(63))) / 8;
      open_ |= std::uint64_t{(2u << first) - 1} << 8 * d;
      first_[d] = std::uint64_t{ray_layout::class_of_piece[pieces >> 8 * first & 0xFF]} << 8 * first;
    }
  }

  Bitboard attacks(Piece piece) const { return on_board(open_ & ray_layout::attacked_slots[piece]); }

  /// The sliders that attack the square, by slot.
  std::uint64_t sliders() const {
    constexpr std::uint64_t tops = 0x8080808080808080;
    // Moves bits 0, 8, ..., 56 to 56, 57, ..., 63.
    constexpr std::uint64_t together = 0x0102040810204080;
    std::uint64_t slots = 0;
    for (unsigned d = 0; d < 8; ++d) {
      std::uint64_t classes;
      std::memcpy(&classes, ray_layout::sliding[0].at + 8 * d, sizeof classes);
      // Classes leave the top bit to a carry out of the others.
      const std::uint64_t chosen = ((first_[d] & classes) + ~tops) & tops;
      slots |= ((chosen >> 7) * together >> 56) << 8 * d;
    }
    return slots;
  }
  Square square_at(unsigned slot) const { return squares_.at[slot]; }
  /// The squares of a ray up to the first piece.
  Bitboard open_ray(unsigned d) const { return on_board(open_ & std::uint64_t{0xFE} << 8 * d); }

 private:
  /// The set of some slots' squares, without those beyond the edge.
  Bitboard on_board(std::uint64_t slots) const {
    Bitboard set = 0;
    while (slots != 0) set |= bit(squares_.at[pop_lowest(slots)]);
    return set & ~bit(square_);
  }

  static constexpr std::uint64_t nobody = no_piece * ray_layout::jumps;

  static std::uint64_t gather(const std::array<Piece, 64>& on, const std::uint8_t* squares) {
    std::uint64_t pieces = 0;
    for (unsigned k = 0; k < 8; ++k) pieces |= std::uint64_t{on[squares[k]]} << 8 * k;
    return pieces;
  }

  const Slots& squares_;
  std::array<std::uint64_t, 8> first_;  ///< the class of who is first
  std::uint64_t open_ = 0;              ///< the slots up to the first piece of each ray, and the knight's
  Square square_;
};

}  // namespace slidebench
