// SPDX-License-Identifier: MIT
//
// The top of an exported header: whose idea it is, what the squares are called, the licence.
#pragma once

#include <string>

#include "harness/export/exporter.hpp"

namespace slidebench {

/// Title, inventor, year and source as the method's own description says, and the squares' order.
std::string credits(const MethodSource& method, const ExportOptions& options);

/// The licence of the code, as comment lines with an empty one before and after.
std::string licence();

}  // namespace slidebench
