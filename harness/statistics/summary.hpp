// SPDX-License-Identifier: MIT
//
// The summary of a run: samples.csv turned into one judged row per contender and cell (summary.csv).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/statistics/comparison.hpp"

namespace slidebench {

/// What multiple comparisons with the best say of a contender: `among` those that may be the fastest.
enum class Standing { fastest, among, behind };
std::string to_string(Standing standing);
/// Absent if there is no such standing.
std::optional<Standing> parse_standing(std::string_view name);

/// Misses of the first level a query, in perft and engines a node, over process runs; without an interval where a model
/// gave one number.
struct CacheMisses : Estimate {
  std::string source;  ///< "measured" or "simulated"
};

/// One contender in one cell. All figures of a row come from the same numbers: the time is the reference's typical time
/// times the ratio, and the net time is that minus the empty loop's, so that their orders agree.
struct SummaryRow {
  std::string contender;
  std::string method;
  std::string level;
  ContenderRole role = ContenderRole::method;
  Cell cell;
  std::size_t process_runs = 0;
  std::size_t rounds = 0;                    ///< over all process runs
  Estimate ns_per_query;                     ///< of the clock contender: ns per cycle
  std::optional<Estimate> net_ns_per_query;  ///< minus the empty loop's; paired within rounds
  std::optional<double> ns_per_node;
  std::optional<Estimate> ratio;   ///< time over the reference's in the same round; absent for the empty loop and clock
  std::optional<double> aa_bound;  ///< by how much identical code may have differed in this cell, as a fraction
  std::optional<Verdict> verdict;  ///< of a method that was compared with the reference
  std::optional<Estimate> judged;  ///< the interval behind the verdict: that of the ratio, widened by Holm's rule
  std::optional<Standing> best;    ///< absent where it was not compared
  std::size_t flagged_rounds = 0;  ///< rounds in which this contender's sample or the reference's was disturbed
  std::optional<Estimate> unflagged_ratio;  ///< the ratio without them; absent if no round is left
  std::optional<CacheMisses> l1d_misses;    ///< absent where they were neither counted nor simulated
};

/// The verdict of a row as files and tables have it: of a method its own, of all others what they are there for.
std::string verdict_text(const SummaryRow& row);

/// Whether the comparison of a row with the reference came to an end, as the reference's own has.
bool is_decided(const SummaryRow& row);

/// All rows, cell by cell in order of names; within a cell by time.
std::vector<SummaryRow> summarise(const std::vector<CellSamples>& cells, const Protocol& protocol);

/// By how much identical code may differ in a cell; of a cell without an A/A control, infinitely.
Resolution resolution_of(const CellSamples& cell, const Protocol& protocol);

/// The methods of a cell that are neither faster, slower nor equivalent yet, each with the process runs it may need in
/// all (see process_runs_needed).
struct OpenContender {
  std::string contender;
  std::size_t process_runs_needed = 0;
};
std::vector<OpenContender> open_contenders(const CellSamples& cell, const Protocol& protocol);

}  // namespace slidebench
