// SPDX-License-Identifier: MIT
//
// Reads the log of an engine's queries: extras/engines/README.md describes its lines.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "harness/trace/block.hpp"
#include "harness/trace/packed_source.hpp"

namespace slidebench {

/// What a line tells.
enum class LogEvent : std::uint8_t {
  root,
  make,
  unmake,
  null_move,
  evaluated,
  probed,
  bishop,  ///< the queries, in the order of QueryKind
  rook,
  queen,
  both,
  board,  ///< of the root that follows
  move    ///< of the `make` that follows
};

constexpr bool is_query(LogEvent event) { return event >= LogEvent::bishop && event <= LogEvent::both; }
constexpr bool tells_pieces(LogEvent event) { return event >= LogEvent::board; }

/// The kind that a query asks for.
constexpr QueryKind kind_of(LogEvent query) {
  return static_cast<QueryKind>(static_cast<unsigned>(query) - static_cast<unsigned>(LogEvent::bishop));
}

/// A move as an engine knows it; the board tells castling and en passant.
struct LogMove {
  Square from = 0;
  Square to = 0;
  PieceType promotion = PieceType::none;  ///< knight to queen, or none

  bool operator==(const LogMove&) const = default;
};

/// The first field of a FEN: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR".
std::optional<PackedBoard> parse_placement(std::string_view text);

/// "e2e4", "e7e8q".
std::optional<LogMove> parse_move(std::string_view text);

std::string text_of(const LogMove& move);

struct LogRecord {
  LogEvent event = LogEvent::root;
  Square square = 0;      ///< of a query
  Bitboard occupied = 0;  ///< of a root and of a query; of make and unmake 0 where it is not known; else 0
  LogMove move = {};      ///< of a move
  PackedBoard board = {};

  bool operator==(const LogRecord&) const = default;
};

/// A log, line by line; memory does not grow with it.
class QueryLog {
 public:
  /// @param path  a file, or "-" for standard input; plain or compressed by content
  /// @throws UserError  it cannot be read
  explicit QueryLog(const std::string& path) : source_(path) {}

  /// What the next line tells; nothing at the end. @throws UserError  where and what is wrong
  std::optional<LogRecord> next();

  /// Complains about the last line. @throws UserError  where it is and what is wrong
  [[noreturn]] void refuse(const std::string& what) const;

  /// Bytes behind the last line feed, once next() has found the end. An engine that was killed leaves such a log.
  std::uint64_t cut_off() const { return cut_off_; }

  /// Bytes read so far, as they lie on the disk.
  std::uint64_t bytes() const { return source_.bytes(); }

  /// SHA-256 of these bytes, hexadecimal; of the whole file once next() has found the end.
  std::string sha256() { return source_.sha256(); }

 private:
  std::optional<std::string_view> next_line();
  LogRecord parse_line(std::string_view line) const;

  PackedSource source_;
  std::string_view unread_;  ///< of the source's last piece
  std::string line_;
  std::uint64_t number_ = 0;  ///< of the line
  std::uint64_t cut_off_ = 0;
};

}  // namespace slidebench
