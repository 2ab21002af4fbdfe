// SPDX-License-Identifier: MIT
//
// What a trial says: one sentence and one table.
#pragma once

#include <string>
#include <vector>

#include "harness/base/terminal.hpp"
#include "harness/statistics/summary.hpp"

namespace slidebench {

/// "In this engine pext is 4.7 % faster than your own [2.1, 7.4]; 4 others are tied with it. Change to pext.", then
/// nodes a second and difference of each method. Each interval is the one that the verdict rests on.
/// @param rows  against `own`, the fastest first
std::string try_text(const std::vector<SummaryRow>& rows, const Protocol& protocol, const Ink& ink, std::size_t width);

}  // namespace slidebench
