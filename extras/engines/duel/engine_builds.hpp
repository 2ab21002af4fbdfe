// SPDX-License-Identifier: MIT
//
// What takes part in a duel, as the user names it: a command, or several builds of one source.
#pragma once

#include <string>
#include <vector>

#include "extras/engines/duel/uci_engine.hpp"

namespace slidebench::duel {

/// Splits a command as a shell does: quotes, backslashes, ~ and $NAME; commands inside it are not carried out.
/// @throws UserError  for nothing at all, an open quote, or what only a shell could do (; | & < >)
std::vector<std::string> command_words(const std::string& command);

/// Reads "COMMAND", or "NAME=COMMAND", which says what to call it. The program may be a pattern that several files
/// match, as in "old=build/old/*": they are builds of one source, in the order of their names.
/// @throws UserError  for what command_words() refuses, a pattern that matches nothing or what is no program, and
///                    builds that are the same file twice
EngineSpec read_engine(const std::string& text);

/// SHA-256 of a file, in hexadecimal; empty if it cannot be read.
std::string file_digest(const std::string& path);

/// What a duel has to know of an engine before it begins.
struct Rehearsal {
  std::string name;                  ///< as it calls itself; empty if it does not
  std::string author;                ///< the same
  std::vector<std::string> digests;  ///< of what runs, build by build: of a script its interpreter
  std::vector<std::string> lacks;    ///< of the options Hash and Threads
  double seconds = 0;                ///< of a search
};

/// Lets every build of an engine search a position once.
/// @throws UserError  for one that cannot take part, and for builds that do not search the same tree, although each of
///                    them does so every time: they are of different sources
Rehearsal rehearse(const EngineSpec& spec, const Conditions& conditions, const engine::PositionState& position,
                   const std::atomic<bool>& stop);

}  // namespace slidebench::duel
