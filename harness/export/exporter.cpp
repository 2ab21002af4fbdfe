// SPDX-License-Identifier: MIT
#include "harness/export/exporter.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include "harness/base/errors.hpp"
#include "harness/export/bit_functions.hpp"
#include "harness/export/c11.hpp"
#include "harness/export/credits.hpp"
#include "harness/export/front_end.hpp"
#include "harness/export/interface.hpp"
#include "harness/export/layout.hpp"
#include "harness/export/selection.hpp"
#include "harness/export/sources.hpp"
#include "harness/export/writer.hpp"

namespace slidebench {
namespace {

const MethodSource& source_of(const std::string& id) {
  for (const MethodSource& method : method_sources()) {
    if (method.id == id) return method;
  }
  throw UserError("no method '" + id + "' to export; slidebench list shows the methods");
}

std::vector<std::string> asked_names(const ExportOptions& options) {
  std::vector<std::string> names{"init", "Board", "bishop", "rook", "queen", "both"};
  if (options.set_attacks) names.emplace_back("set_attacks");
  if (options.batch) names.emplace_back("batch");
  return names;
}

bool stands_in(const std::string& text, const std::string& name) {
  for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos; at += name.size()) {
    const auto is_part = [&](std::size_t i) {
      return std::isalnum(static_cast<unsigned char>(text[i])) != 0 || text[i] == '_';
    };
    if ((at == 0 || !is_part(at - 1)) && !is_part(at + name.size())) return true;
  }
  return false;
}

/// GCC 12 takes the unused operands inside its AVX-512 intrinsics for uninitialised variables (GCC bug 105593), and
/// says so wherever they are used.
std::string quiet(const std::string& includes) {
  return "#if defined(__GNUC__) && !defined(__clang__)  // GCC 12 warns of its own header (GCC bug 105593)\n"
         "#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored \"-Wuninitialized\"\n"
         "#pragma GCC diagnostic ignored \"-Wmaybe-uninitialized\"\n#endif\n" +
         includes + "#if defined(__GNUC__) && !defined(__clang__)\n#pragma GCC diagnostic pop\n#endif\n";
}

std::string includes_of(const Selection& selection, const std::string& code) {
  std::set<std::string> vectors;
  for (const Declaration* declaration : selection.reached)
    vectors.insert(declaration->vector_headers.begin(), declaration->vector_headers.end());
  std::string text;
  for (const std::string& header : vectors) text += "#include <" + header + ">\n";
  if (code.find("_mm512_") != std::string::npos) text = quiet(text);
  const std::pair<const char*, std::vector<const char*>> headers[] = {
      {"algorithm", {"std::max", "std::find"}}, {"array", {"std::array"}},    {"cstddef", {"std::size_t"}},
      {"cstdint", {"std::uint64_t"}},           {"cstring", {"std::memcpy"}}, {"utility", {"std::index_sequence"}}};
  for (const auto& [header, names] : headers) {
    const bool used =
        std::any_of(names.begin(), names.end(), [&code](const char* name) { return stands_in(code, name); });
    if (used) text += std::string("#include <") + header + ">\n";
  }
  return text + "\n";
}

/// What a user must know of tables.
std::string use_of(const Selection& selection) {
  const Declaration& method = *selection.method;
  const bool board = member_named(method, "Board") != nullptr;
  const std::string keep = board ? " Keep a Board by toggle(changed squares)." : "";
  const bool init = member_named(method, "init") != nullptr;
  return keep + (init ? " Call init() once, before all queries.\n" : " The tables are constant.\n");
}

/// The last comment line as two where it is too long for one.
std::string wrapped(std::string comment) {
  const std::size_t line = comment.rfind('\n', comment.size() - 2) + 1;
  if (comment.size() - line > 121) comment.replace(comment.find(". ", comment.find("Square 0", line)) + 1, 1, "\n// ");
  return comment;
}

constexpr const char* keywords[] = {
    "alignas",  "alignof",  "and",     "asm",      "auto",      "bool",      "break",    "case",     "catch",
    "char",     "class",    "const",   "continue", "default",   "delete",    "do",       "double",   "else",
    "enum",     "explicit", "export",  "extern",   "false",     "float",     "for",      "friend",   "goto",
    "if",       "inline",   "int",     "long",     "mutable",   "namespace", "new",      "noexcept", "not",
    "nullptr",  "operator", "or",      "private",  "protected", "public",    "register", "return",   "short",
    "signed",   "sizeof",   "static",  "std",      "struct",    "switch",    "template", "this",     "throw",
    "true",     "try",      "typedef", "typename", "union",     "unsigned",  "using",    "virtual",  "void",
    "volatile", "while",    "xor",     "concept",  "requires",  "constexpr", "decltype", "typeid"};

void check_name(const std::string& name) {
  bool good = !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 && name[0] != '_';
  for (const char c : name) good = good && (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_');
  good = good && name.find("__") == std::string::npos;
  good = good && std::find(std::begin(keywords), std::end(keywords), name) == std::end(keywords);
  if (!good) throw UserError("--namespace '" + name + "' is no name; write letters, digits and _, such as sliding");
}

/// Whether a condition asks for the compiler, and not for what the processor has: the front end says no, and reads what
/// every compiler can take.
bool of_compiler(const std::string& condition) { return condition.find("__has_builtin") != std::string::npos; }

/// An #error where what was exported stands under a condition that the method's own guards do not know.
std::string guards_of_conditions(const Selection& selection, const std::string& known, const std::string& id) {
  std::set<std::string> conditions;
  for (const Declaration* declaration : selection.reached) {
    if (declaration->parent != nullptr && declaration->parent->name == "VectorLoads") continue;
    for (const std::string& condition : declaration->conditions) {
      if (of_compiler(condition)) continue;
      const std::size_t name = condition.find("__");
      const std::size_t end = condition.find(')', name);
      if (known.find(condition.substr(name, end - name)) == std::string::npos) conditions.insert(condition);
    }
  }
  std::string text;
  for (const std::string& condition : conditions) {
    text += "#if !(" + condition + ")\n#error \"this export of " + id +
            " needs what its --level had: compile for that\"\n#endif\n";
  }
  return text;
}

/// The declarations, those of one line together as far as what they use allows; what was asked for comes where it came.
std::vector<std::string> pieces_of(const Selection& selection) {
  const Writer writer(selection);
  std::vector<std::pair<const Declaration*, std::string>> open;
  for (const Declaration* declaration : selection.order) {
    std::string piece = writer.text(*declaration);
    for (const std::string& condition : declaration->conditions) {
      if (of_compiler(condition)) piece = "#if " + condition + "\n" + piece + "#endif\n";
    }
    open.emplace_back(declaration, piece);
  }
  std::vector<std::string> pieces;
  Declarations placed;
  const auto is_free = [&](const auto& entry) {
    const auto needs = selection.needs.find(entry.first);
    return needs == selection.needs.end() ||
           std::includes(placed.begin(), placed.end(), needs->second.begin(), needs->second.end());
  };
  const auto is_short_and_free = [&](const auto& entry) {
    return !selection.asked.contains(entry.first) && !is_long(entry.second) && is_free(entry);
  };
  while (!open.empty()) {
    auto next = std::find_if(open.begin(), open.end(), is_short_and_free);
    if (next == open.end()) next = std::find_if(open.begin(), open.end(), is_free);
    placed.insert(next->first);
    pieces.push_back(next->second);
    open.erase(next);
  }
  return pieces;
}

std::string in_cpp17(const MethodSource& method, const ExportOptions& options) {
  const FrontEndResult read = read_method(method, options.level);
  const Selection selection = select(read, method.type, asked_names(options));
  std::vector<std::string> pieces = pieces_of(selection);
  for (const std::string& piece : interface_of(selection, options)) pieces.push_back(piece);
  std::string code = joined(pieces);
  std::string guards;
  for (const std::string& guard : read.guards) guards += guard + "\n";
  guards += guards_of_conditions(selection, guards, std::string(method.id));
  guards += guard_of_msvc(selection, method.id);
  return wrapped(credits(method, options, info_of(read, method.type)) + use_of(selection)) + "#pragma once\n" + guards +
         includes_of(selection, code) + bit_functions(selection, options.name_space) + "namespace " +
         options.name_space + " {\n" + code + "}  // namespace " + options.name_space + "\n";
}

}  // namespace

std::string export_method(const std::string& id, const ExportOptions& options) {
  check_name(options.name_space);
  const MethodSource& method = source_of(id);
  return options.language == ExportLanguage::c11 ? in_c11(method, options) : in_cpp17(method, options);
}

}  // namespace slidebench
