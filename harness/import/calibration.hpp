// SPDX-License-Identifier: MIT
//
// How much the rest of an engine touches between attack queries, counted in the engine itself: what the presets of
// pressure (harness/pressure/pressure.hpp) stand for.
//
// A search is run with a listener that notes cache lines by their addresses, kind by kind:
//
//   hash          the cluster that is fetched when a move is made, and probed at the node
//   board         the position's sets and mailbox, and the ply that a move leaves behind
//   moves         the list of moves and their scores, on the stack
//   history       the counters of the quiet moves that are scored
//   tables        places and pawn masks of the classical evaluation
//   accumulators  those that an update or a refresh reads and writes, and those that are evaluated
//   rows          rows of weights that are added or removed
//   layers        weights that the sparse first layer needs, and all of the small layers behind it
//
// Not counted: what stays in registers or in a few lines of the stack, leaper tables and hash keys (some dozen lines
// that stay warm), storing into the hash cluster that was probed, code, and everything of the attack method.
// A line counts once a node, and once an evaluation, however often it is touched there.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/distribution.hpp"
#include "harness/engine/position_state.hpp"

namespace slidebench::engine {

/// A form of the evaluation.
struct CalibrationForm {
  std::string_view name;
  unsigned network;  ///< width, or 0: the classical evaluation
  bool threats;
};
inline constexpr std::array<CalibrationForm, 5> calibration_forms{{{"classical", 0, false},
                                                                   {"net 256", 256, false},
                                                                   {"net 256, threats", 256, true},
                                                                   {"net 1024", 1024, false},
                                                                   {"net 1024, threats", 1024, true}}};

inline constexpr std::array<std::string_view, 8> line_kinds{"hash",   "board",        "moves", "history",
                                                            "tables", "accumulators", "rows",  "layers"};

struct CalibrationOptions {
  unsigned depth = 10;
  std::uint64_t max_nodes = 2'000;                   ///< of each position
  std::size_t hash_clusters = std::size_t{1} << 18;  ///< a power of two
};

/// Lines are different lines within what they are counted in. A node begins when the hash table is probed; an interval
/// begins with an evaluation and ends before the next one.
struct CalibrationRow {
  struct Kind {
    double per_node = 0;         ///< on average
    double per_interval = 0;     ///< on average
    std::uint64_t distinct = 0;  ///< in the whole search: the working set
  };

  std::string form;
  std::uint64_t nodes = 0;
  std::uint64_t evaluations = 0;
  std::uint64_t queries = 0;
  std::array<Kind, line_kinds.size()> kinds;
  Quantiles per_node;            ///< all kinds but the network's
  Quantiles per_interval;        ///< all kinds
  Quantiles network_evaluation;  ///< touches of the network at one evaluation, as the search reports them
  std::uint64_t distinct = 0;    ///< of all kinds
};

/// Searches the positions with one form of evaluation, one hash table for all. The same input gives the same figures.
/// @throws UserError if the network's width is impossible
CalibrationRow calibrate(const std::vector<PositionState>& positions, const CalibrationForm& form,
                         const CalibrationOptions& options = {});

nlohmann::json to_json(const CalibrationRow& row);

/// The rows as a table, and the presets of pressure, to compare.
std::string calibration_text(const std::vector<CalibrationRow>& rows);

}  // namespace slidebench::engine
