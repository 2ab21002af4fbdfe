// SPDX-License-Identifier: MIT
#include "harness/engine/fen.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "harness/base/errors.hpp"
#include "harness/base/text.hpp"
#include "harness/chess/leapers.hpp"
#include "harness/chess/squares.hpp"
#include "methods/reference.hpp"

namespace slidebench::engine {
namespace {

constexpr std::string_view piece_letters = "pnbrqk";
constexpr std::string_view castling_letters = "KQkq";
constexpr std::size_t longest_fen = 120;          // 90 characters are all that can be needed; the rest may be blanks
constexpr unsigned highest_halfmove_clock = 150;  // the rule of 75 moves ends the game
constexpr unsigned highest_move_number = 9999;
constexpr Bitboard dark_squares = 0xAA55AA55AA55AA55;

/// Why the FEN is refused; parse_fen adds which one it is.
template <class... Values>
[[noreturn]] void refuse(fmt::format_string<Values...> what, const Values&... values) {
  throw UserError(fmt::vformat(what, fmt::make_format_args(values...)));
}

std::string_view name_of(Color color) { return color == Color::white ? "white" : "black"; }

class FenParser {
 public:
  PositionState parse(std::string_view fen) {
    const std::array<std::string_view, 6> fields = split(fen);
    place_pieces(fields[0]);
    read_side(fields[1]);
    check_pieces();
    check_checks();
    read_castling(fields[2]);
    state_.halfmove_clock = read_counter(fields[4], "halfmove clock", 0, highest_halfmove_clock);
    state_.fullmove_number = read_counter(fields[5], "move number", 1, highest_move_number);
    read_en_passant(fields[3]);
    return state_;
  }

 private:
  static std::array<std::string_view, 6> split(std::string_view fen) {
    std::array<std::string_view, 6> fields;
    std::size_t count = 0;
    while (true) {
      const auto begin = fen.find_first_not_of(' ');
      if (begin == std::string_view::npos) break;
      const auto end = std::min(fen.find(' ', begin), fen.size());
      if (count < fields.size()) fields[count] = fen.substr(begin, end - begin);
      ++count;
      fen.remove_prefix(end);
    }
    if (count == 4) {  // as test suites write them
      fields[4] = "0";
      fields[5] = "1";
    } else if (count != fields.size()) {
      refuse(
          "it has {} fields instead of 6: pieces, side to move, castling, en passant, halfmove clock, move number (the "
          "last two may both be left out)",
          count);
    }
    return fields;
  }

  void place_pieces(std::string_view placement) {
    unsigned rank = 8;
    while (true) {
      if (rank == 0) refuse("the board has more than eight ranks");
      const auto end = std::min(placement.find('/'), placement.size());
      place_rank(placement.substr(0, end), --rank);
      if (end == placement.size()) break;
      placement.remove_prefix(end + 1);
    }
    if (rank != 0) refuse("the board has {} ranks instead of 8", 8 - rank);
  }

  void place_rank(std::string_view text, unsigned rank) {
    unsigned file = 0;
    bool after_digit = false;
    for (const char c : text) {
      const bool is_digit = c >= '1' && c <= '8';
      if (is_digit) {
        if (after_digit) refuse("rank {} has two numbers side by side", rank + 1);
        file += static_cast<unsigned>(c - '0');
      } else {
        if (file < 8) put(c, square_at(file, rank));
        ++file;
      }
      after_digit = is_digit;
    }
    if (file != 8) refuse("rank {} has {} squares instead of 8", rank + 1, file);
  }

  void put(char letter, Square s) {
    const bool is_white = letter >= 'A' && letter <= 'Z';
    const auto type = piece_letters.find(is_white ? static_cast<char>(letter - 'A' + 'a') : letter);
    if (type == std::string_view::npos) refuse("unknown piece '{}'; use PNBRQK and pnbrqk", letter);
    state_.pieces[type] |= bit(s);
    state_.colors[is_white ? 0 : 1] |= bit(s);
  }

  void read_side(std::string_view text) {
    if (text != "w" && text != "b") refuse("the side to move is \"{}\", neither w nor b", text);
    state_.side = text == "w" ? Color::white : Color::black;
  }

  Bitboard pieces(Color color, PieceType type) const {
    return state_.pieces[static_cast<std::size_t>(type)] & state_.colors[static_cast<std::size_t>(color)];
  }
  int count(Color color, PieceType type) const { return std::popcount(pieces(color, type)); }
  Bitboard occupied() const { return state_.colors[0] | state_.colors[1]; }

  void check_pieces() const {
    for (const Color color : {Color::white, Color::black}) {
      const std::string_view name = name_of(color);
      const int kings = count(color, PieceType::king);
      if (kings != 1) refuse("{} has {} kings instead of 1", name, kings);
      const int pawns = count(color, PieceType::pawn);
      if (pawns > 8) refuse("{} has {} pawns, more than 8", name, pawns);
      const int promoted = promoted_pieces(color);
      if (promoted > 8 - pawns) {
        refuse("{} has at least {} promoted pieces and {} pawns, more than 8 together", name, promoted, pawns);
      }
    }
    const Bitboard misplaced = state_.pieces[0] & (first_rank | eighth_rank);
    if (misplaced != 0) refuse("a pawn stands on {}", square_name(lowest_square(misplaced)));
  }

  /// The pieces beyond those that a game begins with: they must have been pawns.
  int promoted_pieces(Color color) const {
    const auto beyond = [](int number, int first) { return std::max(0, number - first); };
    const Bitboard bishops = pieces(color, PieceType::bishop);
    return beyond(count(color, PieceType::knight), 2) + beyond(count(color, PieceType::rook), 2) +
           beyond(count(color, PieceType::queen), 1) + beyond(std::popcount(bishops & dark_squares), 1) +
           beyond(std::popcount(bishops & ~dark_squares), 1);
  }

  /// The pieces that attack the king of a colour.
  Bitboard checkers(Color color) const {
    const Square king = lowest_square(pieces(color, PieceType::king));
    const Color enemy = ~color;
    const Bitboard queens = pieces(enemy, PieceType::queen);
    return (knight_attacks[king] & pieces(enemy, PieceType::knight)) |
           (king_attacks[king] & pieces(enemy, PieceType::king)) |
           (pawn_attacks[static_cast<std::size_t>(color)][king] & pieces(enemy, PieceType::pawn)) |
           (reference::bishop(king, occupied()) & (pieces(enemy, PieceType::bishop) | queens)) |
           (reference::rook(king, occupied()) & (pieces(enemy, PieceType::rook) | queens));
  }

  void check_checks() const {
    const std::string_view name = name_of(state_.side);
    if (checkers(~state_.side) != 0) refuse("{} is in check, and it is {}'s turn", name_of(~state_.side), name);
    if (std::popcount(checkers(state_.side)) > 2) refuse("{} is in check from more than two pieces", name);
  }

  void read_castling(std::string_view text) {
    if (text == "-") return;
    std::size_t next = 0;
    for (const char letter : text) {
      const auto right = castling_letters.find(letter, next);
      if (right == std::string_view::npos) {
        refuse("castling rights are \"{}\"; use letters of KQkq in this order, or -", text);
      }
      check_right(right);
      state_.castling = static_cast<std::uint8_t>(state_.castling | (1u << right));
      next = right + 1;
    }
  }

  void check_right(std::size_t right) const {
    const Color color = right < 2 ? Color::white : Color::black;
    const Square home = color == Color::white ? 0 : 56;
    const Square king = home + 4;
    const Square rook = home + (right % 2 == 0 ? 7 : 0);
    if ((pieces(color, PieceType::king) & bit(king)) == 0 || (pieces(color, PieceType::rook) & bit(rook)) == 0) {
      refuse("castling right {} without a king on {} and a rook on {} (Chess960 is not played here)",
             castling_letters[right], square_name(king), square_name(rook));
    }
  }

  static std::uint16_t read_counter(std::string_view text, const char* name, unsigned lowest, unsigned highest) {
    const unsigned value = parse_number<unsigned>(text).value_or(highest + 1);
    if (std::to_string(value) != text || value < lowest || value > highest) {
      refuse("the {} is \"{}\", not a number from {} to {}", name, text, lowest, highest);
    }
    return static_cast<std::uint16_t>(value);
  }

  void read_en_passant(std::string_view text) {
    state_.en_passant = no_square;
    if (text == "-") return;
    const char rank = state_.side == Color::white ? '6' : '3';
    if (text.size() != 2 || text[0] < 'a' || text[0] > 'h' || text[1] != rank) {
      refuse("the en-passant square is \"{}\", neither - nor on rank {}", text, rank);
    }
    const Square s = square_at(static_cast<unsigned>(text[0] - 'a'), static_cast<unsigned>(rank - '1'));
    // The pawn went over s, from the square behind it to the one in front of it.
    const Square pawn = s ^ 8;
    const Square start = state_.side == Color::white ? s + 8 : s - 8;
    if ((pieces(~state_.side, PieceType::pawn) & bit(pawn)) == 0 || (occupied() & (bit(s) | bit(start))) != 0) {
      refuse("no pawn can just have skipped the en-passant square \"{}\"", text);
    }
    if (state_.halfmove_clock != 0) refuse("a pawn has just moved (en passant), but the halfmove clock is not 0");
    state_.en_passant = static_cast<std::uint8_t>(s);
  }

  PositionState state_{};
};

std::string placement_of(const PositionState& state) {
  std::string text;
  for (unsigned rank = 8; rank-- > 0;) {
    unsigned empty = 0;
    for (unsigned file = 0; file < 8; ++file) {
      const Bitboard square = bit(square_at(file, rank));
      const auto holds = [square](Bitboard set) { return (set & square) != 0; };
      const auto type = std::find_if(state.pieces.begin(), state.pieces.end(), holds) - state.pieces.begin();
      if (static_cast<std::size_t>(type) == state.pieces.size()) {
        ++empty;
        continue;
      }
      if (empty != 0) text += std::to_string(empty);
      empty = 0;
      const char letter = piece_letters[static_cast<std::size_t>(type)];
      text += holds(state.colors[0]) ? static_cast<char>(letter - 'a' + 'A') : letter;
    }
    if (empty != 0) text += std::to_string(empty);
    if (rank != 0) text += '/';
  }
  return text;
}

std::string castling_of(const PositionState& state) {
  std::string text;
  for (std::size_t right = 0; right < castling_letters.size(); ++right) {
    if ((state.castling >> right & 1) != 0) text += castling_letters[right];
  }
  return text.empty() ? "-" : text;
}

}  // namespace

PositionState parse_fen(std::string_view fen) {
  if (fen.size() > longest_fen)
    refuse("bad FEN: {} characters, and no FEN needs more than {}", fen.size(), longest_fen);
  try {
    return FenParser().parse(fen);
  } catch (const UserError& error) {
    refuse("bad FEN \"{}\": {}", fen, error.what());
  }
}

std::string to_fen(const PositionState& state) {
  return fmt::format("{} {} {} {} {} {}", placement_of(state), state.side == Color::white ? 'w' : 'b',
                     castling_of(state), state.en_passant == no_square ? "-" : square_name(state.en_passant),
                     state.halfmove_clock, state.fullmove_number);
}

}  // namespace slidebench::engine
