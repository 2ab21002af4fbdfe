// SPDX-License-Identifier: MIT
//
// The legal moves of a position, and nothing else: no move is made to see whether it was legal.
//
//   - in check: the king moves; others capture the one checker or step between it and the king;
//   - pinned pieces (found with one `both` query from the king, through its own first blockers) stay on their line;
//   - the king goes where nothing attacks it once it has left its square;
//   - en passant takes two pawns off the board at once: the king is looked at from all sides.
//
// The rules are written once and tell a sink what they find: a list of moves, or a count for perft.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "harness/chess/leapers.hpp"
#include "harness/engine/move.hpp"
#include "harness/engine/position_state.hpp"
#include "methods/bitboard.hpp"
#include "methods/method.hpp"

namespace slidebench::engine {

/// Captures are captures, en passant included, and promotions to a queen; other promotions are not, even those that
/// capture.
enum class GenKind { all, captures };

namespace generation {

/// Writes the moves down.
class MoveWriter {
 public:
  explicit MoveWriter(MoveList& list) : list_(list) {}

  void piece_moves(Square from, Bitboard targets) {
    while (targets != 0) list_.add({from, pop_lowest(targets)});
  }

  /// Pawn moves that all go `offset` squares up.
  void pawn_moves(Bitboard targets, int offset) {
    while (targets != 0) {
      const Square to = pop_lowest(targets);
      list_.add({origin(to, offset), to});
    }
  }

  template <GenKind kind>
  void promotions(Bitboard targets, int offset) {
    while (targets != 0) {
      const Square to = pop_lowest(targets);
      list_.add(Move::promoting(origin(to, offset), to, PieceType::queen));
      if constexpr (kind == GenKind::all) {
        for (const PieceType type : {PieceType::rook, PieceType::bishop, PieceType::knight}) {
          list_.add(Move::promoting(origin(to, offset), to, type));
        }
      }
    }
  }

  void move(Move move) { list_.add(move); }

 private:
  static Square origin(Square to, int offset) { return to - static_cast<unsigned>(offset); }

  MoveList& list_;
};

/// Counts them.
class MoveCounter {
 public:
  void piece_moves(Square, Bitboard targets) { add(targets); }
  void pawn_moves(Bitboard targets, int) { add(targets); }
  template <GenKind kind>
  void promotions(Bitboard targets, int) {
    for (unsigned piece = 0; piece < (kind == GenKind::all ? 4 : 1); ++piece) add(targets);
  }
  void move(Move) { ++count_; }

  unsigned count() const { return count_; }

 private:
  void add(Bitboard targets) { count_ += static_cast<unsigned>(std::popcount(targets)); }

  unsigned count_ = 0;
};

template <GenKind kind, Color us, class Position, class Sink>
class LegalMoves {
 public:
  LegalMoves(const Position& position, Sink& sink)
      : position_(position),
        sink_(sink),
        own_(position.pieces(us)),
        enemy_(position.pieces(them)),
        occupied_(own_ | enemy_),
        king_(position.king(us)) {}

  void find() {
    king_moves();
    const Bitboard checkers = position_.checkers();
    if ((checkers & (checkers - 1)) != 0) return;
    Bitboard targets = kind == GenKind::all ? ~own_ : enemy_;
    Bitboard pawn_targets = ~Bitboard{0};
    if (checkers != 0) {
      pawn_targets = between(king_, lowest_square(checkers)) | checkers;
      targets &= pawn_targets;
    } else if (kind == GenKind::all) {
      castling();
    }
    const Bitboard pinned = pinned_pieces();
    piece_moves(targets, pinned);
    pawn_moves(position_.pieces(us, PieceType::pawn) & ~pinned, pawn_targets);
    for (Bitboard left = position_.pieces(us, PieceType::pawn) & pinned; left != 0;) {
      const Square from = pop_lowest(left);
      pawn_moves(bit(from), pawn_targets & line(king_, from));
    }
    if (position_.en_passant() != no_square) en_passant(position_.en_passant());
  }

 private:
  static constexpr Color them = ~us;
  static constexpr Direction forward = us == Color::white ? Direction::north : Direction::south;
  static constexpr Direction forward_east = us == Color::white ? Direction::northeast : Direction::southeast;
  static constexpr Direction forward_west = us == Color::white ? Direction::northwest : Direction::southwest;
  static constexpr int up = us == Color::white ? 8 : -8;
  static constexpr Bitboard last_rank = us == Color::white ? eighth_rank : first_rank;
  static constexpr Bitboard third_rank = us == Color::white ? first_rank << 16 : eighth_rank >> 16;

  /// Own pieces between the king and one enemy slider that looks at it: what the king sees of sliders when its first
  /// own blockers are gone, it sees through one of them.
  Bitboard pinned_pieces() const {
    const Bitboard blockers = position_.king_lines() & own_;
    const BishopRook lines = position_.both_attacks(king_, occupied_ ^ blockers);
    const Bitboard queens = position_.pieces(PieceType::queen);
    Bitboard pinners = ((lines.bishop & (position_.pieces(PieceType::bishop) | queens)) |
                        (lines.rook & (position_.pieces(PieceType::rook) | queens))) &
                       enemy_;
    Bitboard pinned = 0;
    while (pinners != 0) pinned |= between(king_, pop_lowest(pinners)) & blockers;
    return pinned;
  }

  void king_moves() {
    const Bitboard others = occupied_ ^ bit(king_);
    Bitboard targets = king_attacks[king_] & (kind == GenKind::all ? ~own_ : enemy_);
    Bitboard safe = 0;
    while (targets != 0) {
      const Square to = pop_lowest(targets);
      if (!position_.attacked_by(them, to, others)) safe |= bit(to);
    }
    sink_.piece_moves(king_, safe);
  }

  void castling() {
    constexpr unsigned rights_shift = us == Color::white ? 0 : 2;
    constexpr Square home = us == Color::white ? 0 : 56;
    const unsigned rights = static_cast<unsigned>(position_.castling()) >> rights_shift;
    constexpr Bitboard kingside_path = Bitboard{0x60} << home;
    constexpr Bitboard queenside_path = Bitboard{0x0E} << home;
    if ((rights & white_kingside) != 0 && (occupied_ & kingside_path) == 0 && is_safe(home + 5) && is_safe(home + 6)) {
      sink_.move(Move::castling(home + 4, home + 6));
    }
    if ((rights & white_queenside) != 0 && (occupied_ & queenside_path) == 0 && is_safe(home + 3) &&
        is_safe(home + 2)) {
      sink_.move(Move::castling(home + 4, home + 2));
    }
  }

  bool is_safe(Square s) const { return !position_.attacked_by(them, s, occupied_); }

  void piece_moves(Bitboard targets, Bitboard pinned) {
    for (Bitboard left = position_.pieces(us, PieceType::knight) & ~pinned; left != 0;) {
      const Square from = pop_lowest(left);
      sink_.piece_moves(from, knight_attacks[from] & targets);
    }
    if (position_.in_batches()) return all_slider_moves(targets, pinned);
    slider_moves<PieceType::bishop>(targets, pinned, [this](Square s) { return position_.bishop_attacks(s); });
    slider_moves<PieceType::rook>(targets, pinned, [this](Square s) { return position_.rook_attacks(s); });
    slider_moves<PieceType::queen>(targets, pinned, [this](Square s) { return position_.queen_attacks(s); });
  }

  template <PieceType type, class Attacks>
  void slider_moves(Bitboard targets, Bitboard pinned, Attacks attacks) {
    for (Bitboard left = position_.pieces(us, type); left != 0;) {
      const Square from = pop_lowest(left);
      slider_move(from, attacks(from) & targets, pinned);
    }
  }

  void slider_move(Square from, Bitboard reached, Bitboard pinned) {
    if ((bit(from) & pinned) != 0) reached &= line(king_, from);
    sink_.piece_moves(from, reached);
  }

  /// The same moves in the same order: bishops, rooks, queens.
  void all_slider_moves(Bitboard targets, Bitboard pinned) {
    const SliderBatch sliders =
        SliderBatch::of(position_.pieces(us, PieceType::bishop), position_.pieces(us, PieceType::queen),
                        position_.pieces(us, PieceType::rook));
    std::array<Bitboard, SliderBatch::room> attacks;
    position_.batch(sliders, attacks.data());
    const auto moves_of = [&](unsigned first, unsigned end) {
      for (unsigned i = first; i < end; ++i) slider_move(sliders.squares[i], attacks[i] & targets, pinned);
    };
    moves_of(0, sliders.bishops);
    moves_of(sliders.diagonal_end(), sliders.size());
    moves_of(sliders.bishops, sliders.diagonal_end());
  }

  void pawn_moves(Bitboard pawns, Bitboard targets) {
    const Bitboard single = step(pawns, forward) & ~occupied_;
    captures_or_pushes(step(pawns, forward_west) & enemy_ & targets, up - 1);
    captures_or_pushes(step(pawns, forward_east) & enemy_ & targets, up + 1);
    if constexpr (kind == GenKind::all) {
      captures_or_pushes(single & targets, up);
      sink_.pawn_moves(step(single & third_rank, forward) & ~occupied_ & targets, 2 * up);
    } else {
      sink_.template promotions<kind>(single & targets & last_rank, up);
    }
  }

  void captures_or_pushes(Bitboard targets, int offset) {
    sink_.pawn_moves(targets & ~last_rank, offset);
    if ((targets & last_rank) != 0) sink_.template promotions<kind>(targets & last_rank, offset);
  }

  void en_passant(Square target) {
    const Bitboard victim = bit(target ^ 8);
    for (Bitboard left = pawn_attacks[static_cast<std::size_t>(them)][target] & position_.pieces(us, PieceType::pawn);
         left != 0;) {
      const Square from = pop_lowest(left);
      const Bitboard after = (occupied_ ^ bit(from) ^ victim) | bit(target);
      if ((position_.attackers_to(king_, after) & enemy_) == 0) sink_.move(Move::capturing_en_passant(from, target));
    }
  }

  const Position& position_;
  Sink& sink_;
  Bitboard own_;
  Bitboard enemy_;
  Bitboard occupied_;
  Square king_;
};

template <GenKind kind, class Position, class Sink>
void find_moves(const Position& position, Sink& sink) {
  if (position.side() == Color::white) {
    LegalMoves<kind, Color::white, Position, Sink>(position, sink).find();
  } else {
    LegalMoves<kind, Color::black, Position, Sink>(position, sink).find();
  }
}

}  // namespace generation

/// Adds the legal moves of the position to the list, in a fixed order.
template <GenKind kind, class Position>
void generate(const Position& position, MoveList& list) {
  generation::MoveWriter writer(list);
  generation::find_moves<kind>(position, writer);
}

/// How many legal moves there are, without making a list of them.
template <class Position>
unsigned count_moves(const Position& position) {
  generation::MoveCounter counter;
  generation::find_moves<GenKind::all>(position, counter);
  return counter.count();
}

template <class Position>
bool has_legal_move(const Position& position) {
  return count_moves(position) != 0;
}

}  // namespace slidebench::engine
