// SPDX-License-Identifier: MIT
//
// What to type after an answer: one command, ready to paste, with the minutes that it takes.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "harness/answer/answer.hpp"
#include "harness/answer/run_folder.hpp"

namespace slidebench {

struct NextStep {
  std::string command;
  unsigned minutes = 0;
  std::string why;  ///< what it would tell or give, as a part of a sentence

  /// "build/bench/slidebench run --resume reports/a --time 20m (20 minutes: would tell ...)".
  std::string text() const;
};

/// Measuring on, where the situation that decides is open and time would tell; the header of its method, where that is
/// significantly faster; else nothing.
std::optional<NextStep> next_step(const RunFolder& run, const Answer& answer);

/// By what factor an interval becomes narrower if a run of n process runs in so many seconds goes on for so many more;
/// greater than 1 where the sequence, which may be looked at, is wider still.
double narrowing(std::size_t process_runs, double seconds, double more_seconds, Inference now, Inference later);

/// A word as a shell takes it.
std::string shell_word(const std::string& word);

}  // namespace slidebench
