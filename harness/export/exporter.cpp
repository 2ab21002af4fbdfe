// SPDX-License-Identifier: MIT
#include "harness/export/exporter.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <stdexcept>

#include "harness/base/errors.hpp"
#include "harness/export/c11.hpp"
#include "harness/export/credits.hpp"
#include "harness/export/flatten.hpp"
#include "harness/export/plain_code.hpp"

namespace slidebench {
namespace {

const MethodSource& source_of(const std::string& id) {
  for (const MethodSource& method : method_sources()) {
    if (method.id == id) return method;
  }
  throw UserError("no method '" + id + "' to export; slidebench list shows the methods");
}

/// What includes ask for; the suite's own parts are replaced by those of harness/export/plain.
std::string_view header_text(std::string_view path) {
  if (path == "methods/table.hpp") path = "harness/export/plain/table.hpp";
  if (path == "methods/method.hpp") path = "harness/export/plain/method.hpp";
  const std::optional<std::string_view> text = source_text(path);
  if (!text) throw std::logic_error("no such source: " + std::string(path));
  return *text;
}

/// The members of a struct and of its bases. A struct begins at a line of its own, and ends at "};" without
/// indentation.
std::string members_of(const std::string& code, std::string type) {
  std::string members;
  while (!type.empty()) {
    std::size_t start = code.find("\nstruct " + type + " ");
    if (start == std::string::npos) start = code.find("\nstruct " + type + "\n");
    if (start == std::string::npos) throw std::logic_error("no struct " + type);
    const std::size_t body = code.find("{\n", start);
    members += code.substr(body, code.find("\n};", body) - body);
    const std::string head = code.substr(start + 1, body - start);
    const std::size_t colon = head.find(" : ");
    if (colon == std::string::npos) return members;
    const std::string base = head.substr(colon + 3, head.find_first_of("< {", colon + 3) - colon - 3);
    type = base.substr(base.rfind(':') + 1);
  }
  return members;
}

/// The condition of the #if that encloses what stands at `place`, or nothing. Precondition: it has no #else.
std::string condition_at(const std::string& code, std::size_t place) {
  const std::size_t opened = code.rfind("\n#if ", place);
  if (place == std::string::npos || opened == std::string::npos) return "";
  const std::size_t closed = code.find("\n#endif", opened);
  if (closed < place) return "";
  const std::size_t condition = opened + std::string("\n#if ").size();
  return code.substr(condition, code.find('\n', condition) - condition);
}

/// The functions that an engine calls, in front of the method's struct.
std::string interface_of(const MethodSource& method, const std::string& code) {
  const std::string type(method.type);
  const std::string members = members_of(code, type);
  const auto has = [&members](const std::string& what) { return members.find(what) != std::string::npos; };
  const bool board = has("\n  struct Board {");
  const std::string asked = board ? "const Board& board" : "Bitboard occupied";
  const std::string passed = board ? "board" : "occupied";
  std::ostringstream out;
  out << "namespace slidebench {\n\n";
  if (has("static void init()")) {
    out << "/// Builds the tables. Call it once, before the first query.\ninline void init() { " << type
        << "::init(); }\n\n";
  }
  if (board) {
    out << "/// What the queries are asked of: built from an occupancy, kept up to date by toggle(changed squares).\n"
        << "using Board = " << type << "::Board;\n\n";
  }
  const auto query = [&](const char* what, const std::string& answer) {
    out << "inline " << what << "(Square s, " << asked << ") {\n  return " << answer << ";\n}\n\n";
  };
  const std::string arguments = "(s, " + passed + ")";
  out << "/// The squares that a slider on s attacks, the first blocker of each line among them; s is not.\n";
  query("Bitboard bishop", type + "::bishop" + arguments);
  query("Bitboard rook", type + "::rook" + arguments);
  const bool own_queen = has("Bitboard queen(Square s");
  query("Bitboard queen",
        own_queen ? type + "::queen" + arguments : type + "::bishop" + arguments + " | " + type + "::rook" + arguments);
  out << "/// The bishop's and the rook's set of one square.\n";
  const bool own_both = has("BishopRook both(Square s");
  query("BishopRook both", own_both ? type + "::both" + arguments
                                    : "{" + type + "::bishop" + arguments + ", " + type + "::rook" + arguments + "}");
  out << "/// The attacks of each slider of a batch, in its order. `attacks` has room for SliderBatch::room words, of "
         "which those\n"
         "/// after the last answer may be overwritten.\n"
      << "inline void batch(const SliderBatch& sliders, " << asked << ", Bitboard* attacks) {\n";
  const auto one = [&](const std::string& what) { return "[&](Square s) { return " + what + "(s, " + passed + "); }"; };
  const std::string derived = "  batch_by_queries(\n      sliders, attacks, " + one("bishop") + ", " + one("queen") +
                              ",\n      " + one("rook") + ");\n";
  const std::string own = "  " + type + "::batch(sliders, " + passed + ", attacks);\n";
  const std::size_t place = members.find("void batch(const SliderBatch&");
  const std::string condition = condition_at(members, place);
  if (place == std::string::npos) {
    out << derived;
  } else if (condition.empty()) {
    out << own;
  } else {
    out << "#if " << condition << "\n" << own << "#else\n" << derived << "#endif\n";
  }
  out << "}\n\n";
  if (has("Bitboard set_attacks(Bitboard")) {
    out << "/// The union of the attacks of many sliders; queens stand in both sets.\n"
        << "inline Bitboard set_attacks(Bitboard diagonal_sliders, Bitboard orthogonal_sliders, Bitboard occupied) {\n"
        << "  return " << type << "::set_attacks(diagonal_sliders, orthogonal_sliders, occupied);\n}\n\n";
  }
  out << "}  // namespace slidebench\n";
  return out.str();
}

std::string use_of(const ExportOptions& options, const std::string& interface) {
  const std::string scope = options.name_space + "::";
  std::string text;
  if (interface.find("void init()") != std::string::npos) text += "//   " + scope + "init();  // once, at the start\n";
  if (interface.find("using Board") != std::string::npos) {
    text += "//   " + scope + "Board board(occupied);\n//   board.toggle(changed);  // at every move\n";
    return text + "//   " + scope + "rook(square, board);  // also bishop, queen, both, batch\n";
  }
  return text + "//   " + scope + "rook(square, occupied);  // also bishop, queen, both, batch\n";
}

/// The standard headers. GCC 12 takes the unused operands inside its AVX-512 intrinsics for uninitialised variables
/// (GCC bug 105593), and says so wherever they are used.
std::string includes_of(const FlatHeader& flat) {
  std::string text;
  for (const std::string& header : flat.standard) {
    if (header != "bit") text += "#include <" + header + ">\n";
  }
  if (flat.text.find("_mm512_") == std::string::npos) return text;
  return "// GCC 12 takes unused operands inside these intrinsics for uninitialised variables (GCC bug 105593).\n"
         "#ifdef __GNUC__\n#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored \"-Wuninitialized\"\n"
         "#ifndef __clang__\n#pragma GCC diagnostic ignored \"-Wmaybe-uninitialized\"\n#endif\n#endif\n" +
         text + "#ifdef __GNUC__\n#pragma GCC diagnostic pop\n#endif\n";
}

std::string in_cpp17(const MethodSource& method, const ExportOptions& options) {
  const FlatHeader flat = flatten(method.header, header_text);
  std::string code = with_builtin_functions(with_plain_tables(without_description(flat.text)));
  const std::string interface = interface_of(method, code);
  code += interface;
  code = replaced(std::move(code), "}  // namespace slidebench\n\nnamespace slidebench {\n\n", "");
  code = replaced(std::move(code), "namespace slidebench", "namespace " + options.name_space);

  std::string text =
      credits(method, options) + "//\n// Use:\n" + use_of(options, interface) + licence() + "#pragma once\n\n";
  return text + includes_of(flat) + "\n" + code;
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

}  // namespace

std::string export_method(const std::string& id, const ExportOptions& options) {
  check_name(options.name_space);
  const MethodSource& method = source_of(id);
  return options.language == ExportLanguage::c11 ? in_c11(method, options) : in_cpp17(method, options);
}

}  // namespace slidebench
