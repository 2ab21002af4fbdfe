// SPDX-License-Identifier: MIT
//
// A method as one header that needs nothing else, to be taken into an engine.
#pragma once

#include <string>

#include "harness/export/options.hpp"

namespace slidebench {

/// The header's text. Throws UserError, one line, for a method that there is not, one that is not to be had in C or at
/// that level, or a name that is no identifier.
std::string export_method(const std::string& id, const ExportOptions& options);

}  // namespace slidebench
