// SPDX-License-Identifier: MIT
//
// What a run starts with: its folder, and its traces.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/base/posix_file.hpp"
#include "harness/measure/process_run.hpp"

namespace slidebench {

/// A trace of the run and what run.json says of it.
struct RunTrace {
  NamedTrace named;
  nlohmann::json description;
  bool is_random = false;
  bool has_sliders = true;  ///< what the workloads setwise and batch ask about
  bool has_pieces = true;   ///< and update, threats and keep
};

inline void to_json(nlohmann::json& to, const RunTrace& trace) { to = trace.description; }

/// Holds a folder for this process. It ends with the process, however that ends, and leaves nothing behind; a file
/// system without locks does without.
class FolderLock {
 public:
  /// @throws UserError  another process has it; a folder that is not there is nobody's
  explicit FolderLock(const std::filesystem::path& folder);

 private:
  FileHandle folder_;
};

/// Throws UserError if `out` is a file, or holds `marker`, a run's main file, already, or a run that is not finished.
/// Writes nothing.
void check_folder(const std::filesystem::path& out, const std::string& marker);

/// Makes the output folder and takes it; one in which `marker`, the run's main file, exists already is left alone:
/// UserError.
[[nodiscard]] FolderLock prepare_folder(const std::filesystem::path& out, const std::string& marker);

/// Opens and names the traces of these files. Throws UserError if there is none.
std::vector<RunTrace> open_traces(const std::vector<std::string>& paths);

}  // namespace slidebench
