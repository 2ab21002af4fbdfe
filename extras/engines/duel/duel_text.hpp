// SPDX-License-Identifier: MIT
//
// What a duel says: a sentence an engine, what to do, and one table of nodes a second.
#pragma once

#include <string>

#include "harness/answer/run_folder.hpp"
#include "harness/base/terminal.hpp"

namespace slidebench {

/// Nodes a second over those of the reference, with the interval that the verdict of a row rests on, where it has one.
/// Precondition: there is a ratio.
Estimate speed_of(const SummaryRow& row);

/// The interval of a speed, as changes: " [+2.6, +9.1]".
std::string points_text(const Estimate& speed);

/// "3,168,545" of ns a node; empty where that cannot be.
std::string nodes_a_second(double ns);

std::string duel_text(const RunFolder& run, const std::string& reference, const Ink& ink, std::size_t width);

/// What a finished duel or trial says, for standard output.
std::string told(const RunFolder& run, const std::string& reference);

}  // namespace slidebench
