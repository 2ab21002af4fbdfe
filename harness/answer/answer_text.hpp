// SPDX-License-Identifier: MIT
//
// A run's answer for people, some twenty lines: the processor, the checks, the answer, a table of well-known methods.
#pragma once

#include <string>

#include "harness/answer/answer.hpp"
#include "harness/answer/run_folder.hpp"
#include "harness/base/terminal.hpp"

namespace slidebench {

/// What is asked of an answer.
struct AnswerOptions {
  std::string reference = {};  ///< what the methods are compared with
  std::string own = {};        ///< the id of the verdict line that is the user's; empty: the first that there is
  bool details = false;        ///< a line for each situation too
};

/// The verdict, a table, the checks, and what to type next. @param width  columns, for breaking long lines; 0 breaks
/// none. Throws UserError for an `own` that the run has no line of.
std::string answer_text(const RunFolder& run, const AnswerOptions& asked, const Ink& ink, std::size_t width);

/// answer.json: the answer with the processor, the checks and whether the run came to its end.
nlohmann::json answer_json(const RunFolder& run, const std::string& reference);

}  // namespace slidebench
