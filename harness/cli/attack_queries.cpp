// SPDX-License-Identifier: MIT
#include "harness/cli/attack_queries.hpp"

#include <cctype>
#include <cstdio>
#include <iostream>
#include <sstream>

#include "harness/base/errors.hpp"

namespace slidebench {
namespace {

/// A line of input: "rook e4 0x00ff...".
struct Question {
  std::string piece;
  Square square;
  Bitboard occupied;
};

[[noreturn]] void refuse(std::size_t line, const std::string& what) {
  throw UserError("standard input, line " + std::to_string(line) + ": " + what);
}

Square parse_square(const std::string& text, std::size_t line) {
  const bool good = text.size() == 2 && text[0] >= 'a' && text[0] <= 'h' && text[1] >= '1' && text[1] <= '8';
  if (!good) refuse(line, "'" + text + "' is no square; write a1 to h8");
  return square_at(static_cast<unsigned>(text[0] - 'a'), static_cast<unsigned>(text[1] - '1'));
}

Bitboard parse_occupancy(const std::string& text, std::size_t line) {
  bool good = text.size() > 2 && text.size() <= 18 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  for (std::size_t i = 2; good && i < text.size(); ++i) good = std::isxdigit(static_cast<unsigned char>(text[i])) != 0;
  if (!good) refuse(line, "'" + text + "' is no occupancy; write 0x and up to 16 hexadecimal digits, a1 is bit 0");
  return std::stoull(text, nullptr, 16);
}

Question parse_question(const std::string& text, std::size_t line) {
  std::istringstream words(text);
  std::string piece, square, occupied, rest;
  words >> piece >> square >> occupied;
  if (occupied.empty() || words >> rest)
    refuse(line, "write PIECE SQUARE OCCUPANCY, such as: rook e4 0xffff00000000ffff");
  if (piece != "bishop" && piece != "rook" && piece != "queen" && piece != "both") {
    refuse(line, "'" + piece + "' is no slider; write bishop, rook, queen or both");
  }
  return {piece, parse_square(square, line), parse_occupancy(occupied, line)};
}

void answer(const Question& q, const OccupancyQueries& queries) {
  const auto print = [](Bitboard b, char end) { std::printf("0x%016llx%c", static_cast<unsigned long long>(b), end); };
  if (q.piece == "both") {
    const BishopRook sets = queries.both(q.square, q.occupied);
    print(sets.bishop, ' ');
    print(sets.rook, '\n');
    return;
  }
  const auto query = q.piece == "bishop" ? queries.bishop : q.piece == "rook" ? queries.rook : queries.queen;
  print(query(q.square, q.occupied), '\n');
}

}  // namespace

void answer_queries(const Plugin& method) {
  std::string text;
  for (std::size_t line = 1; std::getline(std::cin, text); ++line) {
    if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
    answer(parse_question(text, line), method.descriptor().queries);
  }
  if (std::cin.bad()) throw UserError("cannot read standard input");
}

}  // namespace slidebench
