// SPDX-License-Identifier: MIT
#include "harness/export/c11.hpp"

#include <cctype>
#include <map>
#include <regex>
#include <stdexcept>

#include "harness/base/errors.hpp"
#include "harness/export/credits.hpp"
#include "harness/export/flatten.hpp"
#include "harness/export/plain_code.hpp"

namespace slidebench {
namespace {

std::string path_of(std::string_view id) { return "harness/export/c11/" + std::string(id) + ".h"; }

std::string methods_in_c() {
  std::string list;
  for (const MethodSource& method : method_sources()) {
    if (source_text(path_of(method.id))) list += (list.empty() ? "" : ", ") + std::string(method.id);
  }
  return list;
}

std::string text_between(const std::string& text, const std::string& start, const std::string& end) {
  const std::size_t first = text.find(start) + start.size();
  return text.substr(first, text.find(end, first) - first);
}

/// The comment that opens a header of the suite.
std::string opening_comment(const std::string& text) {
  return text_between(text, "// SPDX-License-Identifier: MIT\n//\n", "#pragma once");
}

/// A header of factors in C: whatever their variant, they are sliding_rook_factors and sliding_bishop_factors.
std::string factors_in_c(const std::string& text) {
  const bool with_offsets = text.find("OffsetFactor") != std::string::npos;
  const std::string type =
      with_offsets ? "typedef struct {\n  uint64_t factor;\n  uint32_t first;\n} sliding_factor;\n\n" : "";
  std::string arrays = text_between(text, "// clang-format off\n", "// clang-format on");
  arrays += text_between(text, "// clang-format on", "}  // namespace");
  const std::string element = with_offsets ? "sliding_factor" : "uint64_t";
  arrays = std::regex_replace(arrays, std::regex(R"(inline constexpr \S+ (?:\w+_)?(bishop|rook)_factors\[64\])"),
                              "static const " + element + " sliding_$1_factors[64]");
  arrays = std::regex_replace(arrays, std::regex(R"(inline constexpr std::size_t \w+_slots = (\d+);)"),
                              "enum { sliding_slots = $1 };");
  return opening_comment(text) + "#ifdef SLIDING_IMPLEMENTATION\n\n" + type + arrays + "\n#endif\n";
}

/// Hands out the texts, and keeps those that it has to make.
class CTexts {
 public:
  std::string_view operator()(std::string_view path) {
    const std::optional<std::string_view> text = source_text(path);
    if (!text) throw std::logic_error("no such source: " + std::string(path));
    if (!path.ends_with("_factors.hpp")) return *text;
    return made_.emplace(path, factors_in_c(std::string(*text))).first->second;
  }

 private:
  std::map<std::string, std::string, std::less<>> made_;
};

/// How to include the header, and what to call.
std::string use_of(bool needs_init) {
  std::string text = "//\n// Use: in one source file of the program\n";
  if (needs_init) text += "//   #define SLIDING_IMPLEMENTATION\n";
  text += "//   #include \"attacks.h\"\n";
  if (needs_init)
    text += "// which holds the tables, and in all others without the #define. Then:\n//   sliding_init();  // once\n";
  return text + "//   sliding_rook(square, occupied);  // also bishop, queen, both\n";
}

std::string upper_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace

std::string in_c11(const MethodSource& method, const ExportOptions& options) {
  if (!source_text(path_of(method.id))) {
    throw UserError("method " + std::string(method.id) + " is not to be had in C, take --language c++17; C has " +
                    methods_in_c());
  }
  CTexts texts;
  FlatHeader flat = flatten(path_of(method.id), std::ref(texts));
  flat.standard.insert("stdint.h");
  const bool needs_init = flat.text.find("void sliding_init(void)") != std::string::npos;
  const auto shared = [](const char* part) {
    return flatten(path_of(part), [](std::string_view path) { return *source_text(path); }).text;
  };

  std::string text = credits(method, options) + use_of(needs_init) + licence();
  text += opening_comment(std::string(*source_text(method.header)));
  text += "\n#ifndef SLIDING_ATTACKS_H\n#define SLIDING_ATTACKS_H\n\n";
  for (const std::string& header : flat.standard) text += "#include <" + header + ">\n";
  if (needs_init)
    text += "\n/* Builds the tables. Call it once, before the first query. */\nvoid sliding_init(void);\n";
  text += "\n" + flat.text + shared("queen") + shared("both") + "#endif\n";
  return replaced(replaced(std::move(text), "sliding_", options.name_space + "_"), "SLIDING_",
                  upper_case(options.name_space) + "_");
}

}  // namespace slidebench
