// SPDX-License-Identifier: MIT
//
// What a duel says: a sentence an engine, what to do, and one table of nodes a second.
#pragma once

#include <string>

#include "harness/answer/views.hpp"
#include "harness/base/terminal.hpp"

namespace slidebench {

std::string duel_text(const RunViews& run, const std::string& reference, const Ink& ink, std::size_t width);

}  // namespace slidebench
