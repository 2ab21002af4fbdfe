// SPDX-License-Identifier: MIT
//
// What UCI engines say, read line by line. Pure functions: an engine may say anything, and none of them fails.
// Source: R. Huber and S. Meyer-Kahlen, Description of the Universal Chess Interface, 2006.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slidebench::duel {

/// The words of a line, blanks between them.
std::vector<std::string_view> words_of(std::string_view line);

/// An option that an engine offers.
struct UciOption {
  std::string name;
  std::string type;  ///< spin, check, combo, string, button
  std::optional<std::int64_t> min;
  std::optional<std::int64_t> max;
  std::vector<std::string> choices;  ///< of a combo
};

/// Reads "option name Hash type spin default 16 min 1 max 1024". Nothing if the line is none.
std::optional<UciOption> parse_option(std::string_view line);

/// Whether two option names are one: UCI does not tell upper from lower case.
bool same_option(std::string_view a, std::string_view b);

/// Why an option does not take a value, such as "is from 1 to 1024"; empty if it does.
std::string refusal(const UciOption& option, const std::string& value);

/// What an engine has said of a search so far.
struct SearchReport {
  std::optional<std::uint64_t> nodes;  ///< the last count
  unsigned depth = 0;
  std::string score;  ///< "cp 31" or "mate -4", the last exact one
  /// FNV-1a over depth, score and nodes of every exact score: the course of the search, but none of its times.
  std::uint64_t course = 0xCBF29CE484222325;
};

/// Adds a line. Lines other than "info ...", and what is unknown or malformed in one, are left aside.
void add_info(std::string_view line, SearchReport& report);

/// The move of "bestmove e2e4 ponder e7e5"; empty for a bare "bestmove", nothing for any other line.
std::optional<std::string> parse_best_move(std::string_view line);

/// Whether a line complains about an option: UCI has no such message, but engines have ("No such option: Foo").
bool complains_of_option(std::string_view line);

/// Folds bytes into a hash. Source: G. Fowler, L. Noll and P. Vo, FNV-1a, 1991.
std::uint64_t fold(std::uint64_t hash, std::string_view bytes);

}  // namespace slidebench::duel
