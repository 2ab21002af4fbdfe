// SPDX-License-Identifier: MIT
#include "harness/export/layout.hpp"

#include <algorithm>
#include <sstream>

namespace slidebench {
namespace {

constexpr std::size_t width = 120;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string without_indentation(const std::string& line) {
  const std::size_t first = line.find_first_not_of(' ');
  return first == std::string::npos ? "" : line.substr(first);
}

bool is_comment(const std::string& line) { return without_indentation(line).starts_with("//"); }

/// Whether a statement goes on in the next line.
bool is_open(const std::string& line) {
  const std::string text = without_indentation(line);
  if (text.empty() || text.starts_with("#") || text.starts_with("0x") || text.starts_with("template <") ||
      text.find("//") != std::string::npos)
    return false;
  return text.back() != ';' && text.back() != '{' && text.back() != '}' && text.back() != ':';
}

/// Statements of several lines on one where that fits.
std::vector<std::string> with_whole_statements(const std::vector<std::string>& lines) {
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string all = lines[i];
    std::size_t last = i;
    while (last + 1 < lines.size() && is_open(lines[last])) {
      const std::string next = without_indentation(lines[++last]);
      const bool tight = all.back() == '(' || next.front() == ')';
      all += (tight ? "" : " ") + next;
    }
    if (last > i && !is_open(lines[last]) && all.size() <= width && all.find("//") == std::string::npos) {
      kept.push_back(all);
      i = last;
    } else {
      kept.push_back(lines[i]);
    }
  }
  return kept;
}

/// On one line, with its comment above; as it is where that does not fit or would hide something.
std::vector<std::string> on_one_line(const std::vector<std::string>& lines) {
  std::vector<std::string> kept;
  std::size_t first = 0;
  const auto stays = [](const std::string& line) { return is_comment(line) || line.starts_with("template <"); };
  while (first < lines.size() && stays(lines[first])) kept.push_back(lines[first++]);
  std::string all;
  unsigned statements = 0;
  for (std::size_t i = first; i < lines.size(); ++i) {
    const std::string line = without_indentation(lines[i]);
    if (line.find("//") != std::string::npos || line.starts_with("#") || line.empty()) return lines;
    all += (i == first ? "" : " ") + line;
    statements += static_cast<unsigned>(std::count(line.begin(), line.end(), ';'));
  }
  const bool is_struct = all.starts_with("struct ") && all.find('(', all.find('{')) == std::string::npos;
  if (all.size() > width || (statements > 1 && !is_struct)) return lines;
  if (kept.size() == 1 && is_comment(kept[0]) && all.size() + kept[0].size() + 3 <= width) {
    const std::string comment = kept[0].substr(kept[0].find_first_not_of("/ "));
    return {all + "  ///< " + comment};
  }
  kept.push_back(all);
  return kept;
}

bool is_number_row(const std::string& line) {
  return line.starts_with("    0x") && line.find_first_not_of(" 0123456789ABCDEFx,") == std::string::npos;
}

/// Rows of numbers are filled up, without leading zeros.
std::vector<std::string> filled(const std::vector<std::string>& lines) {
  std::vector<std::string> kept;
  std::string row;
  const auto end_row = [&] {
    if (!row.empty()) kept.push_back(row);
    row.clear();
  };
  for (const std::string& line : lines) {
    if (line.find("clang-format") != std::string::npos) continue;
    if (!is_number_row(line)) {
      end_row();
      kept.push_back(line);
      continue;
    }
    std::istringstream numbers(line);
    for (std::string number; numbers >> number;) {
      const std::size_t first = std::min(number.find_first_not_of('0', 2), number.size() - 2);
      const std::string short_number = "0x" + number.substr(first);
      if (row.size() + 1 + short_number.size() > width) end_row();
      row += (row.empty() ? "  " : " ") + short_number;
    }
  }
  end_row();
  return kept;
}

/// The last blank at which a line may be broken, outside of brackets where possible.
std::size_t break_of(const std::string& line) {
  std::size_t best = std::string::npos;
  int best_depth = 1000;
  int depth = 0;
  for (std::size_t i = 0; i < std::min(line.size(), width); ++i) {
    if (line[i] == '(' || line[i] == '{' || line[i] == '[') ++depth;
    if (line[i] == ')' || line[i] == '}' || line[i] == ']') --depth;
    const bool after = i > 0 && (line[i - 1] == ',' || line[i - 1] == '|' || line[i - 1] == '&' || line[i - 1] == '=' ||
                                 line[i - 1] == '?' || line[i - 1] == ';' || line[i - 1] == '^' || line[i - 1] == '{');
    if (line[i] == ' ' && after && (depth <= best_depth || i < 60)) {
      best = i;
      best_depth = depth;
    }
  }
  return best;
}

void append_broken(std::vector<std::string>& lines, std::string line) {
  const std::size_t indentation = line.find_first_not_of(' ');
  while (line.size() > width) {
    const std::size_t at = break_of(line);
    if (at == std::string::npos || at <= indentation + 4) break;
    lines.push_back(line.substr(0, at));
    line = std::string(indentation + 4, ' ') + line.substr(at + 1);
  }
  lines.push_back(line);
}

}  // namespace

/// "const Bitboard " of "  const Bitboard o = occupied & line;" with its indentation; empty for other lines.
std::string constant_type(const std::string& line) {
  const std::size_t type = line.find_first_not_of(' ');
  if (type == std::string::npos || line.compare(type, 6, "const ") != 0 || line.back() != ';') return "";
  const std::size_t name = line.find(' ', type + 6);
  const std::size_t equals = line.find(" = ");
  if (name == std::string::npos || equals == std::string::npos || line.find(' ', name + 1) != equals) return "";
  const char last = line[name - 1];
  return last == '*' || last == '&' ? "" : line.substr(0, name + 1);
}

/// Constants of one type in a row share a line where they fit.
void append_constant(std::vector<std::string>& lines, const std::string& line) {
  const std::string type = constant_type(line);
  const bool same = !type.empty() && !lines.empty() && constant_type(lines.back()) == type;
  const std::size_t length = line.size() - type.size() + 1;
  if (same && lines.back().size() + length <= width) {
    lines.back().back() = ',';
    lines.back() += " " + line.substr(type.size());
  } else {
    lines.push_back(line);
  }
}

std::string laid_out(const std::string& declaration) {
  std::vector<std::string> lines;
  std::vector<std::string> joined;
  for (const std::string& line : on_one_line(with_whole_statements(filled(lines_of(declaration)))))
    append_constant(joined, line);
  for (const std::string& line : joined) append_broken(lines, line);
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

bool is_long(const std::string& declaration) {
  const std::size_t code = declaration.starts_with("//") ? declaration.find('\n') + 1 : 0;
  return declaration.find('\n', code) + 1 < declaration.size();
}

std::string joined(const std::vector<std::string>& declarations) {
  std::string text;
  bool was_long = false;
  for (const std::string& declaration : declarations) {
    const bool now_long = is_long(declaration);
    if (!text.empty() && (now_long || was_long)) text += "\n";
    text += declaration;
    was_long = now_long;
  }
  return text;
}

}  // namespace slidebench
