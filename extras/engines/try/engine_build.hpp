// SPDX-License-Identifier: MIT
//
// An engine's own build command, run with a linker in front of its own that links several placements: the same objects,
// their sections shuffled by lld. Nothing of the build is parsed; where that cannot be done there is the one build.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

namespace slidebench {

struct EngineBuild {
  std::vector<std::string> command;  ///< what builds the engine
  std::filesystem::path program;     ///< what it makes
  std::filesystem::path out;         ///< a folder for logs, linkers and builds
  unsigned placements = 4;           ///< wanted
};

/// Builds the engine, and keeps its placements as OUT/builds/NAME/1, 2, ...; those that are there already are kept.
/// Where the build cannot be shuffled there is 1 alone.
/// @throws UserError  the command fails, hangs, or leaves no program; the folder is not made then
/// @throws duel::Interrupted
std::vector<std::filesystem::path> build_engine(const EngineBuild& build, const std::string& name,
                                                const std::atomic<bool>& stop);

}  // namespace slidebench
