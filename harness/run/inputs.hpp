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

/// Which traces a command line asks for.
struct TraceChoice {
  std::vector<std::string> paths;
  bool random = true;      ///< also a random trace, as the contrast
  std::uint64_t seed = 1;  ///< of the random trace, which is the same in all runs unless a simulation asks for another
};

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

/// Opens and names the traces that were given. Throws UserError if there is none, and no random one either. Writes
/// nothing.
std::vector<RunTrace> open_traces(const TraceChoice& choice);

/// Builds the random trace in the folder `out` and appends it, if it was chosen.
void add_random_trace(const TraceChoice& choice, const std::filesystem::path& out, std::vector<RunTrace>& traces);

}  // namespace slidebench
