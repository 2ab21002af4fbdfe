// SPDX-License-Identifier: MIT
//
// A sample: one timed stretch of one contender, one row of samples.csv.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/statistics/cell.hpp"

namespace slidebench {

struct TableText;

/// What a contender is there for.
enum class ContenderRole {
  method,       ///< a method under test
  reference,    ///< what the others are compared with
  twin,         ///< the reference's code from a second module, in every round: a part of what others are compared with,
                ///< and by how much verdicts must exceed its difference
  second_twin,  ///< the same once more, measured and judged as the methods are: the A/A control
  empty,        ///< the replay loop alone
  control,      ///< the reference, at a known further cost: the positive control
  twice,        ///< a method that asks every query twice: what an answer that costs nothing could save at most
  clock         ///< a chain of dependent one-cycle additions: effective clock rate without a PMU
};
std::string to_string(ContenderRole role);
/// Throws UserError if there is no such role.
ContenderRole parse_role(const std::string& name);

struct Sample {
  unsigned process_run = 0;
  unsigned round = 0;
  unsigned position = 0;  ///< place of the contender in its round, from 0
  std::string contender;
  std::string method;
  std::string level;
  ContenderRole role = ContenderRole::method;
  unsigned placement = 0;  ///< of the contender's module: which of its layouts
  Cell cell;
  unsigned segment = 0;        ///< which stretch of the trace
  std::uint64_t queries = 0;   ///< answered in the sample; of the clock contender: additions
  std::uint64_t nodes = 0;     ///< visited in the sample
  double time_ns = 0;          ///< of the sample: CPU time, or wall time where turns are too short for that
  double wall_ns = 0;          ///< of the sample; 0 if unknown
  std::uint64_t checksum = 0;  ///< equals the oracle's, or the run ends
  std::int64_t involuntary_switches = 0;
  std::int64_t minor_faults = 0;
  std::int64_t major_faults = 0;
  std::optional<std::uint64_t> steal_ticks;  ///< absent if the kernel does not say

  double ns_per_query() const { return time_ns / static_cast<double>(queries); }

  /// Whether something that is known to disturb happened during the sample: never judged by the time itself.
  bool flagged() const {
    return involuntary_switches > 0 || minor_faults > 0 || major_faults > 0 || steal_ticks.value_or(0) > 0;
  }
};

/// The header line of samples.csv and one row, without line ends.
std::string sample_csv_header();
std::string to_csv(const Sample& sample);

/// Reads a row back. Throws UserError if it is not one.
Sample parse_sample(const std::string& row);

/// The columns of samples.csv.
TableText sample_columns();

}  // namespace slidebench
