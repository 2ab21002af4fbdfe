// SPDX-License-Identifier: MIT
//
// slidebench attacks: a method's answers, for trying things out and for other programs to compare with.
#include <CLI/CLI.hpp>
#include <cctype>
#include <cstdio>
#include <iostream>
#include <memory>
#include <sstream>

#include "harness/base/errors.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/shared_options.hpp"
#include "harness/plugin/method_selection.hpp"

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

void answer_lines(const Plugin& method) {
  std::string text;
  for (std::size_t line = 1; std::getline(std::cin, text); ++line) {
    if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
    answer(parse_question(text, line), method.descriptor().queries);
  }
  if (std::cin.bad()) throw UserError("cannot read standard input");
}

}  // namespace

void add_attacks_command(CLI::App& program) {
  CLI::App* command = program.add_subcommand("attacks", "Answers attack queries read from standard input");
  auto options = std::make_shared<MethodOptions>();
  add_method_options(*command, *options);
  command->get_option("--method")->required();
  command->footer(
      "Each line asks for one set: PIECE SQUARE OCCUPANCY, with PIECE bishop, rook, queen or both (both prints the\n"
      "bishop and the rook set). Each answer is a line 0x%016x.\n\n"
      "Example:\n  echo rook e4 0xffff00000000ffff | slidebench attacks --method magic_fancy");
  command->callback([options] {
    if (options->methods.size() != 1) throw UserError("attacks takes one --method");
    MethodSelection selection = select_methods(*options);
    if (selection.methods.size() != 1) throw UserError("attacks takes one --method, not a group");
    const Plugin& method = selection.methods.front();
    if (is_baseline(method)) throw UserError("method " + method.id() + " gives no attack sets; name another");
    answer_lines(method);
  });
}

}  // namespace slidebench
