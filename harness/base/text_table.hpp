// SPDX-License-Identifier: MIT
//
// A table on a terminal: each column as wide as its widest cell.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace slidebench {

struct TextTable {
  std::string sides;                                ///< a letter a column: l for cells at the left, r at the right
  std::size_t indent = 0;                           ///< blanks before each line
  std::size_t gap = 2;                              ///< blanks between two columns
  std::vector<std::vector<std::string>> rows = {};  ///< the headings first; cells may be coloured

  /// Its lines, without ends. What stands at the left of the last column is not padded.
  std::vector<std::string> lines() const;
  std::string text() const;
};

/// Columns that a text takes: escape sequences of colours take none, a character of UTF-8 takes one.
std::size_t shown_width(const std::string& text);

}  // namespace slidebench
