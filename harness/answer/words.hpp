// SPDX-License-Identifier: MIT
//
// How a share of time and an interval are said in words.
#pragma once

#include <string>

#include "harness/statistics/statistics.hpp"

namespace slidebench {

/// A share of time, without its sign: "16 %", "3.4 %".
std::string percent(double share);

/// What an interval of a ratio says of the time saved, the nearer end first:
/// "16 % to 20 % less", or "0.3 % more to 3.4 % less".
std::string span_of(const Estimate& ratio);

}  // namespace slidebench
