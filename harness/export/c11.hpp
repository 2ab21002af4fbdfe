// SPDX-License-Identifier: MIT
//
// Exports in C. The queries of a method are C++ with templates, overloads and constants that functions compute, so that
// C has a text of its own for the methods of harness/export/c11; the factors are those of the C++ headers. Tables are
// built by an init function.
#pragma once

#include <string>

#include "harness/export/front_end.hpp"
#include "harness/export/options.hpp"

namespace slidebench {

/// The header in C11. Throws UserError if there is none for the method.
std::string in_c11(const MethodSource& method, const ExportOptions& options);

}  // namespace slidebench
