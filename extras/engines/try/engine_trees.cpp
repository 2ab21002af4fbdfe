// SPDX-License-Identifier: MIT
#include "extras/engines/try/engine_trees.hpp"

#include <algorithm>

#include "harness/base/errors.hpp"
#include "harness/base/text_output.hpp"
#include "harness/engine/fen.hpp"

namespace slidebench {
namespace {

constexpr std::size_t compared_positions = 4;
constexpr std::int64_t long_enough_ns = 30'000'000;  // of a search, against which a start of a search is little
constexpr unsigned least_depth = 5, most_depth = 40;

}  // namespace

EngineTrees::EngineTrees(const duel::EngineSpec& own, const duel::Conditions& conditions,
                         const std::vector<engine::PositionState>& positions, bool nodes_given,
                         const std::atomic<bool>& stop)
    : conditions_(conditions), stop_(stop) {
  positions_.assign(positions.begin(),
                    positions.begin() + static_cast<std::ptrdiff_t>(std::min(compared_positions, positions.size())));
  choose_limit(own, nodes_given);
  duel::UciEngine engine(own, 0, conditions_, "", stop_);
  for (const engine::PositionState& position : positions_) {
    turns_.push_back(engine.search(position));
    repeats_ = repeats_ && engine.search(position).signature == turns_.back().signature;
  }
}

/// A depth at which a search takes long enough, where `go nodes` is not known.
void EngineTrees::choose_limit(const duel::EngineSpec& own, bool nodes_given) {
  if (conditions_.limit.depth > 0 || nodes_given) return;
  duel::Conditions tried = conditions_;
  tried.turn_seconds = std::min(tried.turn_seconds, 5.0);
  try {
    duel::UciEngine(own, 0, tried, "", stop_).search(positions_.front());
    return;
  } catch (const UserError&) {  // said again below where it is not the limit that is wrong
  }
  tried.limit = {0, least_depth};
  for (; tried.limit.depth < most_depth; ++tried.limit.depth) {
    if (duel::UciEngine(own, 0, tried, "", stop_).search(positions_.front()).cpu_ns >= long_enough_ns) break;
  }
  conditions_.limit = tried.limit;
}

void EngineTrees::compare(const duel::EngineSpec& method) const {
  try {
    duel::UciEngine engine(method, 0, conditions_, "", stop_);
    for (std::size_t i = 0; i < positions_.size(); ++i) {
      const duel::Turn turn = engine.search(positions_[i]);
      if (!repeats_ || turn.signature == turns_[i].signature) continue;
      throw UserError("searches another tree than your own at position " + std::to_string(i + 1) + ", " +
                      engine::to_fen(positions_[i]) + " (" + with_commas(turn.nodes) + " nodes, not " +
                      with_commas(turns_[i].nodes) +
                      "): look for squares that do not begin at a1 = 0, and for other readers of the old tables");
    }
  } catch (const UserError& error) {
    const std::string why = error.what();
    if (why.find("ended") == std::string::npos) throw;
    throw UserError(why +
                    "; is sliding_init() called before the first look-up, and does nothing else read the old tables?");
  }
}

}  // namespace slidebench
