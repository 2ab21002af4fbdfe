// SPDX-License-Identifier: MIT
//
// The functions of an export that its method has not itself: queries derived from others, and calls of what stands in a
// struct.
#pragma once

#include <string>
#include <vector>

#include "harness/export/options.hpp"
#include "harness/export/selection.hpp"

namespace slidebench {

/// One definition each, in the order in which they may call each other.
std::vector<std::string> interface_of(const Selection& selection, const ExportOptions& options);

}  // namespace slidebench
