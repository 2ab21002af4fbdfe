// SPDX-License-Identifier: MIT
#include "harness/export/c11.hpp"

#include <cctype>
#include <set>
#include <sstream>
#include <stdexcept>

#include "harness/base/errors.hpp"
#include "harness/export/credits.hpp"
#include "harness/export/layout.hpp"
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

/// Array bounds and elements as they stand in C++, "{...}".
std::string initializer(const Declaration& array) {
  std::string text;
  for (const Token& token : array.tokens) {
    if (!text.empty() || token.text == "{") text += (text.empty() ? "" : token.space) + token.text;
  }
  return text;
}

/// A method's factors in C: whatever their variant, they are sliding_rook_factors and sliding_bishop_factors.
std::string factors(const FrontEndResult& read) {
  std::string arrays;
  std::string type = "uint64_t";
  for (const auto& declaration : read.declarations) {
    const std::string& name = declaration->name;
    if (name == "OffsetFactor") type = "sliding_factor";
    if (name.ends_with("_slots"))
      arrays += "enum { sliding_slots = " + declaration->tokens[declaration->tokens.size() - 3].text + " };\n\n";
    for (const char* piece : {"bishop_factors", "rook_factors"}) {
      if (!name.ends_with(piece)) continue;
      arrays += laid_out("static const " + type + " sliding_" + piece + "[64] = " + initializer(*declaration)) + "\n";
    }
  }
  if (type != "uint64_t") arrays.insert(0, "typedef struct { uint64_t factor; uint32_t first; } sliding_factor;\n\n");
  return "#ifdef SLIDING_IMPLEMENTATION\n\n" + arrays + "#endif\n";
}

/// A part with those that it includes before it, each once; headers of factors are the factors read.
class Assembly {
 public:
  explicit Assembly(const FrontEndResult& read) : read_(read) {}

  void append(const std::string& path) {
    if (!seen_.insert(path).second) return;
    std::istringstream lines{std::string(source_text(path).value())};
    std::string own;
    for (std::string line; std::getline(lines, line);) {
      const std::string included = line.starts_with("#include \"") ? line.substr(10, line.rfind('"') - 10) : "";
      if (included.ends_with(".hpp")) {
        text += "\n" + factors(read_);
      } else if (!included.empty()) {
        append(included);
      } else if (!line.starts_with("// SPDX")) {
        own += line + "\n";
      }
    }
    text += own;
  }

  std::string text;

 private:
  const FrontEndResult& read_;
  std::set<std::string> seen_;
};

/// How to include the header, and what to call.
std::string use_of(bool needs_init) {
  if (!needs_init) return "// Use: sliding_rook(square, occupied); also bishop, queen, both.\n";
  return "// Use: one source file of the program defines SLIDING_IMPLEMENTATION before it includes this, and holds the "
         "tables;\n"
         "// call sliding_init() once, then sliding_rook(square, occupied); also bishop, queen, both.\n";
}

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
}

std::string upper_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

/// Without an empty line after another.
std::string without_repeated_blanks(const std::string& text) {
  std::string kept;
  for (const char c : text) {
    if (c != '\n' || !kept.ends_with("\n\n")) kept += c;
  }
  return kept;
}

}  // namespace

std::string in_c11(const MethodSource& method, const ExportOptions& options) {
  if (!source_text(path_of(method.id))) {
    throw UserError("method " + std::string(method.id) + " is not to be had in C, take --language c++17; C has " +
                    methods_in_c());
  }
  const FrontEndResult read = read_method(method, options.level);
  Assembly assembly(read);
  for (const std::string& part : {std::string(method.id), std::string("queen"), std::string("both")})
    assembly.append(path_of(part));
  const bool needs_init = assembly.text.find("void sliding_init(void)") != std::string::npos;
  std::string text = credits(method, options, info_of(read, method.type)) + "\n" + use_of(needs_init);
  text += "#ifndef SLIDING_ATTACKS_H\n#define SLIDING_ATTACKS_H\n\n#include <stdint.h>\n";
  if (needs_init)
    text += "\n/* Builds the tables. Call it once, before the first query. */\nvoid sliding_init(void);\n\n";
  text = without_repeated_blanks(text + assembly.text + "\n#endif\n");
  replace_all(text, "sliding_", options.name_space + "_");
  replace_all(text, "SLIDING_", upper_case(options.name_space) + "_");
  return text;
}

}  // namespace slidebench
