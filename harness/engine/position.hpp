// SPDX-License-Identifier: MIT
//
// The board of the engine: make and unmake, with every attack query asked of one method.
//
// A position keeps its pieces twice (sets by type and colour, and the type on each square), the method's Board, and for
// each ply what unmake cannot work out. Who gives check is found when a move is made, with one `both` query from the
// king's square; the union of the two sets stays, because the pieces pinned to the king are on it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "harness/chess/leapers.hpp"
#include "harness/engine/move.hpp"
#include "harness/engine/move_generator.hpp"
#include "harness/engine/position_state.hpp"
#include "harness/engine/zobrist.hpp"
#include "methods/bitboard.hpp"
#include "methods/method.hpp"

namespace slidebench::engine {

/// Nobody watches. What an observer is told: the occupancy after every change of the position, and, by the search, an
/// evaluation, a probe of the hash table, and cache lines that were touched between attack queries.
struct NoObserver {
  constexpr void made(Bitboard, Move) {}
  constexpr void unmade(Bitboard) {}
  constexpr void null_made(Bitboard) {}
  constexpr void null_unmade(Bitboard) {}
  constexpr void evaluated() {}
  constexpr void probed() {}
  constexpr void touched(unsigned) {}
};

template <AttackMethod M, class Observer = NoObserver>
class Position {
 public:
  using Method = M;

  /// Moves that can be made on top of one another, null moves included.
  static constexpr unsigned max_ply = 512;

  /// Precondition: a state that parse_fen could return. An en-passant square that no pawn attacks is dropped, here and
  /// by make(): it makes no difference to the moves, and must make none to repetition.
  explicit Position(const PositionState& state, Observer observer = {})
      : placed_(place_all(state)),
        board_(state.colors[0] | state.colors[1]),
        side_(state.side),
        fullmove_number_(state.fullmove_number),
        observer_(std::move(observer)) {
    now_.castling = state.castling;
    now_.halfmove_clock = state.halfmove_clock;
    now_.key = zobrist.castling[state.castling] ^ (side_ == Color::black ? zobrist.black_to_move : 0);
    for (unsigned type = 0; type < 6; ++type) {
      for (Bitboard left = state.pieces[type]; left != 0;) {
        const Square s = pop_lowest(left);
        const Color color = (state.colors[0] & bit(s)) != 0 ? Color::white : Color::black;
        now_.key ^= zobrist.piece(color, static_cast<PieceType>(type), s);
      }
    }
    if (state.en_passant != no_square) offer_en_passant(state.en_passant);
    look_from_king();
  }

  Color side() const { return side_; }
  Bitboard occupied() const { return placed_.colors[0] | placed_.colors[1]; }
  Bitboard pieces(PieceType type) const { return placed_.types[index(type)]; }
  Bitboard pieces(Color color) const { return placed_.colors[index(color)]; }
  Bitboard pieces(Color color, PieceType type) const { return pieces(color) & pieces(type); }
  PieceType piece_on(Square s) const { return placed_.on[s]; }
  Square king(Color color) const { return lowest_square(pieces(color, PieceType::king)); }
  std::uint8_t castling() const { return now_.castling; }
  std::uint8_t en_passant() const { return now_.en_passant; }
  unsigned halfmove_clock() const { return now_.halfmove_clock; }
  std::uint64_t key() const { return now_.key; }

  /// The pieces that give check to the side to move.
  Bitboard checkers() const { return now_.checkers; }

  /// The bishop and rook squares of the king of the side to move, in one set.
  Bitboard king_lines() const { return now_.king_lines; }

  /// Moves made and not unmade, null moves included.
  unsigned ply() const { return ply_; }

  PositionState state() const {
    return {placed_.types,   placed_.colors,      side_,           now_.castling,
            now_.en_passant, now_.halfmove_clock, fullmove_number_};
  }

  /// What the method answers from. For tests: it must be what BoardOf<M>(occupied()) is.
  const BoardOf<M>& board() const { return board_; }

  Observer& observer() { return observer_; }

  Bitboard bishop_attacks(Square s) const { return M::bishop(s, board_); }
  Bitboard rook_attacks(Square s) const { return M::rook(s, board_); }
  Bitboard queen_attacks(Square s) const { return slidebench::queen_attacks<M>(s, board_); }
  BishopRook both_attacks(Square s) const { return slidebench::both_attacks<M>(s, board_); }

  /// Lets those who want the attacks of all sliders, each apart, ask for them at once. Without effect if the method has
  /// no batch of its own.
  void ask_in_batches() { in_batches_ = HasBatch<M>; }
  bool in_batches() const { return HasBatch<M> && in_batches_; }
  void batch(const SliderBatch& sliders, Bitboard* attacks) const { batch_attacks<M>(sliders, board_, attacks); }

  /// The same on another occupancy than the position's.
  Bitboard bishop_attacks(Square s, Bitboard occupied) const { return M::bishop(s, board_with(occupied)); }
  Bitboard rook_attacks(Square s, Bitboard occupied) const { return M::rook(s, board_with(occupied)); }
  BishopRook both_attacks(Square s, Bitboard occupied) const {
    return slidebench::both_attacks<M>(s, board_with(occupied));
  }

  /// The pieces of both colours, of those that stand on `occupied`, that attack a square.
  Bitboard attackers_to(Square s, Bitboard occupied) const {
    return (leapers_to(s) | sliders_on(both_attacks(s, occupied))) & occupied;
  }

  /// Whether a colour attacks a square, with `occupied` in the way of its sliders. A square that a leaper attacks costs
  /// no query.
  bool attacked_by(Color color, Square s, Bitboard occupied) const {
    const Bitboard attackers = pieces(color) & occupied;
    if ((leapers_to(s) & attackers) != 0) return true;
    return (sliders_on(both_attacks(s, occupied)) & attackers) != 0;
  }

  /// Precondition: the move is legal, and ply() < max_ply.
  void make(Move move) {
    const Bitboard before = occupied();
    const Square from = move.from();
    const Square to = move.to();
    const PieceType piece = piece_on(from);
    const PieceType captured = piece_on(to);
    begin_ply();
    ++now_.halfmove_clock;
    ++now_.reversible_plies;
    now_.captured = captured;

    if (captured != PieceType::none) {
      remove(~side_, captured, to);
      forget_history();
    }
    relocate(side_, piece, from, to);
    if (piece == PieceType::pawn) {
      forget_history();
      if ((from ^ to) == 16) offer_en_passant((from + to) / 2);
    }
    if (!move.is_plain()) make_special(move);
    drop_castling(from, to);

    board_.toggle(before ^ occupied());
    end_ply();
    observer_.made(occupied(), move);
  }

  /// Takes the last move back.
  void unmake(Move move) {
    const Bitboard after = occupied();
    side_ = ~side_;
    if (!move.is_plain()) unmake_special(move);
    place(side_, piece_on(move.to()), move.to(), move.from());
    if (now_.captured != PieceType::none) {
      flip(~side_, now_.captured, bit(move.to()));
      placed_.on[move.to()] = now_.captured;
    }
    if (side_ == Color::black) --fullmove_number_;
    now_ = history_[--ply_];
    board_.toggle(after ^ occupied());
    observer_.unmade(occupied());
  }

  /// Passes. Precondition: not in check, and ply() < max_ply.
  void make_null() {
    begin_ply();
    ++now_.halfmove_clock;
    now_.reversible_plies = 0;  // what was before a pass cannot be repeated after it
    now_.captured = PieceType::none;
    end_ply();
    observer_.null_made(occupied());
  }
  void unmake_null() {
    side_ = ~side_;
    if (side_ == Color::black) --fullmove_number_;
    now_ = history_[--ply_];
    observer_.null_unmade(occupied());
  }

  /// How often the position has stood on the board before, since the last move that cannot be taken back and the last
  /// pass. The rules of the game call it a draw at two.
  unsigned repetitions() const {
    unsigned count = 0;
    for (unsigned back = 4; back <= now_.reversible_plies; back += 2) {
      if (history_[ply_ - back].key == now_.key) ++count;
    }
    return count;
  }

  /// Whether neither side has more than its king, but for one knight or bishop.
  bool is_bare() const {
    const Bitboard mating = pieces(PieceType::pawn) | pieces(PieceType::rook) | pieces(PieceType::queen);
    const Bitboard minors = pieces(PieceType::knight) | pieces(PieceType::bishop);
    return mating == 0 && (minors & (minors - 1)) == 0;
  }

  /// Fifty moves without capture or pawn move (unless the last of them mates), too little material, or a repetition:
  /// one is enough, because who could go round once can do so again.
  bool is_draw() const {
    if (now_.halfmove_clock >= 100 && (now_.checkers == 0 || has_legal_move(*this))) return true;
    return is_bare() || repetitions() > 0;
  }

 private:
  /// What a ply keeps besides the pieces.
  struct Ply {
    std::uint64_t key = 0;
    Bitboard checkers = 0;
    Bitboard king_lines = 0;
    std::uint16_t halfmove_clock = 0;
    std::uint16_t reversible_plies = 0;  ///< of those made here
    std::uint8_t castling = 0;
    std::uint8_t en_passant = no_square;
    PieceType captured = PieceType::none;  ///< by the move that led here, en passant excepted
  };
  static_assert(sizeof(Ply) == 32);

  static constexpr std::size_t index(Color color) { return static_cast<std::size_t>(color); }
  static constexpr std::size_t index(PieceType type) { return static_cast<std::size_t>(type); }

  /// The rights that are left when something moves from or to a square.
  static constexpr std::array<std::uint8_t, 64> castling_kept = [] {
    std::array<std::uint8_t, 64> kept{};
    kept.fill(15);
    kept[0] = 15 ^ white_queenside;
    kept[4] = 15 ^ white_kingside ^ white_queenside;
    kept[7] = 15 ^ white_kingside;
    kept[56] = 15 ^ black_queenside;
    kept[60] = 15 ^ black_kingside ^ black_queenside;
    kept[63] = 15 ^ black_kingside;
    return kept;
  }();

  struct Pieces {
    std::array<Bitboard, 6> types;
    std::array<Bitboard, 2> colors;
    std::array<PieceType, 64> on;
  };

  static Pieces place_all(const PositionState& state) {
    Pieces placed{state.pieces, state.colors, {}};
    placed.on.fill(PieceType::none);
    for (unsigned type = 0; type < 6; ++type) {
      for (Bitboard left = state.pieces[type]; left != 0;) placed.on[pop_lowest(left)] = static_cast<PieceType>(type);
    }
    return placed;
  }

  BoardOf<M> board_with(Bitboard occupied) const {
    if constexpr (HasBoard<M>) {
      BoardOf<M> board = board_;
      board.toggle(occupied ^ this->occupied());
      return board;
    } else {
      return BoardOf<M>(occupied);
    }
  }

  Bitboard leapers_to(Square s) const {
    return (knight_attacks[s] & pieces(PieceType::knight)) | (king_attacks[s] & pieces(PieceType::king)) |
           (pawn_attacks[index(Color::black)][s] & pieces(Color::white, PieceType::pawn)) |
           (pawn_attacks[index(Color::white)][s] & pieces(Color::black, PieceType::pawn));
  }

  Bitboard sliders_on(const BishopRook& lines) const {
    const Bitboard queens = pieces(PieceType::queen);
    return (lines.bishop & (pieces(PieceType::bishop) | queens)) | (lines.rook & (pieces(PieceType::rook) | queens));
  }

  void begin_ply() {
    history_[ply_++] = now_;
    now_.key ^= zobrist.black_to_move ^ zobrist.en_passant[now_.en_passant];
    now_.en_passant = no_square;
  }

  void end_ply() {
    if (side_ == Color::black) ++fullmove_number_;
    side_ = ~side_;
    look_from_king();
  }

  /// The squares that the king of the side to move sees, and among them the pieces that check it.
  void look_from_king() {
    const Square s = king(side_);
    const BishopRook lines = both_attacks(s);
    now_.king_lines = lines.bishop | lines.rook;
    now_.checkers = pieces(~side_) & (sliders_on(lines) | (knight_attacks[s] & pieces(PieceType::knight)) |
                                      (pawn_attacks[index(side_)][s] & pieces(PieceType::pawn)));
  }

  /// Sets the en-passant square if a pawn attacks it: one of the colour whose turn it is then.
  void offer_en_passant(Square s) {
    const Color capturer = rank_of(s) == 2 ? Color::black : Color::white;
    if ((pawn_attacks[index(~capturer)][s] & pieces(capturer, PieceType::pawn)) == 0) return;
    now_.en_passant = static_cast<std::uint8_t>(s);
    now_.key ^= zobrist.en_passant[s];
  }

  void forget_history() {
    now_.halfmove_clock = 0;
    now_.reversible_plies = 0;
  }

  void drop_castling(Square from, Square to) {
    const auto kept = static_cast<std::uint8_t>(now_.castling & castling_kept[from] & castling_kept[to]);
    now_.key ^= zobrist.castling[now_.castling] ^ zobrist.castling[kept];
    now_.castling = kept;
  }

  void make_special(Move move) {
    const Square to = move.to();
    if (move.is_promotion()) {
      remove(side_, PieceType::pawn, to);
      add(side_, move.promotion(), to);
    } else if (move.is_en_passant()) {
      remove(~side_, PieceType::pawn, to ^ 8);
    } else {
      const RookPath rook = castling_rook(move);
      relocate(side_, PieceType::rook, rook.from, rook.to);
    }
  }

  void unmake_special(Move move) {
    const Square to = move.to();
    if (move.is_promotion()) {
      flip(side_, move.promotion(), bit(to));
      flip(side_, PieceType::pawn, bit(to));
      placed_.on[to] = PieceType::pawn;
    } else if (move.is_en_passant()) {
      flip(~side_, PieceType::pawn, bit(to ^ 8));
      placed_.on[to ^ 8] = PieceType::pawn;
    } else {
      const RookPath rook = castling_rook(move);
      place(side_, PieceType::rook, rook.to, rook.from);
    }
  }

  void flip(Color color, PieceType type, Bitboard squares) {
    placed_.types[index(type)] ^= squares;
    placed_.colors[index(color)] ^= squares;
  }

  /// Moves a piece to an empty square; the key stays.
  void place(Color color, PieceType type, Square from, Square to) {
    flip(color, type, bit(from) | bit(to));
    placed_.on[from] = PieceType::none;
    placed_.on[to] = type;
  }

  void relocate(Color color, PieceType type, Square from, Square to) {
    place(color, type, from, to);
    now_.key ^= zobrist.piece(color, type, from) ^ zobrist.piece(color, type, to);
  }

  void add(Color color, PieceType type, Square s) {
    flip(color, type, bit(s));
    placed_.on[s] = type;
    now_.key ^= zobrist.piece(color, type, s);
  }

  void remove(Color color, PieceType type, Square s) {
    flip(color, type, bit(s));
    placed_.on[s] = PieceType::none;
    now_.key ^= zobrist.piece(color, type, s);
  }

  Pieces placed_;
  [[no_unique_address]] BoardOf<M> board_;
  Ply now_;
  Color side_;
  std::uint16_t fullmove_number_;
  unsigned ply_ = 0;
  bool in_batches_ = false;
  [[no_unique_address]] Observer observer_;
  std::array<Ply, max_ply> history_;
};

}  // namespace slidebench::engine
