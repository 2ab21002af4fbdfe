// SPDX-License-Identifier: MIT
#include "harness/base/text_table.hpp"

#include <algorithm>

namespace slidebench {

std::size_t shown_width(const std::string& text) {
  std::size_t width = 0;
  bool escape = false;
  for (const char c : text) {
    if (c == '\033') escape = true;
    const bool continues = (static_cast<unsigned char>(c) & 0xc0u) == 0x80;
    if (!escape && !continues) ++width;
    if (c == 'm') escape = false;
  }
  return width;
}

std::vector<std::string> TextTable::lines() const {
  std::vector<std::size_t> widths(sides.size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], shown_width(row[i]));
  }
  std::vector<std::string> lines;
  for (const auto& row : rows) {
    std::string& line = lines.emplace_back(indent, ' ');
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string blanks(widths[i] - shown_width(row[i]), ' ');
      const bool last = i + 1 == row.size();
      line += sides[i] == 'r' ? blanks + row[i] : last ? row[i] : row[i] + blanks;
      if (!last) line.append(gap, ' ');
    }
  }
  return lines;
}

std::string TextTable::text() const {
  std::string text;
  for (const std::string& line : lines()) text += line + "\n";
  return text;
}

}  // namespace slidebench
