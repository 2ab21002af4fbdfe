// SPDX-License-Identifier: MIT
//
// Whether a module's store is right, on random boards and on legal ones: its answers against the ray walk's, the
// threats of each move against the difference of all threats, what unmake leaves against what was there
// (harness/chess/store_check.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/plugin/loader.hpp"
#include "harness/plugin/verification.hpp"
#include "harness/trace/reader.hpp"

namespace slidebench {

struct StoreVerdict {
  std::uint64_t answers = 0;  ///< boards on which all answers were compared
  std::optional<std::string> failure;
};

/// Checks an initialised plugin: a store thoroughly, a method's ask-anew in passing. Not for the empty loop.
StoreVerdict verify_store(const Plugin& plugin, const VerificationOptions& options);

/// The same along every node of a trace. Precondition: it tells the pieces.
StoreVerdict verify_store(const Plugin& plugin, const Trace& trace);

}  // namespace slidebench
