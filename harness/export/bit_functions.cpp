// SPDX-License-Identifier: MIT
#include "harness/export/bit_functions.hpp"

#include <algorithm>
#include <array>

namespace slidebench {
namespace {

struct BitFunction {
  const char* name;
  const char* of_library;  ///< behind std::, or nothing
  const char* of_gnu;
  const char* type;
  const char* of_msvc;  ///< a body
  const char* loop;     ///< a body that can be evaluated at compile time
};

constexpr std::array<BitFunction, 4> functions{
    {{"popcount", "popcount", "__builtin_popcountll", "int", "return static_cast<int>(__popcnt64(b));",
      "int n = 0; for (; b != 0; b &= b - 1) ++n; return n;"},
     {"ctz", "countr_zero", "__builtin_ctzll", "unsigned", "unsigned long n; _BitScanForward64(&n, b); return n;",
      "unsigned n = 0; for (; (b >> n & 1) == 0;) ++n; return n;"},
     {"clz", "countl_zero", "__builtin_clzll", "unsigned", "unsigned long n; _BitScanReverse64(&n, b); return 63 - n;",
      "unsigned n = 0; for (; (b << n >> 63) == 0;) ++n; return n;"},
     {"bswap", "", "__builtin_bswap64", "std::uint64_t", "return _byteswap_uint64(b);",
      "std::uint64_t r = 0; for (int i = 0; i < 8; ++i) r = r << 8 | (b >> 8 * i & 255); return r;"}}};

const BitFunction* function_at(const std::vector<Token>& tokens, std::size_t i) {
  const bool of_library = i > 1 && tokens[i - 1].text == "::" && tokens[i - 2].text == "std";
  for (const BitFunction& f : functions) {
    if (tokens[i].text == f.of_gnu || (of_library && tokens[i].text == f.of_library)) return &f;
  }
  return nullptr;
}

bool uses(const Declaration& declaration, const BitFunction& f) {
  for (std::size_t i = 0; i < declaration.tokens.size(); ++i) {
    if (function_at(declaration.tokens, i) == &f) return true;
  }
  return false;
}

bool any_uses(const Declarations& declarations, const BitFunction& f) {
  return std::any_of(declarations.begin(), declarations.end(), [&f](const Declaration* d) { return uses(*d, f); });
}

/// In the namespace, on one line where that fits.
std::string definition(const std::string& name_space, const char* specifier, const BitFunction& f,
                       const std::string& body) {
  const std::string head = std::string(specifier) + " " + f.type + " " + f.name + "(std::uint64_t b) {";
  std::string line = "namespace " + name_space + " { " + head + " " + body + " } }\n";
  if (line.size() <= 121) return line;
  return "namespace " + name_space + " {\n" + head + "\n  " + body + "\n}\n}\n";
}

}  // namespace

std::vector<Token> named_bit_functions(std::vector<Token> tokens) {
  std::vector<Token> named;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const BitFunction* f = function_at(tokens, i);
    Token token = tokens[i];
    if (f != nullptr) token.text = f->name;
    if (f != nullptr && tokens[i].text != f->of_gnu) {  // std::
      token.space = tokens[i - 2].space;
      named.resize(named.size() - 2);
    }
    named.push_back(token);
  }
  return named;
}

std::string bit_functions(const Selection& selection, const std::string& name_space) {
  std::string loops;
  std::string msvc;
  std::string gnu;
  for (const BitFunction& f : functions) {
    if (!any_uses(selection.reached, f)) continue;
    const bool computes = any_uses(selection.at_compile_time, f);
    if (!any_uses(selection.by_queries, f)) {
      loops += definition(name_space, "constexpr", f, f.loop);
      continue;
    }
    msvc += computes ? definition(name_space, "constexpr", f, f.loop) : definition(name_space, "inline", f, f.of_msvc);
    gnu += definition(name_space, "constexpr", f, std::string("return ") + f.of_gnu + "(b);");
  }
  std::string text;
  if (!gnu.empty()) {
    text =
        "#if defined(_MSC_VER) && !defined(__clang__)  // as documented; no MSVC has compiled it yet\n#include "
        "<intrin.h>\n" +
        msvc + "#else\n" + gnu + "#endif\n";
  }
  text += loops;
  return text;
}

std::string guard_of_msvc(const Selection& selection, std::string_view id) {
  const auto is_gnu = [](const Token& token) {
    constexpr std::string_view words[] = {"gnu", "__int128", "asm", "__attribute__"};
    const bool is_word = std::find(std::begin(words), std::end(words), token.text) != std::end(words);
    const bool is_mapped =
        std::any_of(functions.begin(), functions.end(), [&](const BitFunction& f) { return token.text == f.of_gnu; });
    return token.kind == Token::Kind::name && (is_word || (token.text.starts_with("__builtin_") && !is_mapped));
  };
  const bool needs_gnu = std::any_of(selection.reached.begin(), selection.reached.end(), [&](const Declaration* d) {
    return d->has_vector_operators || std::any_of(d->tokens.begin(), d->tokens.end(), is_gnu);
  });
  if (!needs_gnu) return "";
  return "#if defined(_MSC_VER) && !defined(__clang__)\n#error \"" + std::string(id) +
         " is written in what GCC and Clang have beyond the standard; take clang-cl\"\n#endif\n";
}

}  // namespace slidebench
