// SPDX-License-Identifier: MIT
//
// The exporter of C++ and C is a program of its own, slidebench-export, beside this one: it brings libclang, which
// would make every start of slidebench slower, and it need not be built.
#pragma once

#include <string>

#include "harness/export/options.hpp"

namespace slidebench {

/// What slidebench-export writes for a method. Throws UserError, one line, with what it refuses, or where it is not
/// built.
std::string ask_exporter(const std::string& method, const ExportOptions& options);

}  // namespace slidebench
