// SPDX-License-Identifier: MIT
#include "harness/export/credits.hpp"

#include <sstream>
#include <stdexcept>

namespace slidebench {
namespace {

std::string_view text_of(std::string_view path) {
  const std::optional<std::string_view> text = source_text(path);
  if (!text) throw std::logic_error("no such source: " + std::string(path));
  return *text;
}

/// What the method's MethodInfo says of `key`, without quotation marks.
std::string described(std::string_view text, const std::string& key) {
  const std::string start = "." + key + " = ";
  const std::size_t at = text.find(start);
  if (at == std::string_view::npos) throw std::logic_error("a method without " + key);
  const std::size_t first = at + start.size();
  if (text[first] != '"') return std::string(text.substr(first, text.find(',', first) - first));
  return std::string(text.substr(first + 1, text.find('"', first + 1) - first - 1));
}

constexpr const char* squares_a1 =
    "// Squares: a1 is 0, b1 is 1, and so on to h8, 63; bit s of a bitboard is square s.\n";

constexpr const char* squares_a8 =
    "// Squares: a8 is 0, b8 is 1, and so on to h1, 63; bit s of a bitboard is square s. A board turned upside down "
    "has\n"
    "// the same lines, so the code is that of a1 = 0; where comments say rank 1 or north, read rank 8 or south.\n";

}  // namespace

std::string credits(const MethodSource& method, const ExportOptions& options) {
  const std::string_view text = text_of(method.header);
  const auto say = [text](const char* key) { return described(text, key); };
  std::ostringstream out;
  out << "// Attacks of sliding pieces: " << say("title") << ".\n//\n"
      << "// Inventor: " << say("inventor") << ", " << say("year") << ".\n"
      << "// Source:   " << say("reference") << "\n"
      << "// Code:     slidebench, `slidebench export " << method.id
      << "`. Files that the comments name are to be found there.\n//\n"
      << (options.mapping == SquareMapping::a8 ? squares_a8 : squares_a1);
  return out.str();
}

std::string licence() {
  std::istringstream lines{std::string(text_of("LICENSE"))};
  std::string text = "//\n";
  for (std::string line; std::getline(lines, line);) text += line.empty() ? "//\n" : "// " + line + "\n";
  return text + "\n";
}

}  // namespace slidebench
