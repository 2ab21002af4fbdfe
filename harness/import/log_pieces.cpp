// SPDX-License-Identifier: MIT
#include "harness/import/log_pieces.hpp"

#include <string>
#include <utility>

namespace slidebench {
namespace {

constexpr MoveCode code_of(Square from, Square to, MoveKind kind, unsigned promotion = 0) {
  return static_cast<MoveCode>(from | to << 6 | promotion << 12 | static_cast<unsigned>(kind) << 14);
}

/// Castling as a king's move of two squares; the rook's square is another way to write it.
std::optional<MoveCode> castling_of(const PieceBoard& board, const LogMove& move) {
  const Piece king = board.on[move.from];
  const bool onto_rook = board.on[move.to] == piece_of(static_cast<Color>(color_of(king)), PieceType::rook);
  const bool two_squares = move.to == move.from + 2 || move.to + 2 == move.from;
  if (!onto_rook && !two_squares) return std::nullopt;
  return code_of(move.from, move.to > move.from ? move.from + 2 : move.from - 2, MoveKind::castling);
}

/// The move on a board that it is to be made on, whether it fits or not.
MoveCode code_of(const PieceBoard& board, const LogMove& move) {
  const auto type =
      board.on[move.from] == no_piece ? PieceType::none : static_cast<PieceType>(type_of(board.on[move.from]));
  if (move.promotion != PieceType::none) {
    return code_of(move.from, move.to, MoveKind::promotion, static_cast<unsigned>(move.promotion) - 1);
  }
  if (type == PieceType::king) {
    if (const auto castling = castling_of(board, move)) return *castling;
  }
  const bool changes_file = file_of(move.from) != file_of(move.to);
  const bool in_passing = type == PieceType::pawn && changes_file && board.on[move.to] == no_piece;
  return code_of(move.from, move.to, in_passing ? MoveKind::en_passant : MoveKind::plain);
}

/// Whether a pawn would stay one where it has to become something else.
bool lacks_promotion(const PieceBoard& board, MoveCode move) {
  const Square rank = rank_of(to_square(move));
  const Piece mover = board.on[from_square(move)];
  return kind_of(move) == MoveKind::plain && (rank == 0 || rank == 7) && mover != no_piece &&
         static_cast<PieceType>(type_of(mover)) == PieceType::pawn;
}

}  // namespace

void LogPieces::board(const PackedBoard& board) {
  refuse_what_waits();
  if (told_ == Told::no) throw PieceFault("a board, but the root before has none");
  board_ = unpack(board);
  if (const std::string_view fault = fault_of(*board_); !fault.empty()) throw PieceFault(std::string(fault));
}

void LogPieces::move(const LogMove& move) {
  refuse_what_waits();
  if (told_ != Told::yes) throw PieceFault("a move, but the root before has no board");
  const MoveCode code = code_of(track_.board(), move);
  if (!fits(track_.board(), code)) throw PieceFault("the move " + text_of(move) + " does not fit the board");
  if (lacks_promotion(track_.board(), code)) {
    throw PieceFault("the move " + text_of(move) + " does not say what the pawn becomes");
  }
  move_ = code;
}

PieceEvent LogPieces::root(Bitboard occupied) {
  if (move_) refuse_what_waits();
  if (told_ == Told::unknown) told_ = board_ ? Told::yes : Told::no;
  if (told_ == Told::no) return {};
  if (!board_) throw PieceFault("a position without a board, in a recording that has boards");
  track_.restart(*std::exchange(board_, std::nullopt));
  if (occupied != track_.board().occupied()) throw PieceFault("the root's occupancy is not that of its board");
  return PieceEvent::root(track_.board());
}

PieceEvent LogPieces::make(Bitboard occupied) {
  if (told_ != Told::yes) return {};
  if (board_) refuse_what_waits();
  if (!move_) throw PieceFault("a make without a move before it");
  const MoveCode move = *std::exchange(move_, std::nullopt);
  track_.make(move);
  check_occupied(occupied, "made");
  return PieceEvent::make(move);
}

PieceEvent LogPieces::unmake(Bitboard occupied) {
  if (told_ != Told::yes) return {};
  refuse_what_waits();
  if (track_.line().empty()) throw PieceFault("an unmake, but there is no move to take back");
  if (!track_.can_unmake()) {
    throw PieceFault("more than " + std::to_string(max_line) + " moves are taken back in a row");
  }
  track_.unmake();
  check_occupied(occupied, "taken back");
  return PieceEvent::unmake();
}

void LogPieces::pass(Bitboard occupied) {
  if (told_ != Told::yes) return;
  refuse_what_waits();
  check_occupied(occupied, "taken back");
}

void LogPieces::end_log() {
  board_.reset();
  move_.reset();
}

SliderSets LogPieces::sliders(Bitboard occupied) const {
  if (!are_told()) return {};
  const PieceBoard& board = track_.board();
  const Bitboard diagonal = board.diagonal_sliders() & occupied, orthogonal = board.orthogonal_sliders() & occupied;
  const Bitboard white = board.of(Color::white), black = board.of(Color::black);
  return {diagonal & white, orthogonal & white, diagonal & black, orthogonal & black};
}

/// A board is of the root right after it, a move of the next `make`.
void LogPieces::refuse_what_waits() const {
  if (board_) throw PieceFault("a board without a root after it");
  if (move_) throw PieceFault("a move without a make after it");
}

void LogPieces::check_occupied(Bitboard occupied, const char* when) const {
  if (occupied == 0 || occupied == track_.board().occupied()) return;
  throw PieceFault(std::string("the occupancy after the move was ") + when + " is not that of the pieces");
}

}  // namespace slidebench
