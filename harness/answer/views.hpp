// SPDX-License-Identifier: MIT
//
// A run, and those inside an engine that lie in its folder, seen from any reference.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/answer/answer.hpp"
#include "harness/answer/keep_or_ask.hpp"
#include "harness/answer/run_folder.hpp"

namespace slidebench {

class RunViews {
 public:
  /// @param inside  by the folder's name within the run's
  explicit RunViews(RunFolder own, std::map<std::string, RunFolder> inside = {});

  /// A folder with the runs in its folders. @param more  runs elsewhere, whose perft and searches are answered too
  /// Throws UserError, as read_run_folder does.
  static RunViews read(const std::filesystem::path& folder, const std::vector<std::string>& more = {});

  const RunFolder& own() const { return own_; }

  /// What the run was to be compared with: that of its command, else what it measured beside the others.
  std::string usual_reference() const;

  /// What answer.json and the page have: the well-known methods and each that the usual answer names; of a duel all
  /// engines; the usual reference alone where process runs are missing.
  std::vector<std::string> references() const;

  /// The rows of the run's own folder against a reference. Throws UserError for one that was not measured.
  std::vector<SummaryRow> rows(const std::string& reference) const;

  /// Throws UserError for a reference that was not measured in the run's own folder.
  Answer answer(const std::string& reference) const;

  /// Where stores and methods were measured side by side, as the run itself compared them; those inside an engine last.
  std::vector<KeepOrAsk> keep_or_ask() const;

  /// references.csv.
  std::string references_csv() const;

 private:
  void check(const std::string& reference) const;

  RunFolder own_;
  std::map<std::string, RunFolder> inside_;
};

}  // namespace slidebench
