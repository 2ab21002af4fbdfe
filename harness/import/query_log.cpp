// SPDX-License-Identifier: MIT
#include "harness/import/query_log.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "harness/base/errors.hpp"
#include "harness/base/text.hpp"
#include "harness/chess/squares.hpp"
#include "harness/trace/packed_source.hpp"

namespace slidebench {
namespace {

constexpr std::string_view binary_magic = "SLQUERY\n";
constexpr std::size_t binary_header_bytes = 16;
constexpr std::size_t record_bytes = 10;
constexpr std::size_t board_record_bytes = 34;
constexpr std::size_t move_record_bytes = 4;
constexpr std::size_t short_record_bytes = 2;  // of a record whose occupancy is left out
constexpr std::uint8_t same_occupancy = 128;

/// A version of the binary form.
struct BinaryVersion {
  std::uint32_t number;
  std::uint32_t longest_record;
  LogEvent last_event;
};
constexpr std::array binary_versions{BinaryVersion{2, record_bytes, LogEvent::both},
                                     BinaryVersion{3, board_record_bytes, LogEvent::move}};

/// Far longer than a line of a log needs to be.
constexpr std::size_t longest_line = 4096;

constexpr std::string_view event_names = "root, make, unmake, null, eval, probe, b, r, q, x, board and move";

/// An event of the text form and what follows its name.
struct TextEvent {
  std::string_view name;
  LogEvent event;
  enum class Operands { none, occupancy_or_nothing, occupancy, square_and_occupancy, placement, move } operands;
  std::string_view usage;
};

constexpr std::array text_events{
    TextEvent{"b", LogEvent::bishop, TextEvent::Operands::square_and_occupancy, "b SQUARE OCCUPANCY"},
    TextEvent{"r", LogEvent::rook, TextEvent::Operands::square_and_occupancy, "r SQUARE OCCUPANCY"},
    TextEvent{"x", LogEvent::both, TextEvent::Operands::square_and_occupancy, "x SQUARE OCCUPANCY"},
    TextEvent{"q", LogEvent::queen, TextEvent::Operands::square_and_occupancy, "q SQUARE OCCUPANCY"},
    TextEvent{"make", LogEvent::make, TextEvent::Operands::occupancy_or_nothing, "make [OCCUPANCY]"},
    TextEvent{"unmake", LogEvent::unmake, TextEvent::Operands::occupancy_or_nothing, "unmake [OCCUPANCY]"},
    TextEvent{"null", LogEvent::null_move, TextEvent::Operands::none, "null"},
    TextEvent{"eval", LogEvent::evaluated, TextEvent::Operands::none, "eval"},
    TextEvent{"probe", LogEvent::probed, TextEvent::Operands::none, "probe"},
    TextEvent{"root", LogEvent::root, TextEvent::Operands::occupancy, "root OCCUPANCY"},
    TextEvent{"move", LogEvent::move, TextEvent::Operands::move, "move FROMTO[PROMOTION]"},
    TextEvent{"board", LogEvent::board, TextEvent::Operands::placement, "board PLACEMENT"}};

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

/// Bytes of a record, by its first one.
std::size_t bytes_of_record(std::uint8_t first) {
  if ((first & same_occupancy) != 0) return short_record_bytes;
  if (first == static_cast<std::uint8_t>(LogEvent::board)) return board_record_bytes;
  return first == static_cast<std::uint8_t>(LogEvent::move) ? move_record_bytes : record_bytes;
}

std::uint64_t little_endian(const char* bytes, std::size_t count) {
  std::uint64_t number = 0;
  std::memcpy(&number, bytes, count);
  return number;
}

/// Some of a line, for a message.
std::string quoted(std::string_view text) {
  constexpr std::size_t enough = 40;
  std::string some("'");
  some += to_utf8(text.substr(0, enough));
  return some += text.size() > enough ? "...'" : "'";
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

QueryLog::QueryLog(const std::string& path)
    : name_(source_name(path)), source_(std::make_unique<PackedSource>(path)), buffer_(1 << 19) {
  find_form();
}

QueryLog::~QueryLog() = default;

std::uint64_t QueryLog::bytes() const { return source_->bytes(); }
std::string QueryLog::sha256() { return source_->sha256(); }

void QueryLog::find_form() {
  while (end_ < binary_header_bytes && fill()) {
  }
  if (end_ == 0) throw UserError(name_ + " is empty; give the log of an engine's queries");
  if (unread().starts_with(binary_magic)) return check_binary_header();
  const std::string_view beginning = unread().substr(0, longest_line);
  const bool is_text = std::all_of(beginning.begin(), beginning.end(), [](char c) {
    return static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\r' || c == '\t';
  });
  if (!is_text) throw UserError(name_ + " is no log of queries, neither text nor what slidebench_record.h writes");
}

void QueryLog::check_binary_header() {
  form_ = Form::binary;
  if (end_ < binary_header_bytes) {
    throw UserError(fmt::format("{} is truncated: its header is cut off after {} bytes; record it again", name_, end_));
  }
  const std::uint64_t number = little_endian(buffer_.data() + 8, 4);
  const auto version = std::find_if(binary_versions.begin(), binary_versions.end(),
                                    [number](const BinaryVersion& known) { return known.number == number; });
  if (version == binary_versions.end()) {
    throw UserError(name_ + " has log version " + std::to_string(number) +
                    ", this program reads 2 and 3; record it with the header of this program");
  }
  if (little_endian(buffer_.data() + 12, 4) != version->longest_record) {
    throw UserError(fmt::format("{} is damaged: its header does not announce records of {} bytes; record it again",
                                name_, version->longest_record));
  }
  last_event_ = static_cast<std::uint8_t>(version->last_event);
  begin_ = binary_header_bytes;
}

/// Makes room, and appends the next piece of the log; false at its end.
bool QueryLog::fill() {
  const std::span<const char> piece = source_->next();
  if (piece.empty()) return false;
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  if (end_ + piece.size() > buffer_.size()) buffer_.resize(end_ + piece.size());
  std::copy(piece.begin(), piece.end(), buffer_.data() + end_);
  end_ += piece.size();
  return true;
}

/// The end of the log: what is left over is no whole record.
void QueryLog::finish() {
  cut_off_ = end_ - begin_;
  begin_ = end_;
  source_->skip_rest();
}

/// Reads on until so many bytes are unread; false if the log ends before.
bool QueryLog::have(std::size_t bytes) {
  while (end_ - begin_ < bytes) {
    if (!fill()) return false;
  }
  return true;
}

std::optional<LogRecord> QueryLog::next_of_binary() {
  const auto first = static_cast<std::uint8_t>(have(1) ? buffer_[begin_] : 0);
  const bool is_short = (first & same_occupancy) != 0;
  const std::size_t length = bytes_of_record(is_short || first <= last_event_ ? first : 0);
  if (!have(length)) {
    finish();
    return std::nullopt;
  }
  ++number_;
  const char* const bytes = buffer_.data() + begin_;
  begin_ += length;
  const auto event = static_cast<std::uint8_t>(first & ~same_occupancy);
  if (event == 0 || event > last_event_) refuse("unknown event " + std::to_string(event));
  if (tells_pieces(static_cast<LogEvent>(event)) && is_short) refuse("a board or a move is cut short");
  if (event == static_cast<std::uint8_t>(LogEvent::board)) return read_board(bytes);
  if (event == static_cast<std::uint8_t>(LogEvent::move)) return read_move(bytes);
  return read_event(event, bytes, is_short);
}

/// An event that has a square or an occupancy or neither.
LogRecord QueryLog::read_event(std::uint8_t event, const char* bytes, bool is_short) {
  const auto square = static_cast<std::uint8_t>(bytes[1]);
  LogRecord record{static_cast<LogEvent>(event), Square{square}, 0};
  if (square >= square_count) refuse("square " + std::to_string(square) + "; squares are 0 (a1) to 63 (h8)");
  const bool has_occupancy = is_query(record.event) || record.event == LogEvent::root ||
                             record.event == LogEvent::make || record.event == LogEvent::unmake;
  if ((!is_query(record.event) && square != 0) || (!has_occupancy && !is_short)) {
    refuse("an event has a square or an occupancy that does not belong to it");
  }
  if (!is_short) occupied_ = little_endian(bytes + short_record_bytes, 8);
  if (has_occupancy) record.occupied = occupied_;
  return record;
}

LogRecord QueryLog::read_board(const char* bytes) const {
  LogRecord record{LogEvent::board, 0, 0};
  if (bytes[1] != 0) refuse("a board has a square that does not belong to it");
  std::memcpy(record.board.data(), bytes + short_record_bytes, record.board.size());
  for (const std::uint8_t two : record.board) {
    const unsigned piece = std::max<unsigned>(two & 15, two >> 4);
    if (piece > no_piece) refuse(fmt::format("a board has a piece {}; pieces are 0 to 11, and 12 is none", piece));
  }
  return record;
}

LogRecord QueryLog::read_move(const char* bytes) const {
  const auto from = static_cast<std::uint8_t>(bytes[1]), to = static_cast<std::uint8_t>(bytes[2]);
  const auto promotion = static_cast<std::uint8_t>(bytes[3]);
  if (from >= square_count || to >= square_count) {
    refuse(fmt::format("a move from {} to {}; squares are 0 (a1) to 63 (h8)", from, to));
  }
  if (promotion > static_cast<std::uint8_t>(PieceType::queen)) {
    refuse("a promotion " + std::to_string(promotion) + "; promotions are 1 (knight) to 4 (queen), and 0 is none");
  }
  LogRecord record{LogEvent::move, 0, 0};
  record.move = {from, to, promotion == 0 ? PieceType::none : static_cast<PieceType>(promotion)};
  return record;
}

std::optional<LogRecord> QueryLog::next_of_text() {
  while (const auto line = next_line()) {
    ++number_;
    const std::string_view text = line->substr(0, line->find('#'));
    if (text.find_first_not_of(blanks) != std::string_view::npos) return parse_line(text);
  }
  return std::nullopt;
}

/// The next line without its line feed; nothing at the end. What follows the last line feed is not a whole line.
std::optional<std::string_view> QueryLog::next_line() {
  std::size_t searched = 0;
  for (;;) {
    const std::size_t length = unread().find('\n', searched);
    if (length != std::string_view::npos) {
      const std::string_view line = unread().substr(0, length);
      begin_ += length + 1;
      return line;
    }
    searched = unread().size();
    if (searched > longest_line) {
      ++number_;
      refuse("longer than " + std::to_string(longest_line) + " bytes: " + quoted(unread()));
    }
    if (!fill()) {
      finish();
      return std::nullopt;
    }
  }
}

LogRecord QueryLog::parse_line(std::string_view line) const {
  std::string_view rest = line;
  const std::string_view name = take_word(rest);
  const auto event = std::find_if(text_events.begin(), text_events.end(),
                                  [name](const TextEvent& known) { return known.name == name; });
  if (event == text_events.end()) {
    refuse("unknown event " + quoted(name) + "; the events are " + std::string(event_names));
  }
  LogRecord record{event->event, 0, 0};
  const std::string usage = "; write " + std::string(event->usage);
  const auto next_as = [&](auto parse, const char* what, const char* hint) {
    const std::string_view text = take_word(rest);
    const auto parsed = parse(text);
    if (!parsed) refuse(std::string("no ") + what + ": " + quoted(text) + usage + hint);
    return *parsed;
  };
  using enum TextEvent::Operands;
  const bool is_over = rest.find_first_not_of(blanks) == std::string_view::npos;
  if (event->operands == placement) record.board = next_as(parse_placement, "board", ", the first field of a FEN");
  if (event->operands == move) record.move = next_as(parse_move, "move", ", such as move e7e8q");
  if (event->operands == square_and_occupancy) record.square = next_as(parse_square, "square", ", squares a1 to h8");
  if (event->operands == square_and_occupancy || event->operands == occupancy ||
      (event->operands == occupancy_or_nothing && !is_over)) {
    record.occupied = next_as(parse_occupancy, "occupancy", ", 64 bits in hexadecimal, a1 the lowest");
  }
  if (const std::string_view more = take_word(rest); !more.empty()) {
    refuse("more than was expected: " + quoted(more) + usage);
  }
  return record;
}

void QueryLog::refuse(const std::string& what) const {
  throw UserError(name_ + (form_ == Form::text ? ", line " : ", record ") + std::to_string(number_) + ": " + what);
}

}  // namespace slidebench
