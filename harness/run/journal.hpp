// SPDX-License-Identifier: MIT
//
// The journal of a run: what it is about, and which of its process runs are done. By it a run that was stopped or
// killed goes on where it was, and a finished one can be measured on until it is decided.
//
// DIR/unfinished.jsonl, a JSON object a line: first the identity, then one line per process run, written after the
// process run's samples; a line that says so where a finished run goes on; and one before the process runs of a part
// that was joined (joined_run.hpp). When nothing is left to measure the file becomes DIR/finished.jsonl.
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

/// Of a run that begins here and now, by this program on this machine, without modules and traces.
RunIdentity identity_here(const std::vector<std::string>& command);

class RunJournal {
 public:
  /// Whether a folder holds that of a run that is not finished.
  static bool is_in(const std::filesystem::path& out);

  /// Starts one for a new run, as the first file of its folder.
  RunJournal(const std::filesystem::path& out, RunIdentity identity);

  /// Reads that of a run to be continued by the command that began it: "run" or "duel". Throws UserError if the folder
  /// holds none: no run at all, another command's, one whose journal is damaged, or a finished one, unless it is to go
  /// on until decided.
  static RunJournal open(const std::filesystem::path& out, const std::string& command, bool until_decided = false);

  const RunIdentity& identity() const { return identity_; }
  const std::vector<ProcessRunRecord>& process_runs() const { return process_runs_; }

  /// Whether a run that had an end goes on until it is decided: its intervals are those of one that looks at itself.
  bool until_decided() const { return until_decided_; }

  /// What run.json says of the parts that were joined.
  const nlohmann::json& parts() const { return parts_; }

  /// Makes a finished run an unfinished one, which goes on; to be called when nothing can refuse that any more.
  void reopen();
  void append(ProcessRunRecord record);
  /// Appends the process runs of a part, to a finished run. @param origin  as parts() has it
  void add(const nlohmann::json& origin, std::vector<ProcessRunRecord> records);
  void finish();

  /// Of a run that has measured nothing: as if it had not begun.
  void abandon();

  /// Throws UserError if the other identity's build, machine or traces differ, saying which.
  void check_same(const RunIdentity& now) const;

 private:
  RunJournal() = default;

  std::filesystem::path path_;
  RunIdentity identity_;
  std::vector<ProcessRunRecord> process_runs_;
  bool until_decided_ = false;
  nlohmann::json parts_ = nlohmann::json::array();
};

/// The samples of the journal's process runs in DIR/samples.csv; those of a process run that was not finished are
/// dropped from the file. A file that is not there yet is begun. Throws UserError if the file is not what the journal
/// says.
std::vector<Sample> recover_samples(const std::filesystem::path& out, const RunJournal& journal);

}  // namespace slidebench
