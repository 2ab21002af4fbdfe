// SPDX-License-Identifier: MIT
//
// Declarations of the suite as members of one namespace: without the structs and namespaces that they stood in, without
// what nobody asks for, each laid out as a person would.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/export/selection.hpp"

namespace slidebench {

class Writer {
 public:
  /// Precondition: the selection outlives the writer.
  explicit Writer(const Selection& selection);

  /// The text of a declaration of selection.order.
  std::string text(const Declaration& declaration) const;

 private:
  using Tokens = std::vector<Token>;

  Tokens reached_tokens(const Declaration& declaration) const;
  bool in_unreached(const Declaration& declaration, std::size_t place) const;
  void specify(Tokens& tokens, const Declaration& declaration) const;
  std::string scope_of(const Declaration& declaration) const;
  bool stands_elsewhere(const Declaration& declaration) const;
  void rename(Tokens& tokens, const std::string& scope) const;

  const Selection& selection_;
  std::vector<std::string> scopes_;           ///< namespaces and structs that are dissolved
  std::map<std::string, std::string> names_;  ///< "scope::name": what it is called instead
};

}  // namespace slidebench
