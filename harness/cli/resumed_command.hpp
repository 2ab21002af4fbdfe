// SPDX-License-Identifier: MIT
//
// A command that goes on with what it began: its words are read again from the journal.
#pragma once

#include <string>
#include <vector>

#include "harness/run/journal.hpp"

namespace CLI {
class App;
}

namespace slidebench {

/// Parses the words with which a run was begun, and goes to the folder where that was.
/// @param command  with the options of a fresh start
/// @param folder   as the user named it, for complaints
/// @throws UserError
void parse_as_begun(CLI::App& command, const RunJournal& journal, const std::string& folder);

/// Throws UserError if the command line has more than what may go with --resume: all else is as it was begun.
void check_only_resumes(const CLI::App& command);

}  // namespace slidebench
