// SPDX-License-Identifier: MIT
//
// What a run starts with: its folder, and its traces.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/timing/launch.hpp"

namespace slidebench {

/// A trace of the run and what run.json says of it.
struct RunTrace {
  NamedTrace named;
  nlohmann::json description;
  bool is_random = false;
  bool has_sliders = true;  ///< what the set-wise workload asks about
};

/// Which traces a command line asks for.
struct TraceChoice {
  std::vector<std::string> paths;
  bool random = true;  ///< also a random trace, as the contrast
  std::uint64_t seed = 1;
};

/// Makes the output folder; one in which `marker`, the run's main file, exists already is left alone: UserError.
void prepare_folder(const std::filesystem::path& out, const std::string& marker);

/// Opens and names the traces; builds the random one in the folder `out`. Throws UserError if there is none.
std::vector<RunTrace> open_traces(const TraceChoice& choice, const std::filesystem::path& out);

}  // namespace slidebench
