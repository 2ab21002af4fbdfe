// SPDX-License-Identifier: MIT
//
// The six columns that name a cell, for every file whose rows belong to one; and five that say what its names stand for
// and where a row comes from, so that the files of many runs can be put into one table.
#pragma once

#include <array>
#include <string>

#include "harness/base/csv_table.hpp"
#include "harness/statistics/cell.hpp"

namespace slidebench {

/// Their names: as they are, or with a suffix where a row has two cells.
using CellNames = std::array<const char*, 6>;
inline constexpr CellNames cell_names{"workload", "kinds", "trace", "pressure", "pages", "corunners"};

/// @tparam cell  the row's member that is the cell
template <class Row, auto cell>
constexpr std::array<Column<Row>, 6> cell_columns(Need need = Need::needed, const CellNames& names = cell_names) {
  using enum CellKind;
  return {{{names[0], text, need,
            "how queries are asked: throughput, latency, setwise, batch, update, perft, perft_cold, engine, duel",
            [](const Row& row) { return names_of(row.*cell).workload; },
            [](Row& row, const std::string& value) { read_workload(row.*cell, value); }},
           {names[1], text, need,
            "of the queries: all, bishop, rook, queen, both; of a batch all, or a number such as 6-sliders",
            [](const Row& row) { return names_of(row.*cell).kinds; },
            [](Row& row, const std::string& value) { read_kinds(row.*cell, value); }},
           {names[2], text, need, "which queries, or which positions of an engine",
            [](const Row& row) { return names_of(row.*cell).trace; },
            [](Row& row, const std::string& value) { read_trace(row.*cell, value); }},
           {names[3], text, need, "what is done between two queries; `isolated` is nothing",
            [](const Row& row) { return names_of(row.*cell).pressure; },
            [](Row& row, const std::string& value) { read_pressure(row.*cell, value); }},
           {names[4], text, need, "under the large tables: 4k or 2m", [](const Row& row) { return (row.*cell).pages; },
            [](Row& row, const std::string& value) { (row.*cell).pages = value; }},
           {names[5], count, need, "processes that kept the shared cache busy",
            [](const Row& row) { return std::to_string((row.*cell).corunners); },
            [](Row& row, const std::string& value) { (row.*cell).corunners = whole_cell<unsigned>(value); }}}};
}

struct RunTag {
  std::string machine, commit, run;
  std::string trace_xxh3 = {}, touches = {};  ///< of the row's cell
};

/// Whose a row is. @tparam Row  has a member `tag`, as below
template <class Row>
constexpr std::array<Column<Row>, 3> run_columns() {
  using enum CellKind;
  using enum Need;
  return {
      {{"machine", text, optional, "its CPU: vendor, family, model", [](const Row& row) { return row.tag.machine; }},
       {"commit", text, optional, "of the program", [](const Row& row) { return row.tag.commit; }},
       {"run", text, optional, "when it started, UTC", [](const Row& row) { return row.tag.run; }}}};
}

/// Of which work it is.
template <class Row>
constexpr std::array<Column<Row>, 2> work_columns() {
  using enum CellKind;
  using enum Need;
  return {
      {{"trace_xxh3", text, optional, "the trace's digest: rows are of one cell if their names, this and touches agree",
        [](const Row& row) { return row.tag.trace_xxh3; }},
       {"touches", text, optional, "what the pressure's name stands for",
        [](const Row& row) { return row.tag.touches; }}}};
}

}  // namespace slidebench
