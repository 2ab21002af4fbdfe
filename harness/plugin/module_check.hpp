// SPDX-License-Identifier: MIT
//
// Verification for a module, in a process of its own: a module that crashes ends that process, and has a name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/plugin/loader.hpp"
#include "harness/plugin/verification.hpp"

namespace slidebench {

struct ModuleVerdict {
  std::uint64_t answers = 0;           ///< of queries, compared
  std::uint64_t nodes = 0;             ///< of the module's engine, compared
  std::optional<std::string> failure;  ///< a counter-example, or how the module ended its process
};

/// Far more than any method needs, even on a slow machine under a sanitizer, seconds.
inline constexpr double usual_check_limit = 600;

/// Loads the module, initialises it, and asks its queries and its engine; a module that does not answer in time is
/// ended. Precondition: this CPU can run it. Throws UserError if no process can be started.
ModuleVerdict check_module(const Plugin& plugin, const VerificationOptions& options,
                           double limit_seconds = usual_check_limit);

/// The other process: reads what to check from standard input, and writes the verdict to standard output.
void serve_module_check();

}  // namespace slidebench
