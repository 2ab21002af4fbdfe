// SPDX-License-Identifier: MIT
//
// A command line given as one text.
#pragma once

#include <string>
#include <vector>

namespace slidebench::duel {

/// Splits a command as a shell does: quotes, backslashes, ~ and $NAME; commands inside it are not carried out.
/// @throws UserError  for nothing at all, an open quote, or what only a shell could do (; | & < >)
std::vector<std::string> command_words(const std::string& command);

}  // namespace slidebench::duel
