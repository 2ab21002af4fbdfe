// SPDX-License-Identifier: MIT
//
// What this program was built from. The values come from the build (version.cpp.in).
#pragma once

namespace slidebench {

const char* project_version();
const char* git_commit();     ///< empty outside a git checkout
bool git_dirty();             ///< there were uncommitted changes
const char* compiler_name();  ///< name and version
const char* build_type();
const char* library_versions();  ///< JSON text: {"google_benchmark": "1.7.1", ...}; PAPI's only where it was built in

}  // namespace slidebench
