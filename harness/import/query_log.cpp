// SPDX-License-Identifier: MIT
#include "harness/import/query_log.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "harness/base/errors.hpp"
#include "harness/base/text.hpp"
#include "harness/chess/squares.hpp"

namespace slidebench {
namespace {

/// Far longer than a line of a log needs to be.
constexpr std::size_t longest_line = 4096;

constexpr std::string_view event_names = "root, make, unmake, null, eval, probe, b, r, q, x, board and move";

/// An event's name and what follows it.
struct LineForm {
  std::string_view name;
  LogEvent event;
  enum class Operands { none, occupancy_or_nothing, occupancy, square_and_occupancy, placement, move } operands;
  std::string_view usage;
};

constexpr std::array line_forms{
    LineForm{"b", LogEvent::bishop, LineForm::Operands::square_and_occupancy, "b SQUARE OCCUPANCY"},
    LineForm{"r", LogEvent::rook, LineForm::Operands::square_and_occupancy, "r SQUARE OCCUPANCY"},
    LineForm{"x", LogEvent::both, LineForm::Operands::square_and_occupancy, "x SQUARE OCCUPANCY"},
    LineForm{"q", LogEvent::queen, LineForm::Operands::square_and_occupancy, "q SQUARE OCCUPANCY"},
    LineForm{"make", LogEvent::make, LineForm::Operands::occupancy_or_nothing, "make [OCCUPANCY]"},
    LineForm{"unmake", LogEvent::unmake, LineForm::Operands::occupancy_or_nothing, "unmake [OCCUPANCY]"},
    LineForm{"null", LogEvent::null_move, LineForm::Operands::none, "null"},
    LineForm{"eval", LogEvent::evaluated, LineForm::Operands::none, "eval"},
    LineForm{"probe", LogEvent::probed, LineForm::Operands::none, "probe"},
    LineForm{"root", LogEvent::root, LineForm::Operands::occupancy, "root OCCUPANCY"},
    LineForm{"move", LogEvent::move, LineForm::Operands::move, "move FROMTO[PROMOTION]"},
    LineForm{"board", LogEvent::board, LineForm::Operands::placement, "board PLACEMENT"}};

constexpr std::string_view blanks = " \t\r";

/// Takes the first word off a line; empty if there is none.
std::string_view take_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
  const std::string_view word = line.substr(0, line.find_first_of(blanks));
  line.remove_prefix(word.size());
  return word;
}

std::optional<Bitboard> parse_occupancy(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
  return parse_number<Bitboard>(text, 16);
}

/// Some of a line, for a message.
std::string quoted(std::string_view text) {
  constexpr std::size_t enough = 40;
  return "'" + printable(text.substr(0, enough)) + (text.size() > enough ? "...'" : "'");
}

constexpr std::string_view piece_letters = "PNBRQKpnbrqk";  // by piece
constexpr std::string_view type_letters = "pnbrqk";         // by type

/// Puts the pieces of a rank, from file a on; false if it has not eight squares.
bool place_rank(std::string_view text, unsigned rank, PieceBoard& board) {
  unsigned file = 0;
  for (const char c : text) {
    if (c >= '1' && c <= '8') {
      file += static_cast<unsigned>(c - '0');
      continue;
    }
    const std::size_t piece = piece_letters.find(c);
    if (piece == std::string_view::npos || file >= 8) return false;
    board.put({static_cast<std::uint8_t>(8 * rank + file++), static_cast<Piece>(piece)});
  }
  return file == 8;
}

}  // namespace

std::optional<PackedBoard> parse_placement(std::string_view text) {
  PieceBoard board = PieceBoard::empty();
  for (unsigned rank = 8; rank-- > 0;) {
    const std::size_t end = text.find('/');
    if ((end == std::string_view::npos) != (rank == 0) || !place_rank(text.substr(0, end), rank, board)) {
      return std::nullopt;
    }
    text.remove_prefix(rank == 0 ? text.size() : end + 1);
  }
  return pack(board);
}

std::optional<LogMove> parse_move(std::string_view text) {
  if (text.size() != 4 && text.size() != 5) return std::nullopt;
  const std::optional<Square> from = parse_square(text.substr(0, 2)), to = parse_square(text.substr(2, 2));
  if (!from || !to) return std::nullopt;
  LogMove move{*from, *to, PieceType::none};
  if (text.size() == 4) return move;
  const std::size_t type = type_letters.substr(0, 5).find(text[4]);
  if (type == std::string_view::npos || type == 0) return std::nullopt;
  move.promotion = static_cast<PieceType>(type);
  return move;
}

std::string text_of(const LogMove& move) {
  std::string text = square_name(move.from) + square_name(move.to);
  if (move.promotion != PieceType::none) text += type_letters[static_cast<std::size_t>(move.promotion)];
  return text;
}

std::optional<LogRecord> QueryLog::next() {
  while (const auto line = next_line()) {
    ++number_;
    const std::string_view text = line->substr(0, line->find('#'));
    if (text.find_first_not_of(blanks) != std::string_view::npos) return parse_line(text);
  }
  return std::nullopt;
}

/// The next line without its line feed; nothing at the end. What follows the last line feed is not a whole line.
std::optional<std::string_view> QueryLog::next_line() {
  line_.clear();
  for (;;) {
    const std::size_t length = unread_.find('\n');
    line_ += unread_.substr(0, length);
    if (line_.size() > longest_line) {
      ++number_;
      refuse("longer than " + std::to_string(longest_line) + " bytes: " + quoted(std::string_view(line_)));
    }
    if (length != std::string_view::npos) {
      unread_.remove_prefix(length + 1);
      return line_;
    }
    const std::span<const char> piece = source_.next();
    unread_ = {piece.data(), piece.size()};
    if (!piece.empty()) continue;
    cut_off_ = line_.size();
    source_.skip_rest();
    return std::nullopt;
  }
}

LogRecord QueryLog::parse_line(std::string_view line) const {
  std::string_view rest = line;
  const std::string_view name = take_word(rest);
  const auto event =
      std::find_if(line_forms.begin(), line_forms.end(), [name](const LineForm& known) { return known.name == name; });
  if (event == line_forms.end()) {
    refuse("unknown event " + quoted(name) + "; the events are " + std::string(event_names));
  }
  LogRecord record{event->event, 0, 0};
  const auto refuse_word = [&](const std::string& what, std::string_view word, const char* hint) {
    refuse(what + ": " + quoted(word) + "; write " + std::string(event->usage) + hint);
  };
  const auto next_as = [&](auto parse, const char* what, const char* hint) {
    const std::string_view word = take_word(rest);
    const auto parsed = parse(word);
    if (!parsed) refuse_word(std::string("no ") + what, word, hint);
    return *parsed;
  };
  using enum LineForm::Operands;
  const bool is_over = rest.find_first_not_of(blanks) == std::string_view::npos;
  if (event->operands == placement) record.board = next_as(parse_placement, "board", ", the first field of a FEN");
  if (event->operands == move) record.move = next_as(parse_move, "move", ", such as move e7e8q");
  if (event->operands == square_and_occupancy) record.square = next_as(parse_square, "square", ", squares a1 to h8");
  if (event->operands == square_and_occupancy || event->operands == occupancy ||
      (event->operands == occupancy_or_nothing && !is_over)) {
    record.occupied = next_as(parse_occupancy, "occupancy", ", 64 bits in hexadecimal, a1 the lowest");
  }
  if (const std::string_view more = take_word(rest); !more.empty()) refuse_word("more than was expected", more, "");
  return record;
}

void QueryLog::refuse(const std::string& what) const {
  throw UserError(source_.name() + ", line " + std::to_string(number_) + ": " + what);
}

}  // namespace slidebench
