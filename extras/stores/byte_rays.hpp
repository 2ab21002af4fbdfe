// SPDX-License-Identifier: MIT
//
// Byte rays: nothing is kept but the board's bytes, and each question looks along all eight rays of a square at once.
//
// The bytes of the board, a piece each, are permuted into the ray layout of the square (ray_layout.hpp): eight rays of
// seven squares and eight knight's jumps, each a byte. One such permutation tells who stands first on every ray, so it
// answers all that a move asks about a square that it empties or fills:
//
//      attacks of the piece    who is first on its rays
//      attacks on the piece    who is first and attacks along the ray, or jumps
//      through the square      a slider is first on one ray, and somebody on the opposite one
//
// No set of occupied squares is asked, and no method of sliding attacks, save for all squares that a side attacks.
//
// Inventor: 87flowers (2025), whose rays the engines Reckless, PlentyChess, Stormphrax and Viridithas took over in
// place of magic bitboards for their threat inputs. Source: https://87flowers.com; Reckless, pull request 652.
// Here in words of eight bytes, gathered byte by byte; byte_rays_avx2.hpp, byte_rays_avx512.hpp and byte_rays_neon.hpp
// permute in vectors. State: none. Tables: perm, 4,096 bytes, and 464 of classes and slots. Loads: a square 64 bytes of
// perm, 64 of the board, 16 of classes of pieces, and 64 for each kind of classes by slot; attacks up to the first
// piece of each ray one byte of perm and one of the board a step.
#pragma once

#include <cstring>

#include "extras/stores/ray_layout.hpp"

namespace slidebench {

/// A store that keeps nothing. `Rays` are the rays of a square, made from `Rays::Bytes`, the bytes of a board.
template <AttackMethod M, class Rays>
requires(!HasBoard<M>) class ByteRayStore {
 public:
  using Method = M;
  static constexpr MethodInfo info = Rays::info;
  static constexpr auto tables = Rays::tables;

  explicit ByteRayStore(const PieceBoard&) {}

  template <class Threats>
  void make(PieceBoard& board, const Change& change, Threats& threats) {
    Bytes bytes(board);
    if constexpr (Threats::wanted) {
      make_with_threats(board, bytes, change, threats);
    } else {
      // One or two of each: a loop would be compiled for more.
      lift(board, bytes, change.lifted[0]);
      if (change.lifts == 2) lift(board, bytes, change.lifted[1]);
      put(board, bytes, change.put[0]);
      if (change.puts == 2) put(board, bytes, change.put[1]);
    }
    bytes.store(board);
  }

  void unmake(PieceBoard& board, const Change& change) {
    Bytes bytes(board);
    lift(board, bytes, change.put[0]);
    if (change.puts == 2) lift(board, bytes, change.put[1]);
    put(board, bytes, change.lifted[0]);
    if (change.lifts == 2) put(board, bytes, change.lifted[1]);
    bytes.store(board);
  }

  Bitboard attacks(const PieceBoard& board, Square s) const { return Rays::attacks_of(board, s); }
  Bitboard attackers(const PieceBoard& board, Square s) const { return Rays::attackers_of(board, s); }

  Bitboard attacked(const PieceBoard& board, Color color) const {
    const Bitboard own = board.of(color);
    return attacked_by_leapers(board, color) |
           set_attacks<M>(board.diagonal_sliders() & own, board.orthogonal_sliders() & own,
                          PlainBoard(board.occupied()));
  }

  PlainBoard asked(const PieceBoard&, Bitboard occupied) const { return PlainBoard(occupied); }

 private:
  using Bytes = typename Rays::Bytes;

  static void lift(PieceBoard& board, Bytes& bytes, PieceAt at) {
    bytes.set(board, at.square, no_piece);
    board.flip(at);
  }
  static void put(PieceBoard& board, Bytes& bytes, PieceAt at) {
    bytes.set(board, at.square, at.piece);
    board.flip(at);
  }

  static void make_with_threats(PieceBoard& board, Bytes& bytes, const Change& change, ThreatChange& threats) {
    lift(board, bytes, change.lifted[0], threats);
    if (change.captures_on_target()) {
      lift(board, bytes, change.lifted[1]);
      const Rays rays(bytes, change.put[0].square);
      const auto& there = rays.threats();
      there.of_piece(change.lifted[1].piece, threats.went);
      there.of_piece(change.put[0].piece, threats.came);
      put(board, bytes, change.put[0]);
      return;
    }
    if (change.lifts == 2) [[unlikely]]
      lift(board, bytes, change.lifted[1], threats);
    put(board, bytes, change.put[0], threats);
    if (change.puts == 2) [[unlikely]]
      put(board, bytes, change.put[1], threats);
  }

  static void lift(PieceBoard& board, Bytes& bytes, PieceAt at, ThreatChange& threats) {
    lift(board, bytes, at);
    const Rays rays(bytes, at.square);
    const auto& there = rays.threats();
    there.of_piece(at.piece, threats.went);
    there.through(threats.came);
  }

  static void put(PieceBoard& board, Bytes& bytes, PieceAt at, ThreatChange& threats) {
    const Rays rays(bytes, at.square);
    const auto& there = rays.threats();
    there.of_piece(at.piece, threats.came);
    there.through(threats.went);
    put(board, bytes, at);
  }
};

/// The rays of a square as eight words. What a form of rays has to offer: Bytes; attackers_of() and attacks_of();
/// threats(), which list those of_piece() and through() the square as long as it is empty.
class RayWords {
 public:
  static constexpr MethodInfo info{.id = "byte_rays",
                                   .title = "Byte rays",
                                   .family = "store",
                                   .inventor = "87flowers",
                                   .year = 2025,
                                   .reference = "https://87flowers.com",
                                   .requires_isa = Isa::none};
  static constexpr std::array tables = ray_layout::tables_of_words;

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
      std::memcpy(pieces_.at + 8 * d, &pieces, sizeof pieces);
      // Who is not nobody: the first such byte above the knight's, else the last, of class 0.
      const std::uint64_t ray = (pieces ^ nobody) & ~std::uint64_t{0xFF};
      const unsigned first = static_cast<unsigned>(std::countr_zero(ray | bit(63))) / 8;
      open_ |= std::uint64_t{(2u << first) - 1} << 8 * d;
      const auto class_at = [&](unsigned k) {
        return std::uint64_t{ray_layout::class_of_piece[pieces >> 8 * k & 0xFF]} << 8 * k;
      };
      first_[d] = class_at(0) | class_at(first);
    }
  }

  static Bitboard attackers_of(const PieceBoard& board, Square s) {
    const RayWords rays(Bytes(board), s);
    return rays.on_board(rays.among(ray_layout::attacking));
  }
  Bitboard attacks(Piece piece) const { return on_board(open_ & ray_layout::attacked_slots[piece]); }

  /// Step by step: a ray needs no gathering where it ends at the first piece.
  static Bitboard attacks_of(const PieceBoard& board, Square s) {
    const Piece piece = board.on[s];
    const auto type = static_cast<PieceType>(type_of(piece));
    if (type != PieceType::bishop && type != PieceType::rook && type != PieceType::queen)
      return leaper_attacks(piece, s);
    const Slots& squares = ray_layout::perm[s];
    const unsigned first = type == PieceType::bishop ? 1 : 0;
    const unsigned by = type == PieceType::queen ? 1 : 2;
    Bitboard set = 0;
    for (unsigned d = first; d < 8; d += by) {
      for (unsigned k = 1; k < 8; ++k) {
        const std::uint8_t there = squares.at[8 * d + k];
        // Beyond the edge is the square itself, and it is occupied.
        set |= bit(there);
        if (board.on[there] != no_piece) break;
      }
    }
    return set & ~bit(s);
  }

  SlotThreats<const Slots&> threats() const {
    return {pieces_,
            squares_.at,
            square_,
            set([](unsigned) { return (127u & ~unsigned{ray_layout::king}) * ray_layout::jumps; }),
            among(ray_layout::threatening),
            among(ray_layout::sliding)};
  }

  // For the store that keeps a table of attacks.

  /// The sliders that attack the square, by slot.
  std::uint64_t sliders() const { return among(ray_layout::sliding); }
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

  /// The slots of those who are first or a jump away, and of a class that a function of the direction gives.
  template <class Classes>
  std::uint64_t set(Classes classes_of) const {
    constexpr std::uint64_t tops = 0x8080808080808080;
    // Moves bits 0, 8, ..., 56 to 56, 57, ..., 63.
    constexpr std::uint64_t together = 0x0102040810204080;
    std::uint64_t slots = 0;
    for (unsigned d = 0; d < 8; ++d) {
      // Classes leave the top bit to a carry out of the others.
      const std::uint64_t chosen = ((first_[d] & classes_of(d)) + ~tops) & tops;
      slots |= ((chosen >> 7) * together >> 56) << 8 * d;
    }
    return slots;
  }
  std::uint64_t among(unsigned which) const {
    const Slots& classes = ray_layout::classes[which];
    return set([&classes](unsigned d) {
      std::uint64_t word;
      std::memcpy(&word, classes.at + 8 * d, sizeof word);
      return word;
    });
  }

  const Slots& squares_;
  Slots pieces_;
  std::array<std::uint64_t, 8> first_;  ///< classes of who is first, and in the knight's slot
  std::uint64_t open_ = 0;              ///< the slots up to the first piece of each ray, and the knight's
  Square square_;
};

template <AttackMethod M>
using ByteRays = ByteRayStore<M, RayWords>;

}  // namespace slidebench
