// SPDX-License-Identifier: MIT
#include "harness/export/flatten.hpp"

namespace slidebench {
namespace {

class Flattening {
 public:
  explicit Flattening(const std::function<std::string_view(std::string_view)>& text_of) : text_of_(text_of) {}

  void append(std::string_view path) {
    if (!seen_.emplace(path).second) return;
    std::string own;
    for (std::string_view rest = text_of_(path); !rest.empty();) {
      const std::size_t end = rest.find('\n');
      const std::string_view line = rest.substr(0, end);
      rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
      if (!take_directive(line)) own.append(line) += '\n';
    }
    flat_.text += without_repeated_blanks(own) + '\n';
  }

  FlatHeader result() && { return std::move(flat_); }

 private:
  /// True for lines that do not belong to the text of their own: includes, the guard, the licence. A standard header
  /// that is included under a condition stays under it.
  bool take_directive(std::string_view line) {
    constexpr std::string_view project = "#include \"", standard = "#include <";
    if (line.starts_with("#if")) ++conditions_;
    if (line.starts_with("#endif")) --conditions_;
    if (conditions_ > 0 && line.starts_with(standard)) return false;
    if (line.starts_with(project)) {
      append(line.substr(project.size(), line.rfind('"') - project.size()));
    } else if (line.starts_with(standard)) {
      flat_.standard.emplace(line.substr(standard.size(), line.rfind('>') - standard.size()));
    } else {
      return line == "#pragma once" || line.starts_with("// SPDX-License-Identifier");
    }
    return true;
  }

  /// Without empty lines at the front, at the end, and after another empty line, nor an empty comment at the front.
  static std::string without_repeated_blanks(std::string_view text) {
    if (text.starts_with("//\n")) text.remove_prefix(3);
    std::string kept = "\n";
    for (const char c : text) {
      const bool blank = c == '\n' && (kept == "\n" || kept.ends_with("\n\n"));
      if (!blank) kept += c;
    }
    while (kept.ends_with("\n\n")) kept.pop_back();
    return kept.substr(1);
  }

  const std::function<std::string_view(std::string_view)>& text_of_;
  std::set<std::string> seen_;
  unsigned conditions_ = 0;
  FlatHeader flat_;
};

}  // namespace

FlatHeader flatten(std::string_view path, const std::function<std::string_view(std::string_view)>& text_of) {
  Flattening flattening(text_of);
  flattening.append(path);
  return std::move(flattening).result();
}

}  // namespace slidebench
