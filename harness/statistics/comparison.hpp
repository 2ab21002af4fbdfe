// SPDX-License-Identifier: MIT
//
// The samples of a run, sorted for comparing: by cell and contender, each sample beside those that it shared a round
// with.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/statistics/builds.hpp"
#include "harness/statistics/sample.hpp"
#include "harness/statistics/statistics.hpp"

namespace slidebench {

/// What the verdicts of a run rest on, fixed before it is measured.
struct Protocol {
  double margin = 0.01;  ///< times that differ by no more than this fraction count as equal
  Inference inference = Inference::fixed;
  unsigned final_from = 0;              ///< of a race: process runs before this one are its first stage; 0: no race
  unsigned process_runs_a_session = 0;  ///< 0: all were measured in one session
  std::string reference = {};           ///< what methods are decided against; empty: what they were measured beside
  bool draws_builds = false;            ///< whether the builds that process runs draw stand for others of their sources
};

/// Of the error of 5 % that the best method of a race is not among those named, the share for its leaving too early.
inline constexpr double leaving_error = 0.01;

/// Identifies a round of a cell: its process run, and its number within it.
using RoundId = std::pair<unsigned, unsigned>;

/// One contender's samples in one cell.
struct ContenderSamples {
  Sample first;  ///< for its names
  std::map<RoundId, Sample> samples = {};
  std::map<RoundId, Sample> again = {};  ///< of the reference of methods: those of its twin
  double widening = 1;        ///< of its ratio's interval, by the sessions of its cell (sessions.hpp) or by builds
  double time_widening = 1;   ///< of its time's, by builds (builds.hpp)
  bool draws_builds = false;  ///< whether its process runs are of builds that stand for others
};

/// One cell's contenders, by name.
struct CellSamples {
  Cell cell;
  std::map<std::string, ContenderSamples> contenders;
  std::set<std::string> left;  ///< methods that left a race after its first stage
  bool raced = false;          ///< whether there is a second stage

  /// The first contender of this role, or nullptr.
  const ContenderSamples* find(ContenderRole role) const;
};

/// In the order of the cells' names, whatever the order of the samples.
///
/// Of a race (see Protocol::final_from) those who stayed keep the samples of its first stage. That they stayed was
/// decided by these too; for a number of process runs fixed beforehand, to stay and to miss is rarer than to miss
/// (coverage_test.cpp). How many the second stage has depends on the first one through the number of leavers alone.
std::vector<CellSamples> sort_into_cells(const std::vector<Sample>& samples, const Protocol& protocol = {});

/// Which rounds a comparison uses. Flagged are those in which either sample was disturbed; see Sample::flagged().
enum class Rounds { all, unflagged };

/// The log ratios of a contender's times to another's, round by round: to the mean of the reference's and its twin's,
/// because each of the two alone adds its own noise to the ratios of all methods of a round. The twin's own are to the
/// reference's alone.
ProcessRuns log_ratios(const ContenderSamples& contender, const ContenderSamples& reference,
                       Rounds rounds = Rounds::all);

/// One number per process run of a contender's rounds: the pseudo-values of their trimmed mean. Where process runs draw
/// builds the trimmed mean of its own rounds, because trimming over all would leave out whole builds.
ByProcessRun numbers_of(const ContenderSamples& contender, const ProcessRuns& rounds);

/// One log ratio per process run, so that Student's t holds for their mean; precondition: there are rounds.
ByProcessRun compared(const ContenderSamples& contender, const ContenderSamples& reference,
                      Rounds rounds = Rounds::all);

/// Which build each process run drew: Sample::placement.
BuildByProcessRun builds_of(const ContenderSamples& contender);

/// The logarithms of a contender's nanoseconds per query, round by round.
ProcessRuns log_times(const ContenderSamples& contender);

/// Several contenders' numbers of the process runs that all of them have: a row per contender, a column per process
/// run.
std::vector<std::vector<double>> common_process_runs(const std::vector<ByProcessRun>& contenders);

}  // namespace slidebench
