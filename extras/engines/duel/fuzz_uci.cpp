// SPDX-License-Identifier: MIT
//
// A position and moves as UCI writes them, and what a foreign engine prints: a FEN (or nothing, for the first position)
// in the first line, moves in the second, then an engine's lines.
#include <sstream>

#include "extras/engines/duel/uci_protocol.hpp"
#include "harness/base/errors.hpp"
#include "harness/engine/fen.hpp"
#include "harness/engine/legal_moves.hpp"
#include "harness/fuzz/fuzz_input.hpp"

namespace {

using namespace slidebench;

/// A legal move leads to a position that a FEN can say; every other text is no move.
void play(const std::string& fen, const std::string& moves) {
  engine::PositionState state = engine::parse_fen(fen.empty() ? std::string(engine::start_position) : fen);
  for (const std::string_view word : duel::words_of(moves)) {
    const std::optional<engine::Move> move = engine::legal_move(state, word);
    if (!move) return;
    fuzz::require(engine::to_uci(*move) == word);
    state = engine::after(state, *move);
    fuzz::require(state.halfmove_clock > 150 || state.fullmove_number > 9999 ||
                  engine::parse_fen(engine::to_fen(state)) == state);
  }
}

void listen(std::istream& lines) {
  duel::SearchReport report;
  for (std::string line; std::getline(lines, line);) {
    duel::add_info(line, report);
    if (const auto option = duel::parse_option(line)) {
      fuzz::require(duel::same_option(option->name, option->name));
      duel::refusal(*option, line);
    }
    if (const auto move = duel::parse_best_move(line)) fuzz::require(move->find(' ') == std::string::npos);
    duel::complains_of_option(line);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::istringstream input(fuzz::text_of(data, size));
  std::string fen, moves;
  std::getline(input, fen);
  std::getline(input, moves);
  try {
    play(fen, moves);
  } catch (const UserError& error) {
    fuzz::require(std::string(error.what()).find('\n') == std::string::npos);
  }
  listen(input);
  return 0;
}
