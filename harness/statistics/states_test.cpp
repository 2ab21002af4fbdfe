// SPDX-License-Identifier: MIT
#include "harness/statistics/process_run_table.hpp"

#include <gtest/gtest.h>

namespace slidebench {
namespace {

/// The reference's process runs in a cell of this pressure.
std::vector<ProcessRunRow> rows_of(const std::vector<double>& ns, const std::string& pressure = "isolated",
                                   ContenderRole role = ContenderRole::reference) {
  std::vector<ProcessRunRow> rows;
  for (unsigned i = 0; i < ns.size(); ++i) {
    ProcessRunRow row;
    row.cell = cell_of({.workload = "throughput", .trace = "search", .pressure = pressure});
    row.role = role;
    row.process_run = i;
    row.ns_per_query = ns[i];
    rows.push_back(row);
  }
  return rows;
}

TEST(MachineStates, AreToldOfTheCellThatDiffersMost) {
  std::vector<ProcessRunRow> rows = rows_of({3.3, 3.2, 3.4, 1.9, 1.9, 1.8, 1.9, 2.0, 1.9, 1.9});
  const std::vector<ProcessRunRow> less = rows_of({45, 44, 43, 40, 39, 31, 30, 30, 31, 30}, "net1024");
  rows.insert(rows.begin(), less.begin(), less.end());
  const std::optional<MachineStates> states = machine_states(rows);
  ASSERT_TRUE(states);
  EXPECT_EQ(names_of(states->cell).pressure, "isolated");
  EXPECT_NEAR(states->quick_ns, 1.9, 0.1);
  EXPECT_NEAR(states->slow_ns, 3.3, 0.1);
}

TEST(MachineStates, AreNoneWhereProcessRunsDifferLittle) {
  EXPECT_FALSE(machine_states(rows_of({1.9, 2.1, 2.0, 1.9, 2.2, 2.0})));
  EXPECT_FALSE(machine_states(rows_of({1.9, 1.9, 1.9, 1.9, 1.9, 1.9, 1.9, 1.9, 1.9, 1.9, 1.9, 1.9, 1.9, 1.9, 9})))
      << "one process run is no state";
}

TEST(MachineStates, NeedTheReferenceAndFourProcessRuns) {
  EXPECT_FALSE(machine_states({}));
  EXPECT_FALSE(machine_states(rows_of({1, 2, 3})));
  EXPECT_FALSE(machine_states(rows_of({1, 2, 3, 4, 5}, "isolated", ContenderRole::method)));
}

}  // namespace
}  // namespace slidebench
