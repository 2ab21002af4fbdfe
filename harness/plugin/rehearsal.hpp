// SPDX-License-Identifier: MIT
//
// A module from outside runs code as soon as it is loaded. So it is loaded into another process first: one that
// crashes, hangs, ends its process or changes it in a way that no method may is refused there, and never loaded here.
#pragma once

#include <filesystem>
#include <vector>

namespace slidebench {

/// Loads modules one after the other, and ends, in another process. Throws UserError with the path and what went wrong;
/// load_limit() says when that is a hang.
void rehearse_loading(const std::vector<std::filesystem::path>& modules);

/// The other process: reads the paths from standard input, and writes what it found to standard output.
void serve_rehearsal();

}  // namespace slidebench
