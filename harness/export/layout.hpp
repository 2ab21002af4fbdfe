// SPDX-License-Identifier: MIT
//
// Lines of code: what fits on one line stands on one, and no line is longer than it may be.
#pragma once

#include <string>
#include <vector>

namespace slidebench {

/// A declaration in lines: a function of one statement or a struct without comments on one line where that fits.
std::string laid_out(const std::string& declaration);

/// Whether a declaration in lines has several below its comment.
bool is_long(const std::string& declaration);

/// Declarations below each other, with an empty line around those that have several lines or a comment.
std::string joined(const std::vector<std::string>& declarations);

}  // namespace slidebench
