// SPDX-License-Identifier: MIT
//
// A run, and those inside an engine that lie in its folder, seen from any reference.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/answer/answer.hpp"
#include "harness/answer/run_folder.hpp"

namespace slidebench {

class RunViews {
 public:
  /// A run, and those that lie in its folder, or in `more` elsewhere. Throws UserError, as read_run_folder does.
  explicit RunViews(RunFolder own, const std::vector<std::string>& more = {});

  const RunFolder& own() const { return own_; }

  /// What the run was to be compared with: that of its command, else what it measured beside the others.
  std::string usual_reference() const;

  /// The rows of the run's own folder against a reference. Throws UserError for one that was not measured.
  std::vector<SummaryRow> rows(const std::string& reference) const;

  /// Throws UserError for a reference that was not measured in the run's own folder.
  Answer answer(const std::string& reference) const;

 private:
  void check(const std::string& reference) const;

  RunFolder own_;
  std::map<std::string, RunFolder> inside_;  ///< by the folder's name
};

}  // namespace slidebench
