// SPDX-License-Identifier: MIT
//
// What a run until decided still has to decide: which methods in which cells are neither faster, slower nor equivalent.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/statistics/summary.hpp"

namespace slidebench {

class Decisions {
 public:
  /// Judges what there is. Cells without samples are open.
  void update(const std::vector<CellSamples>& cells, const Protocol& protocol);

  /// Whether any method of a cell is undecided. Where nothing is compared with a reference there is nothing to decide.
  bool is_open(const Cell& cell) const;

  /// The methods of a cell that need not be measured any more.
  std::set<std::string> decided_in(const Cell& cell) const;

  std::size_t decided() const;  ///< methods, over all cells
  std::size_t judged() const;   ///< methods, over all cells

  /// The longest that an open method may need, in process runs from now on. No end in sight: a million or more.
  std::size_t process_runs_left() const;

  /// Some of the open ones: "kindergarten (throughput, trace search, nnue)".
  std::string open_text(std::size_t most) const;

 private:
  struct State {
    std::size_t process_runs = 0;
    std::vector<OpenContender> open;
    std::set<std::string> decided;
  };
  std::map<Cell, State> cells_;
};

}  // namespace slidebench
