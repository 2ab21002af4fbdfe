// SPDX-License-Identifier: MIT
#include "harness/export/plain_code.hpp"

#include <algorithm>
#include <cctype>
#include <functional>

namespace slidebench {
namespace {

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == ':'; }

/// The place of the parenthesis that closes the one at `open`.
std::size_t closing(const std::string& text, std::size_t open) {
  std::size_t depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return i;
  }
  return text.size() - 1;
}

/// Replaces every `table.accessor(argument)`; `by` makes the new expression of table and argument.
std::string with_accessor(std::string text, const std::string& accessor,
                          const std::function<std::string(const std::string&, const std::string&)>& by) {
  const std::string call = "." + accessor + "(";
  for (std::size_t at = 0; (at = text.find(call, at)) != std::string::npos;) {
    std::size_t start = at;
    while (start > 0 && is_name(text[start - 1])) --start;
    const std::size_t open = at + call.size() - 1;
    const std::size_t close = closing(text, open);
    const std::string code = by(text.substr(start, at - start), text.substr(open + 1, close - open - 1));
    text.replace(start, close + 1 - start, code);
    at = start;
  }
  return text;
}

/// "row, &Record::file" as "[row].file".
std::string member_of(const std::string& table, const std::string& arguments) {
  const std::size_t comma = arguments.rfind(", &");
  return table + "[" + arguments.substr(0, comma) + "]." + arguments.substr(arguments.rfind("::") + 2);
}

std::string load(const std::string& function, const std::string& vector, const std::string& table,
                 const std::string& index) {
  return function + "(reinterpret_cast<const " + vector + "*>(&" + table + ".data[" + index + "]))";
}

/// An address in front of an index needs parentheses unless it is a name.
std::string as_operand(const std::string& address) {
  const bool plain = std::all_of(address.begin(), address.end(),
                                 [](char c) { return is_name(c) || c == '.' || c == '[' || c == ']'; });
  return plain ? address : "(" + address + ")";
}

/// Without the member declarations that begin so, up to the line that ends with "};", and the blank line after them.
std::string without_member(std::string text, const std::string& start) {
  for (std::size_t at; (at = text.find("  " + start)) != std::string::npos;) {
    std::size_t end = text.find("};\n", at) + 3;
    if (text.compare(end, 1, "\n") == 0) ++end;
    text.erase(at, end - at);
  }
  return text;
}

/// Without the constants that name instruction sets, and the blank line after them.
std::string without_instruction_sets(std::string text) {
  for (std::size_t at; (at = text.find("inline constexpr Isa ")) != std::string::npos;) {
    std::size_t end = text.find('\n', at) + 1;
    if (text.compare(end, 1, "\n") == 0) ++end;
    text.erase(at, end - at);
  }
  return text;
}

}  // namespace

std::string replaced(std::string text, std::string_view old, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(old, at)) != std::string::npos; at += by.size()) {
    text.replace(at, old.size(), by);
  }
  return text;
}

std::string with_plain_tables(std::string text) {
  text = with_accessor(std::move(text), "member", member_of);
  text = with_accessor(std::move(text), "from",
                       [](const std::string&, const std::string& address) { return as_operand(address); });
  text = with_accessor(std::move(text), "row", [](const std::string& table, const std::string& first) {
    return "(" + table + ".data + " + first + ")";
  });
  text = with_accessor(std::move(text), "load128", [](const std::string& table, const std::string& index) {
    return load("_mm_loadu_si128", "__m128i", table, index);
  });
  text = with_accessor(std::move(text), "load256", [](const std::string& table, const std::string& index) {
    return load("_mm256_loadu_si256", "__m256i", table, index);
  });
  text = with_accessor(std::move(text), "load_pair", [](const std::string& table, const std::string& index) {
    return "vld1q_u64(&" + table + ".data[" + index + "])";
  });
  text = with_accessor(std::move(text), "load512", [](const std::string& table, const std::string& index) {
    return "_mm512_loadu_si512(&" + table + ".data[" + index + "])";
  });
  return replaced(std::move(text), "Table<", "Array<");
}

std::string without_description(std::string text) {
  text = without_member(std::move(text), "static constexpr MethodInfo info{");
  text = without_member(std::move(text), "static constexpr std::array tables{");
  text = replaced(std::move(text), "  static constexpr auto tables = no_tables;\n", "");
  text = without_instruction_sets(std::move(text));
  return replaced(replaced(std::move(text), "\n public:\n};", "};"), "\n\n};", "\n};");
}

std::string with_builtin_functions(std::string text) {
  text = replaced(std::move(text), "std::popcount(", "__builtin_popcountll(");
  text = replaced(std::move(text), "std::countr_zero(", "__builtin_ctzll(");
  return replaced(std::move(text), "std::countl_zero(", "__builtin_clzll(");
}

}  // namespace slidebench
