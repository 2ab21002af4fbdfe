// SPDX-License-Identifier: MIT
//
// How a share of time and an interval are said in words.
#pragma once

#include <string>

#include "harness/statistics/statistics.hpp"

namespace slidebench {

/// A share of time, without its sign: "16 %", "3.4 %".
std::string percent(double share);

/// A change with its sign, in two or three digits: "-23", "-5.5", "+0.4".
std::string signed_points(double share);

/// "0.945 [0.936, 0.954]".
std::string ratio_text(const Estimate& e);

/// What a ratio changes, with its interval where it has one: "-5.5 % [-6.4, -4.6]".
std::string change_of(const Estimate& ratio);

/// What an interval of a ratio says of the time saved, the nearer end first:
/// "16 % to 20 % less", or "0.3 % more to 3.4 % less".
std::string span_of(const Estimate& ratio);

}  // namespace slidebench
