// SPDX-License-Identifier: MIT
//
// Positions from games, for an engine to search; and files of them, one FEN a line.
//
// The sample is spread: a third of it each from openings (the first ten moves), middlegames and endgames (at most 8 of
// 24 points left, minor pieces counting 1, rooks 2, queens 4), and at most one position of each of these from a game.
// Among the positions of a phase the choice is by a hash of position and seed, so neither the order of the games nor
// the number of copies of a game matters. No position comes twice, and in all of them there is a legal move.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/engine/position_state.hpp"
#include "harness/import/games.hpp"

namespace slidebench::engine {

enum class GamePhase : std::uint8_t { opening, middlegame, endgame };
inline constexpr std::size_t game_phases = 3;

/// In which phase of the game a position is.
GamePhase phase_of(const PositionState& state);

struct PositionSampleOptions {
  std::size_t count = 64;  ///< 1 to max_sample
  std::uint64_t seed = 1;
  bool fewer = false;  ///< where the games have fewer, those; none is refused still
};

inline constexpr std::size_t max_sample = 100'000;

struct PositionSample {
  std::vector<PositionState> positions;  ///< in an order that mixes the phases
  ReadGames games;                       ///< that they are of
};

/// Samples positions. Memory does not grow with the input.
/// @param inputs  PGN files, plain or compressed by content; "-" is standard input
/// @param out     the file that will be written: must be none of the inputs
/// @throws UserError  bad input, or fewer positions than options allow
PositionSample sample_positions(const std::vector<std::string>& inputs, const std::string& out,
                                const PositionSampleOptions& options, const ProgressFn& progress = {});

/// Writes one FEN a line. @throws UserError if the file cannot be written
void write_fens(const std::string& path, const std::vector<PositionState>& positions);

/// Reads one FEN or EPD a line; an EPD's operations, empty lines, and lines that begin with # are skipped.
/// @throws UserError  what is wrong, with file and line; a file without positions
std::vector<PositionState> read_fens(const std::string& path);

}  // namespace slidebench::engine
