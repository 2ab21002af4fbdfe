// SPDX-License-Identifier: MIT
#include "harness/export/plain_code.hpp"

#include <algorithm>
#include <functional>

namespace slidebench {
namespace {

using Tokens = std::vector<Token>;

bool is(const Tokens& tokens, std::size_t i, std::string_view text) {
  return i < tokens.size() && tokens[i].text == text;
}

bool is_name(const Tokens& tokens, std::size_t i) { return i < tokens.size() && tokens[i].kind == Token::Kind::name; }

/// The place of the bracket that closes the one at `open`.
std::size_t closing(const Tokens& tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    const std::string& text = tokens[i].text;
    if (text == "(" || text == "[" || text == "{") ++depth;
    if ((text == ")" || text == "]" || text == "}") && --depth == 0) return i;
  }
  return tokens.size() - 1;
}

/// Where the operand that ends before `end` begins: a name with scopes, members and indices.
std::size_t operand_begin(const Tokens& tokens, std::size_t end) {
  std::size_t begin = end;
  while (begin > 0) {
    const std::string& text = tokens[begin - 1].text;
    if (text == "]") {
      int depth = 0;
      do {
        --begin;
        if (tokens[begin].text == "]") ++depth;
        if (tokens[begin].text == "[") --depth;
      } while (depth > 0);
      continue;
    }
    const bool is_part = is_name(tokens, begin - 1) || text == "." || text == "::";
    const bool is_separate = is_name(tokens, begin - 1) && begin < end && is_name(tokens, begin);
    if (!is_part || is_separate || text == "return") break;
    --begin;
  }
  return begin;
}

Token symbol(std::string text) { return {"", std::move(text), Token::Kind::other, 0}; }

Tokens slice(const Tokens& tokens, std::size_t begin, std::size_t end) {
  return {tokens.begin() + static_cast<std::ptrdiff_t>(begin), tokens.begin() + static_cast<std::ptrdiff_t>(end)};
}

void append(Tokens& tokens, const Tokens& more) { tokens.insert(tokens.end(), more.begin(), more.end()); }

/// An address in front of an index needs parentheses unless it is a name.
bool is_operand(const Tokens& tokens) { return !tokens.empty() && operand_begin(tokens, tokens.size()) == 0; }

Tokens indexed(const Tokens& table, const Tokens& index) {
  Tokens code = table;
  code.push_back(symbol("["));
  append(code, index);
  code.push_back(symbol("]"));
  return code;
}

Tokens member_of(const Tokens& table, const Tokens& arguments) {
  std::size_t comma = arguments.size();
  while (arguments[comma - 1].text != ",") --comma;
  Tokens code = indexed(table, slice(arguments, 0, comma - 1));
  code.push_back(symbol("."));
  code.push_back({"", arguments.back().text, Token::Kind::name, 0});
  return code;
}

Tokens from(const Tokens&, const Tokens& address) {
  if (is_operand(address)) return address;
  Tokens code{symbol("(")};
  append(code, address);
  code.push_back(symbol(")"));
  return code;
}

Tokens row(const Tokens& table, const Tokens& first) {
  Tokens code{symbol("(")};
  append(code, table);
  code.push_back(symbol(".data() + "));
  append(code, first);
  code.push_back(symbol(")"));
  return code;
}

Tokens load(const std::string& function, const Tokens& table, const Tokens& index) {
  Tokens code{symbol(function + "(&")};
  append(code, indexed(table, index));
  code.push_back(symbol(")"));
  return code;
}

Tokens accessed(const std::string& accessor, const Tokens& table, const Tokens& arguments) {
  if (accessor == "member") return member_of(table, arguments);
  if (accessor == "from") return from(table, arguments);
  if (accessor == "row") return row(table, arguments);
  return load(accessor, table, arguments);
}

bool is_accessor(const std::string& name) {
  constexpr std::string_view names[] = {"member", "from", "row", "load128", "load256", "load512", "load_pair"};
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

/// Replaces the last call of an accessor, whose arguments have none; false if there is none.
bool replace_last_access(Tokens& tokens) {
  for (std::size_t i = tokens.size(); i-- > 1;) {
    if (!is_accessor(tokens[i].text) || !is(tokens, i - 1, ".") || !is(tokens, i + 1, "(")) continue;
    const std::size_t close = closing(tokens, i + 1);
    const std::size_t begin = operand_begin(tokens, i - 1);
    Tokens table = slice(tokens, begin, i - 1);
    const std::string space = table.front().space;
    table.front().space.clear();
    Tokens code = accessed(tokens[i].text, table, slice(tokens, i + 2, close));
    code.front().space = space;
    tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(begin),
                 tokens.begin() + static_cast<std::ptrdiff_t>(close + 1));
    tokens.insert(tokens.begin() + static_cast<std::ptrdiff_t>(begin), code.begin(), code.end());
    return true;
  }
  return false;
}

/// The place after the template arguments that open at `open`.
std::size_t after_arguments(const Tokens& tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    if (tokens[i].text == "<") ++depth;
    if (tokens[i].text == ">" && --depth == 0) return i + 1;
    if (tokens[i].text == ">>" && (depth -= 2) <= 0) return i + 1;
  }
  return tokens.size();
}

/// `table.data[i]` as `table[i]`, and `table.data` as `table.data()`.
void replace_data(Tokens& tokens) {
  for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
    if (!is(tokens, i, "data") || !is(tokens, i - 1, ".") || is(tokens, i + 1, "(")) continue;
    if (is(tokens, i + 1, "[")) {
      tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(i - 1),
                   tokens.begin() + static_cast<std::ptrdiff_t>(i + 1));
    } else {
      tokens[i].text = "data()";
    }
  }
}

void replace_type(Tokens& tokens) {
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!is(tokens, i, "Table") || !is(tokens, i + 1, "<")) continue;
    tokens[i].text = "std::array";
    const std::size_t name = after_arguments(tokens, i + 1);
    const bool is_static =
        i > 0 && (is(tokens, i - 1, "static") || is(tokens, i - 1, "inline") || is(tokens, i - 1, "constexpr"));
    if (!is_static && is_name(tokens, name) && is(tokens, name + 1, ";")) tokens[name].text += "{}";
  }
}

}  // namespace

std::vector<Token> with_plain_tables(std::vector<Token> tokens) {
  while (replace_last_access(tokens)) {
  }
  replace_data(tokens);
  replace_type(tokens);
  return tokens;
}

std::vector<Token> without_scopes(std::vector<Token> tokens, const std::vector<std::string>& scopes,
                                  const std::map<std::string, std::string>& names) {
  Tokens kept;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const bool is_scope =
        std::find(scopes.begin(), scopes.end(), tokens[i].text) != scopes.end() && is(tokens, i + 1, "::");
    if (is_scope && !(i > 0 && is(tokens, i - 1, "."))) {
      Token name = tokens[i + 2];
      const auto found = names.find(tokens[i].text + "::" + name.text);
      if (found != names.end()) name.text = found->second;
      name.space = tokens[i].space;
      kept.push_back(name);
      i += 2;
    } else {
      kept.push_back(tokens[i]);
    }
  }
  return kept;
}

std::string text_of(const std::vector<Token>& tokens) {
  std::string text;
  for (const Token& token : tokens) text += token.space + token.text;
  return text;
}

}  // namespace slidebench
