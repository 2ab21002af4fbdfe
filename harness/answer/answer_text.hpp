// SPDX-License-Identifier: MIT
//
// A run's answer for people, some twenty lines: the processor, the checks, the answer, a table of well-known methods.
#pragma once

#include <string>

#include "harness/answer/answer.hpp"
#include "harness/answer/views.hpp"
#include "harness/base/terminal.hpp"

namespace slidebench {

/// @param width  columns, for breaking long lines; 0 breaks none
std::string answer_text(const RunViews& run, const std::string& reference, const Ink& ink, std::size_t width);

/// answer.json: the answer with the processor, the checks and whether the run came to its end; and, as `against`, that
/// against each other reference of RunViews::references().
nlohmann::json answer_json(const RunViews& run, const std::string& reference);

}  // namespace slidebench
