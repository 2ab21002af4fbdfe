// SPDX-License-Identifier: MIT
//
// A module from outside runs code as soon as it is loaded. So it is loaded into a process of its own first: one that
// crashes, hangs, ends its process or changes it in a way that no method may is refused there, and never loaded here.
#pragma once

#include <filesystem>

namespace slidebench {

/// Loads a module, and ends, in a process of its own. Throws UserError with the path and what went wrong; load_limit()
/// says when that is a hang.
void rehearse_loading(const std::filesystem::path& module);

/// The other process: reads the path from standard input, and writes what it found to standard output.
void serve_rehearsal();

}  // namespace slidebench
