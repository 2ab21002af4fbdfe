// SPDX-License-Identifier: MIT
//
// A cell: the circumstances under which contenders are compared. Times of different cells are never compared with each
// other without saying so. Its names, in files and figures, are made and read back here alone.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <variant>

#include "harness/plugin/workload.hpp"
#include "harness/pressure/pressure.hpp"
#include "harness/trace/block.hpp"

namespace slidebench {

/// A form of the engine: how it evaluates, and how it asks. Named net0 (the classical evaluation), net256,
/// net1024-threats, net1024-threats-batch.
struct EngineForm {
  unsigned net = 0;      ///< width of the network; 0: none
  bool threats = false;  ///< with threat features
  bool batch = false;    ///< with all sliders asked about at once
};
std::string to_string(const EngineForm& form);
/// Throws UserError for a name that is none, or a width that is none of 0, 128, 256, ... 8192.
EngineForm parse_engine_form(const std::string& name);

/// "all" is every kind: absent. Throws UserError for a name that is none of all, bishop, rook, queen, both.
std::optional<QueryKind> parse_kind(const std::string& name);

/// The queries of a trace are replayed.
struct ReplayCell {
  const Workload* workload = &workloads.front();
  std::optional<QueryKind> kind = {};  ///< of queries; absent for all
  unsigned sliders = 0;                ///< of a batch; 0 for all sizes
  std::string trace = {};              ///< its name in the run
  Pressure pressure = {};
};

/// The engine searches its own positions.
struct SearchCell {
  EngineForm form;
};

/// The engine counts the leaves of its own positions.
struct PerftCell {
  bool cold = false;  ///< each count starts with the method's tables in no cache
};

/// Engines search positions against each other.
struct DuelCell {
  std::string limit;  ///< of a search: "nodes1000"
};

/// The names of a cell as they stand in CSV files and figures.
struct CellText {
  std::string workload = {};          ///< a workload of workload.hpp, or engine, perft, perft_cold, duel
  std::string kinds = "all";          ///< of queries: all, bishop, rook, queen or both; of a batch: all, 6-sliders
  std::string trace = {};             ///< the trace's name; of the engine its form, such as net256
  std::string pressure = "isolated";  ///< a preset or a specification, see pressure.hpp
  std::string pages = "4k";
  unsigned corunners = 0;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CellText, workload, kinds, trace, pressure, pages, corunners)

struct Cell {
  std::variant<ReplayCell, SearchCell, PerftCell, DuelCell> what;
  std::string pages = "4k";  ///< under the large tables: 4k or 2m
  unsigned corunners = 0;    ///< processes that keep the shared cache busy meanwhile

  const ReplayCell* replay() const { return std::get_if<ReplayCell>(&what); }
  const SearchCell* search() const { return std::get_if<SearchCell>(&what); }
  const PerftCell* perft() const { return std::get_if<PerftCell>(&what); }
};

CellText names_of(const Cell& cell);
/// Throws UserError for names that no cell has.
Cell cell_of(const CellText& names);

/// The same name by name, in the order of a file's columns: the workload says what the others may be.
void read_workload(Cell& cell, const std::string& name);
void read_kinds(Cell& cell, const std::string& name);
void read_trace(Cell& cell, const std::string& name);
void read_pressure(Cell& cell, const std::string& name);

bool operator==(const Cell& a, const Cell& b);
/// By their names, in which order files have them.
bool operator<(const Cell& a, const Cell& b);

void to_json(nlohmann::json& to, const Cell& cell);
void from_json(const nlohmann::json& from, Cell& cell);

/// "throughput, trace game, nnue", and what else differs from the usual.
std::string to_string(const Cell& cell);

}  // namespace slidebench
