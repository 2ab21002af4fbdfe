// SPDX-License-Identifier: MIT
//
// Whether versions of an engine search the same tree, before anything is measured.
#pragma once

#include <atomic>
#include <vector>

#include "extras/engines/duel/uci_engine.hpp"

namespace slidebench {

class EngineTrees {
 public:
  /// Searches some of the positions with the engine as it was. An engine that does not keep to `go nodes` is searched
  /// to a depth, unless the number of nodes was asked for.
  /// @throws UserError  for an engine that fails
  EngineTrees(const duel::EngineSpec& own, const duel::Conditions& conditions,
              const std::vector<engine::PositionState>& positions, bool nodes_given, const std::atomic<bool>& stop);

  const duel::SearchLimit& limit() const { return conditions_.limit; }

  /// @throws UserError  for an engine that fails, or goes another way than the own; names the position
  void compare(const duel::EngineSpec& method) const;

 private:
  void choose_limit(const duel::EngineSpec& own, bool nodes_given);

  duel::Conditions conditions_;
  std::vector<engine::PositionState> positions_;
  const std::atomic<bool>& stop_;
  std::vector<duel::Turn> turns_;
  bool repeats_ = true;
};

}  // namespace slidebench
