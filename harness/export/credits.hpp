// SPDX-License-Identifier: MIT
//
// The top of an exported header: licence, whose idea it is and what it is, how to use it.
#pragma once

#include <string>

#include "harness/export/front_end.hpp"
#include "harness/export/options.hpp"

namespace slidebench {

/// The description of a method's struct, its member `info`. Precondition: the method was read.
const Declaration& info_of(const FrontEndResult& read, std::string_view type);

std::string credits(const MethodSource& method, const ExportOptions& options, const Declaration& info);

}  // namespace slidebench
