// SPDX-License-Identifier: MIT
#include "harness/trace/game_board.hpp"

#include <cctype>
#include <cstdlib>
#include <string>

#include "harness/trace/errors.hpp"

namespace slidebench {
namespace {

constexpr std::string_view piece_letters = "pnbrqk";
constexpr Square a1 = 0, c1 = 2, d1 = 3, e1 = 4, f1 = 5, g1 = 6, h1 = 7;

std::optional<Piece> piece_of(char letter) {
  const auto index = piece_letters.find(static_cast<char>(std::tolower(static_cast<unsigned char>(letter))));
  if (index == std::string_view::npos) return std::nullopt;
  return static_cast<Piece>(index);
}

std::optional<Square> parse_square(char file, char rank) {
  if (file < 'a' || file > 'h' || rank < '1' || rank > '8') return std::nullopt;
  return square_at(static_cast<unsigned>(file - 'a'), static_cast<unsigned>(rank - '1'));
}

unsigned distance(unsigned a, unsigned b) { return a > b ? a - b : b - a; }

/// Cuts the next word off `text`; empty if there is none.
std::string_view next_word(std::string_view& text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  const auto end = std::min(text.find_first_of(" \t", begin), text.size());
  const std::string_view word = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return word;
}

[[noreturn]] void refuse(const std::string& what) { throw UserError("bad FEN: " + what); }

}  // namespace

std::optional<UciMove> parse_uci(std::string_view text) {
  if (text.size() != 4 && text.size() != 5) return std::nullopt;
  const auto from = parse_square(text[0], text[1]);
  const auto to = parse_square(text[2], text[3]);
  if (!from || !to) return std::nullopt;
  UciMove move{*from, *to, std::nullopt};
  if (text.size() == 5) {
    move.promotion = piece_of(text[4]);
    if (!move.promotion || move.promotion == Piece::pawn || move.promotion == Piece::king) return std::nullopt;
  }
  return move;
}

GameBoard GameBoard::start() {
  static const GameBoard board = from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
  return board;
}

GameBoard GameBoard::from_fen(std::string_view fen) {
  GameBoard board;
  board.place_pieces(next_word(fen));
  const std::string_view side = next_word(fen);
  if (side != "w" && side != "b") refuse("the side to move is neither w nor b");
  board.side_to_move_ = side == "w" ? Colour::white : Colour::black;
  board.check_pieces();
  board.check_castling(next_word(fen));
  const std::string_view en_passant = next_word(fen);
  if (!en_passant.empty() && en_passant != "-" &&
      !(en_passant.size() == 2 && parse_square(en_passant[0], en_passant[1]))) {
    refuse("the en-passant field is not a square");
  }
  return board;
}

void GameBoard::place_pieces(std::string_view placement) {
  unsigned file = 0;
  unsigned rank = 7;
  for (const char c : placement) {
    if (c == '/') {
      if (file != 8 || rank == 0) refuse("a rank has not eight squares, or there are more than eight ranks");
      file = 0;
      --rank;
    } else if (c >= '1' && c <= '8') {
      file += static_cast<unsigned>(c - '0');
    } else {
      const auto kind = piece_of(c);
      if (!kind) refuse(std::string("unknown piece '") + c + "'");
      if (file >= 8) refuse("a rank has more than eight squares");
      put(std::isupper(static_cast<unsigned char>(c)) != 0 ? Colour::white : Colour::black, *kind,
          square_at(file, rank));
      ++file;
    }
    if (file > 8) refuse("a rank has more than eight squares");
  }
  if (file != 8 || rank != 0) refuse("the board has not eight ranks of eight squares");
}

void GameBoard::check_pieces() const {
  for (const Colour side : {Colour::white, Colour::black}) {
    if (std::popcount(pieces(side, Piece::king)) != 1) refuse("a side has not exactly one king");
  }
  if ((pieces(Piece::pawn) & (first_rank | eighth_rank)) != 0) refuse("a pawn on the first or eighth rank");
}

void GameBoard::check_castling(std::string_view rights) const {
  if (rights.empty() || rights == "-") return;
  for (const char right : rights) {
    const std::string_view standard = "KQkq";
    if (standard.find(right) == std::string_view::npos) refuse("castling rights other than KQkq (Chess960?)");
    const Colour side = right == 'K' || right == 'Q' ? Colour::white : Colour::black;
    const Square home = side == Colour::white ? 0 : 56;
    const Square rook = home + (right == 'K' || right == 'k' ? h1 : a1);
    if ((pieces(side, Piece::king) & bit(home + e1)) == 0 || (pieces(side, Piece::rook) & bit(rook)) == 0) {
      refuse("castling rights without king and rook at home (Chess960?)");
    }
  }
}

SliderSets GameBoard::sliders() const {
  const Bitboard diagonal = pieces(Piece::bishop) | pieces(Piece::queen);
  const Bitboard orthogonal = pieces(Piece::rook) | pieces(Piece::queen);
  const Bitboard white = pieces(Colour::white);
  const Bitboard black = pieces(Colour::black);
  return {white & diagonal, white & orthogonal, black & diagonal, black & orthogonal};
}

void GameBoard::put(Colour side, Piece kind, Square square) {
  by_colour_[static_cast<std::size_t>(side)] |= bit(square);
  by_piece_[static_cast<std::size_t>(kind)] |= bit(square);
}

std::optional<Piece> GameBoard::piece_at(Square square) const {
  for (unsigned kind = 0; kind < piece_kinds; ++kind) {
    if ((by_piece_[kind] & bit(square)) != 0) return static_cast<Piece>(kind);
  }
  return std::nullopt;
}

void GameBoard::remove(Square square) {
  for (Bitboard& set : by_colour_) set &= ~bit(square);
  for (Bitboard& set : by_piece_) set &= ~bit(square);
}

void GameBoard::relocate(Square from, Square to) {
  remove(to);
  const Bitboard change = bit(from) | bit(to);
  for (Bitboard& set : by_colour_) set ^= (set & bit(from)) != 0 ? change : 0;
  for (Bitboard& set : by_piece_) set ^= (set & bit(from)) != 0 ? change : 0;
}

bool GameBoard::apply(const UciMove& move) {
  const Bitboard own = pieces(side_to_move_);
  if ((own & bit(move.from)) == 0 || ((own | pieces(Piece::king)) & bit(move.to)) != 0) return false;
  const auto kind = piece_at(move.from);
  if (kind != Piece::pawn && move.promotion) return false;
  if (kind == Piece::pawn) {
    if (!apply_pawn_move(move)) return false;
  } else if (kind == Piece::king) {
    if (!apply_king_move(move)) return false;
  } else {
    relocate(move.from, move.to);
  }
  side_to_move_ = other(side_to_move_);
  return true;
}

bool GameBoard::apply_pawn_move(const UciMove& move) {
  const Bitboard far_rank = side_to_move_ == Colour::white ? eighth_rank : first_rank;
  const Bitboard own_rank = side_to_move_ == Colour::white ? first_rank : eighth_rank;
  if (((bit(move.to) & far_rank) != 0) != move.promotion.has_value()) return false;
  if ((bit(move.to) & own_rank) != 0) return false;
  const unsigned sideways = distance(file_of(move.from), file_of(move.to));
  if (sideways != 0 && (occupied() & bit(move.to)) == 0) {
    // A capture onto an empty square is en passant: the victim stands beside the pawn.
    const Square victim = square_at(file_of(move.to), rank_of(move.from));
    if (sideways != 1 || (pieces(other(side_to_move_), Piece::pawn) & bit(victim)) == 0) return false;
    remove(victim);
  }
  relocate(move.from, move.to);
  if (move.promotion) {
    remove(move.to);
    put(side_to_move_, *move.promotion, move.to);
  }
  return true;
}

bool GameBoard::apply_king_move(const UciMove& move) {
  const unsigned files = distance(file_of(move.from), file_of(move.to));
  const unsigned ranks = distance(rank_of(move.from), rank_of(move.to));
  if (files > 1 || ranks > 1) {
    const Square home = side_to_move_ == Colour::white ? 0 : 56;
    const bool kingside = move.to == home + g1;
    if (move.from != home + e1 || (!kingside && move.to != home + c1)) return false;
    const Square rook_from = home + (kingside ? h1 : a1);
    const Square rook_to = home + (kingside ? f1 : d1);
    const bool has_rook = (pieces(side_to_move_, Piece::rook) & bit(rook_from)) != 0;
    if (!has_rook || (occupied() & (bit(rook_to) | bit(move.to))) != 0) return false;
    relocate(rook_from, rook_to);
  }
  relocate(move.from, move.to);
  return true;
}

}  // namespace slidebench
