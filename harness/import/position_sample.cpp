// SPDX-License-Identifier: MIT
#include "harness/import/position_sample.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "harness/base/errors.hpp"
#include "harness/base/text.hpp"
#include "harness/base/text_output.hpp"
#include "harness/engine/fen.hpp"
#include "harness/engine/move_generator.hpp"
#include "harness/import/played_game.hpp"

namespace slidebench::engine {
namespace {

namespace fs = std::filesystem;

/// SplitMix64's last step (Steele, Lea and Flood 2014).
std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

/// By rank.
using RankedPositions = std::map<std::uint64_t, PositionState>;

class Sampler {
 public:
  explicit Sampler(const PositionSampleOptions& options) : options_(options) {}

  PositionSample sample(const std::vector<std::string>& inputs, const std::string& out, const ProgressFn& progress) {
    PositionSample sample{{}, read_games(inputs, out, 0, std::bind_front(&Sampler::add, this), progress)};
    RankedPositions chosen;
    const auto take = [&chosen](std::size_t count, RankedPositions& phase) {
      for (; count > 0 && !phase.empty(); --count) chosen.insert(phase.extract(phase.begin()));
    };
    for (std::size_t i = 0; i < game_phases; ++i) {
      take((options_.count + game_phases - 1 - i) / game_phases, phases_[i]);
    }
    // What one phase lacks the others give.
    for (RankedPositions& phase : phases_) take(options_.count - chosen.size(), phase);
    if (chosen.empty() || (chosen.size() < options_.count && !options_.fewer)) {
      throw UserError(
          fmt::format("these games give a sample of {} positions, not {}; give more games, or ask for fewer",
                      chosen.size(), options_.count));
    }
    for (const auto& [rank, state] : chosen) sample.positions.push_back(state);
    return sample;
  }

 private:
  struct Candidate {
    std::uint64_t rank;
    PositionState state;
  };
  using Candidates = std::array<std::optional<Candidate>, game_phases>;

  std::string add(const GameText& game) {
    Candidates candidates;
    std::string problem =
        play_game(game, [&](const GamePosition& position, const Move*) { consider(position, candidates); });
    if (!problem.empty()) return problem;
    for (std::size_t i = 0; i < game_phases; ++i) {
      if (candidates[i]) phases_[i].emplace(candidates[i]->rank, candidates[i]->state);
      if (phases_[i].size() > options_.count) phases_[i].erase(std::prev(phases_[i].end()));
    }
    return {};
  }

  /// Keeps of each phase the position of lowest rank.
  void consider(const GamePosition& position, Candidates& candidates) const {
    const std::uint64_t rank = mixed(position.key() ^ mixed(options_.seed + 0x9E3779B97F4A7C15));
    // At a hundred the game may be over, and a FEN says no more than its counter does.
    if (position.halfmove_clock() >= 100) return;
    const PositionState state = position.state();
    std::optional<Candidate>& best = candidates[static_cast<std::size_t>(phase_of(state))];
    if ((!best || rank < best->rank) && has_legal_move(position)) best = {rank, state};
  }

  const PositionSampleOptions& options_;
  std::array<RankedPositions, game_phases> phases_;  ///< the positions of lowest rank of each
};

/// An EPD's position: its four fields, without the operations after them ("bm Nf3; id \"x\";"). A FEN stays as it is.
std::string_view without_operations(std::string_view line) {
  std::size_t end = 0;
  for (int field = 0; field < 4; ++field) {
    end = line.find(' ', line.find_first_not_of(' ', end));
    if (end == std::string_view::npos) return line;
  }
  const std::size_t operation = line.find_first_not_of(' ', end);
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const bool has_operations = operation != std::string_view::npos && is_letter(line[operation]) && line.ends_with(';');
  return has_operations ? line.substr(0, end) : line;
}

}  // namespace

GamePhase phase_of(const PositionState& state) {
  constexpr std::array<int, 6> weights{0, 1, 1, 2, 4, 0};
  int left = 0;
  for (std::size_t type = 0; type < weights.size(); ++type) left += weights[type] * std::popcount(state.pieces[type]);
  if (left <= 8) return GamePhase::endgame;
  return state.fullmove_number <= 10 ? GamePhase::opening : GamePhase::middlegame;
}

PositionSample sample_positions(const std::vector<std::string>& inputs, const std::string& out,
                                const PositionSampleOptions& options, const ProgressFn& progress) {
  return Sampler(options).sample(inputs, out, progress);
}

void write_fens(const std::string& path, const std::vector<PositionState>& positions) {
  write_file(path, joined(positions, "\n", to_fen) + "\n");
}

std::vector<PositionState> read_fens(const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) throw UserError(path + " is a directory; name a file with one FEN a line");
  std::ifstream file(path);
  if (!file) throw UserError("cannot open " + path + ": " + std::strerror(errno) + "; check the name");
  std::vector<PositionState> positions;
  std::string line;
  for (std::size_t number = 1; std::getline(file, line); ++number) {
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty() || line.starts_with('#')) continue;
    try {
      positions.push_back(parse_fen(without_operations(line)));
    } catch (const UserError& problem) {
      throw UserError(path + ", line " + std::to_string(number) + ": " + problem.what());
    }
  }
  if (file.bad()) throw UserError("cannot read " + path + "; check the file");
  if (positions.empty()) throw UserError(path + " holds no position; write one FEN a line");
  return positions;
}

}  // namespace slidebench::engine
