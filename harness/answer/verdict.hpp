// SPDX-License-Identifier: MIT
//
// The verdict of a run: whether an engine gains by another look-up, in sentences that the data make.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/answer/answer.hpp"

namespace slidebench {

/// What is said of one kind of engine.
struct VerdictLine {
  std::string id;         ///< "network", "classical", "perft" or "loop"
  std::string situation;  ///< of the answer, by its id
  std::string title;      ///< "In a search with a network of 1,024"
  std::string text;       ///< "nothing to gain (at most 2.6 %): keep magic_fancy (8 methods compared)"
  std::string method;     ///< that is shown to be faster than the reference; else empty
};

/// The ids of verdict lines, in their order.
std::vector<std::string> verdict_ids();

/// A line for each kind of engine that the run measured: the search with the widest network, that without one, perft,
/// and the bare loop. Where no search was measured its replay speaks, whose title says so.
std::vector<VerdictLine> verdict_of(const Answer& answer);

/// The id of the line that is the user's, and what it says decides from here on: `wanted`, or where that is empty the
/// first line that there is. Empty without any. Throws UserError where the run has no such line.
std::string own_line(Answer& answer, const std::string& wanted);

/// Where replay and search measured the same methods and their ratios lie on different sides of 1: a sentence for each
/// network. Empty where they agree.
std::vector<std::string> disagreements(const Answer& answer);

void to_json(nlohmann::json& json, const VerdictLine& line);

}  // namespace slidebench
