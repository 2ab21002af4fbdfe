// SPDX-License-Identifier: MIT
//
// The CSV files that tell what a simulation saw, beside counters.csv: mrc.csv, squares.csv, tables.csv.
#pragma once

#include <string>
#include <vector>

#include "harness/simulator/experiment.hpp"

namespace slidebench {

struct TableText;

/// The first line of a file, with its end. Precondition: one of those above.
std::string simulation_header(const std::string& file);

/// Rows of mrc.csv: misses of fully associative LRU caches of 4 to 65,536 lines and pages, four sizes an octave, under
/// eight loads, the first of which is none. Nothing if reuse was not observed.
std::string mrc_csv(const std::string& method, const std::string& trace, const Observation& seen);

/// Rows of squares.csv: different lines, and misses of L1 and L2, of every kind of query on every square where it was
/// asked. Of the first draw of every system.
std::string squares_csv(const std::string& method, const std::string& trace, const Experiment& experiment,
                        const Observation& seen);

/// Rows of tables.csv: of every level that was asked, the different lines, accesses and misses of every table and of
/// all together; in the last column what was read for the first time, warm-up passes included. Why they missed stands
/// in the row of all, for the first draw without pressure.
std::string tables_csv(const std::string& method, const std::string& trace, const Experiment& experiment,
                       const Observation& seen);

/// The columns of the three files.
std::vector<TableText> simulation_columns();

}  // namespace slidebench
