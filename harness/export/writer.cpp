// SPDX-License-Identifier: MIT
#include "harness/export/writer.hpp"

#include <algorithm>

#include "harness/export/bit_functions.hpp"
#include "harness/export/layout.hpp"
#include "harness/export/plain_code.hpp"

namespace slidebench {
namespace {

using Tokens = std::vector<Token>;

/// Members of an opened struct lose its indentation.
void move_left(Tokens& tokens) {
  for (Token& token : tokens) {
    const std::size_t line = token.space.rfind('\n');
    const std::size_t begin = line == std::string::npos ? 0 : line + 1;
    const bool begins_line = line != std::string::npos || &token == &tokens.front();
    if (begins_line && token.space.compare(begin, 2, "  ") == 0) token.space.erase(begin, 2);
  }
}

/// What stands in front of a declared function or variable: its specifiers and its type.
class Head {
 public:
  explicit Head(Tokens& tokens) : tokens_(tokens) {
    while (begin_ < tokens.size() && tokens[begin_].kind == Token::Kind::comment) ++begin_;
  }

  /// The place of a word; the number of tokens if it is not there.
  std::size_t find(std::string_view word) const {
    constexpr std::string_view ends[] = {"(", "=", "{", ";"};
    for (std::size_t i = begin_; i < tokens_.size(); ++i) {
      if (tokens_[i].text == word) return i;
      if (std::find(std::begin(ends), std::end(ends), tokens_[i].text) != std::end(ends)) break;
    }
    return tokens_.size();
  }
  bool has(std::string_view word) const { return find(word) < tokens_.size(); }

  void erase(std::size_t place) {
    tokens_[place + 1].space = tokens_[place].space;
    tokens_.erase(tokens_.begin() + static_cast<std::ptrdiff_t>(place));
  }
  void insert(std::size_t place, std::string word) {
    const std::string space = tokens_[place].space;
    tokens_[place].space = " ";
    tokens_.insert(tokens_.begin() + static_cast<std::ptrdiff_t>(place),
                   Token{space, std::move(word), Token::Kind::name, 0});
  }

 private:
  Tokens& tokens_;
  std::size_t begin_ = 0;
};

bool stand_for_the_same(const Declaration& a, const Declaration& b) {
  return a.scope == b.scope && a.parent == b.parent;
}

}  // namespace

Writer::Writer(const Selection& selection) : selection_(selection) {
  for (const Declaration* record : selection.opened) scopes_.push_back(record->name);
  for (const Declaration* declaration : selection.reached) {
    if (declaration->scope.empty()) continue;
    if (std::find(scopes_.begin(), scopes_.end(), declaration->scope) == scopes_.end())
      scopes_.push_back(declaration->scope);
  }
  // A name that stands elsewhere for something else keeps its scope in it.
  for (const Declaration* declaration : selection.order) {
    const std::string scope = scope_of(*declaration);
    const bool has_value =
        declaration->kind == Declaration::Kind::function || declaration->kind == Declaration::Kind::variable;
    if (scope.empty() || !has_value || selection.asked.contains(declaration) || !stands_elsewhere(*declaration))
      continue;
    names_[scope + "::" + declaration->name] = scope + "_" + declaration->name;
  }
}

std::string Writer::text(const Declaration& declaration) const {
  Tokens tokens = reached_tokens(declaration);
  if (declaration.parent != nullptr) move_left(tokens);
  specify(tokens, declaration);
  rename(tokens, scope_of(declaration));
  tokens = without_scopes(std::move(tokens), scopes_, names_);
  return laid_out(text_of(named_bit_functions(with_plain_tables(std::move(tokens)))));
}

/// Without the members that are not reached, and access specifiers that nothing follows.
Writer::Tokens Writer::reached_tokens(const Declaration& declaration) const {
  const auto is_access = [](const Token& token) { return token.text == "private" || token.text == "public"; };
  Tokens kept;
  for (const Token& token : declaration.tokens) {
    if (in_unreached(declaration, token.place)) continue;
    const bool ends = token.text == "}" || is_access(token);
    const bool is_empty = kept.size() > 1 && kept.back().text == ":" && is_access(kept[kept.size() - 2]);
    if (ends && is_empty) kept.resize(kept.size() - 2);
    kept.push_back(token);
  }
  return kept;
}

bool Writer::in_unreached(const Declaration& declaration, std::size_t place) const {
  return std::any_of(declaration.members.begin(), declaration.members.end(), [&](const auto& member) {
    const bool inside = member->begin <= place && place < member->end;
    return inside && (!selection_.reached.contains(member.get()) || in_unreached(*member, place));
  });
}

/// `static` of members becomes `inline`; so does `constexpr` of functions that only run, which MSVC could not evaluate.
/// Tables begin at a cache line.
void Writer::specify(Tokens& tokens, const Declaration& declaration) const {
  const bool is_function = declaration.kind == Declaration::Kind::function;
  if (!is_function && declaration.kind != Declaration::Kind::variable) return;
  Head head(tokens);
  const bool is_table = head.has("Table"), was_static = head.has("static");
  const std::size_t place = was_static ? head.find("static") : head.find(tokens.front().text);
  if (was_static) head.erase(place);
  const bool asks = std::any_of(tokens.begin(), tokens.end(),
                                [](const Token& t) { return t.text == "__builtin_is_constant_evaluated"; });
  const bool only_runs = !selection_.at_compile_time.contains(&declaration) && !declaration.is_template && !asks;
  if (is_function && head.has("constexpr") && only_runs) {
    tokens[head.find("constexpr")].text = "inline";
  } else if (was_static && !head.has("inline") &&
             !(is_function && (head.has("constexpr") || declaration.is_template))) {
    head.insert(place, "inline");
  }
  if (is_table && !is_function) head.insert(head.has("inline") ? head.find("inline") : place, "alignas(64)");
}

/// The namespace or the opened struct that a declaration loses; empty for members of the method's own struct.
std::string Writer::scope_of(const Declaration& declaration) const {
  if (declaration.parent == nullptr) return declaration.scope;
  return declaration.parent == selection_.method ? "" : declaration.parent->name;
}

bool Writer::stands_elsewhere(const Declaration& declaration) const {
  return std::any_of(selection_.order.begin(), selection_.order.end(), [&](const Declaration* other) {
    if (stand_for_the_same(*other, declaration)) return false;
    const Tokens& tokens = other->tokens;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const bool is_it = tokens[i].kind == Token::Kind::name && tokens[i].text == declaration.name;
      if (is_it && (i == 0 || (tokens[i - 1].text != "::" && tokens[i - 1].text != "."))) return true;
    }
    return false;
  });
}

/// Within a scope its names stand without it.
void Writer::rename(Tokens& tokens, const std::string& scope) const {
  for (std::size_t i = 0; i < tokens.size() && !scope.empty(); ++i) {
    const auto found = names_.find(scope + "::" + tokens[i].text);
    const bool is_member = i > 0 && (tokens[i - 1].text == "." || tokens[i - 1].text == "::");
    if (found != names_.end() && !is_member) tokens[i].text = found->second;
  }
}

}  // namespace slidebench
