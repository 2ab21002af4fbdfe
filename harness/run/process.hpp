// SPDX-License-Identifier: MIT
//
// Both ends of the pipe between a run and a measuring process: the run starts one for each process run and gives it the
// plan, the process measures and tells what it found, line by line.
//
//   to the process    the plan, as JSON
//   from the process  sample ROW          a row of samples.csv
//                     count JSON          an event count
//                     pages JSON          where a contender's tables lie
//                     failed STATUS TEXT  what ends the run: a wrong answer (1), bad input (2)
//                     done                all rounds were measured; without it the process run does not count
#pragma once

#include <atomic>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/base/sha256.hpp"
#include "harness/engine/fen.hpp"
#include "harness/measure/process_run.hpp"

namespace slidebench {

/// What a process run left behind beside its samples.
struct ProcessRunRecord {
  unsigned process_run = 0;
  double seconds = 0;
  std::vector<EventCount> counts;
  std::vector<PageReport> pages;
  std::string missing = {};  ///< why it was given up, "killed by signal 9"; empty: it was measured
  TurnCounts turns = {};
  std::size_t samples = 0;  ///< rows of samples.csv
  std::string sha256 = {};  ///< of these rows: a run that goes on knows them again
};

/// The rows of a process run as they are written into samples.csv, for its record.
class RowDigest {
 public:
  void add(const std::string& row);
  void close(ProcessRunRecord& record);

 private:
  std::size_t rows_ = 0;
  Sha256 digest_;
};

// In plans and in run.json a position is its FEN.
namespace engine {
inline void to_json(nlohmann::json& to, const PositionState& position) { to = to_fen(position); }
inline void from_json(const nlohmann::json& from, PositionState& position) {
  position = parse_fen(from.get<std::string>());
}
}  // namespace engine
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(EngineSettings, positions, nodes, hash_mib)

/// As in the pipe, in the journal and in run.json.
void to_json(nlohmann::json& to, const PageReport& report);

nlohmann::json to_json(const ProcessRunRecord& record);
/// The way back. Throws UserError, with `what` before the place, for what is none.
ProcessRunRecord read_process_run_record(const std::string& text, const std::string& what);

/// Measures in a process of its own: fresh addresses, and an environment of another size, because both move the stack
/// and the tables, and moving them alone changes times. Co-runners run beside it. `on_sample` gets each sample and its
/// row of samples.csv. A process that dies, hangs or ends early is not an error: the record says that it is missing.
/// Throws CheckFailed or UserError for what the process says has failed.
/// @param limit_seconds  after which the process is killed
ProcessRunRecord run_process(const ProcessRunPlan& plan, double limit_seconds,
                             const std::function<void(const Sample&, const std::string& row)>& on_sample,
                             const std::atomic<bool>& stop);

/// The measuring process: reads a plan from standard input, and prints what it finds.
void serve_process();

}  // namespace slidebench
