// SPDX-License-Identifier: MIT
//
// A cell: the circumstances under which contenders are compared. Times of different cells are never compared with each
// other without saying so.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <tuple>

namespace slidebench {

/// Names and values as they stand in CSV files and figures.
struct Cell {
  std::string workload;               ///< a workload of workload.hpp, or "engine" or "perft"
  std::string kinds = "all";          ///< of queries: all, bishop, rook, queen or both; of a batch: all, 6-sliders
  std::string trace;                  ///< the trace's name; of the engine its form, such as "net256"
  std::string pressure = "isolated";  ///< a preset or a specification, see pressure.hpp
  std::string pages = "4k";           ///< under the large tables: 4k or 2m
  unsigned corunners = 0;             ///< processes that keep the shared cache busy meanwhile

  friend bool operator==(const Cell&, const Cell&) = default;
  friend bool operator<(const Cell& a, const Cell& b) { return a.key() < b.key(); }

 private:
  std::tuple<const std::string&, const std::string&, const std::string&, const std::string&, const std::string&,
             unsigned>
  key() const {
    return {workload, kinds, trace, pressure, pages, corunners};
  }
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Cell, workload, kinds, trace, pressure, pages, corunners)

/// "throughput, trace game, nnue", and what else differs from the usual.
std::string to_string(const Cell& cell);

}  // namespace slidebench
