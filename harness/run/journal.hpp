// SPDX-License-Identifier: MIT
//
// The journal of a run that is not finished: what it is about, and which of its process runs are done. By it a run that
// was stopped or killed goes on where it was; it is removed when nothing is left to measure.
//
// DIR/unfinished.jsonl, a JSON object a line: first the identity, then one line per process run, written after the
// process run's samples.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/run/process.hpp"

namespace slidebench {

/// What a run is about. It can only be continued where everything but the start is the same.
struct RunIdentity {
  std::vector<std::string> command;  ///< as it was started
  std::string folder;                ///< from where: the paths in the command are relative to it
  std::string started;               ///< ISO 8601, UTC
  nlohmann::json build;              ///< commit, compiler, digests of the modules
  nlohmann::json machine;            ///< what stays the same of a machine
  nlohmann::json traces;             ///< digest by name
};

class RunJournal {
 public:
  /// Whether a folder holds one: its run can be continued.
  static bool is_in(const std::filesystem::path& out);

  /// Starts one for a new run, as the first file of its folder.
  RunJournal(const std::filesystem::path& out, RunIdentity identity);

  /// Reads that of a run to be continued. Throws UserError if the folder holds none: no run at all, a finished one, or
  /// one whose journal is damaged.
  static RunJournal open(const std::filesystem::path& out);

  const RunIdentity& identity() const { return identity_; }
  const std::vector<ProcessRunRecord>& process_runs() const { return process_runs_; }

  void append(ProcessRunRecord record);
  void remove();

  /// Throws UserError if the other identity's build, machine or traces differ, saying which.
  void check_same(const RunIdentity& now) const;

 private:
  RunJournal() = default;

  std::filesystem::path path_;
  RunIdentity identity_;
  std::vector<ProcessRunRecord> process_runs_;
};

/// The samples of the journal's process runs in DIR/samples.csv; those of a process run that was not finished are
/// dropped from the file. A file that is not there yet is begun. Throws UserError if the file is not what the journal
/// says.
std::vector<Sample> recover_samples(const std::filesystem::path& out, const RunJournal& journal);

}  // namespace slidebench
