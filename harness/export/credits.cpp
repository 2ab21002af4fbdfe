// SPDX-License-Identifier: MIT
#include "harness/export/credits.hpp"

#include <sstream>
#include <stdexcept>

namespace slidebench {
namespace {

std::string_view text_at(std::string_view path) {
  const std::optional<std::string_view> text = source_text(path);
  if (!text) throw std::logic_error("no such source: " + std::string(path));
  return *text;
}

/// What the method's MethodInfo says of `key`: its tokens up to the comma, strings without quotation marks.
std::string described(const Declaration& info, const std::string& key) {
  for (std::size_t i = 0; i + 2 < info.tokens.size(); ++i) {
    if (info.tokens[i].text != "." || info.tokens[i + 1].text != key) continue;
    const std::string& value = info.tokens[i + 3].text;
    return value.front() == '"' ? value.substr(1, value.size() - 2) : value;
  }
  throw std::logic_error("a method without " + key);
}

/// The first paragraph of the header's opening comment, and its first figure: the paragraph that is indented.
std::string idea(std::string_view header) {
  std::istringstream lines{std::string(text_at(header))};
  std::string text;
  std::string paragraph;
  unsigned paragraphs = 0;
  bool figure = false;
  for (std::string line; std::getline(lines, line) && line.starts_with("//");) {
    if (line.find("SPDX") != std::string::npos) continue;
    if (line != "//") {
      figure = figure || line.starts_with("//   ");
      paragraph += line + "\n";
      continue;
    }
    if (paragraph.empty()) continue;
    if (paragraphs == 0 || figure) text += paragraph;
    if (figure) break;
    paragraph.clear();
    ++paragraphs;
  }
  return text;
}

}  // namespace

const Declaration& info_of(const FrontEndResult& read, std::string_view type) {
  for (const auto& declaration : read.declarations) {
    if (declaration->name != type) continue;
    for (const auto& member : declaration->members) {
      if (member->name == "info") return *member;
    }
  }
  throw std::logic_error("no description of " + std::string(type));
}

/// On one line where that fits.
static std::string origin(const std::string& inventor, const std::string& source) {
  const std::string first = "// Inventor: " + inventor + ".", second = "Source: " + source + "\n";
  return first + (first.size() + second.size() <= 120 ? " " : "\n// ") + second;
}

std::string credits(const MethodSource& method, const ExportOptions& options, const Declaration& info) {
  const auto say = [&info](const char* key) { return described(info, key); };
  std::istringstream licence{std::string(text_at("LICENSE"))};
  std::string copyright;
  while (copyright.find("Copyright") == std::string::npos && std::getline(licence, copyright)) {
  }
  const bool a1 = options.mapping == SquareMapping::a1;
  std::ostringstream out;
  out << "// SPDX-License-Identifier: MIT\n// " << copyright << "\n//\n"
      << idea(method.header) << "//\n"
      << origin(say("inventor") + ", " + say("year"), say("reference")) << "// Written by `slidebench export "
      << method.id << "`. Square 0 is " << (a1 ? "a1, 1 b1, 63 h8" : "a8, 1 b8, 63 h1") << ".";
  if (!a1)
    out << " A board upside down has the same lines:\n// where comments say rank 1 or north, read rank 8 or south.";
  return out.str();
}

}  // namespace slidebench
