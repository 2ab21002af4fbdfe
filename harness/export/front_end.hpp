// SPDX-License-Identifier: MIT
//
// The methods' C++ as Clang reads it: which declarations a method's headers have, and which of them each one uses.
//
// libclang is given the embedded sources as files that are not on the disk, and standard.hpp in place of the standard
// library, so that an export is the same on every machine.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/export/sources.hpp"

namespace slidebench {

/// A piece of source text that is no white space.
struct Token {
  enum class Kind { name, other, comment };
  std::string space;  ///< what stands before it
  std::string text;
  Kind kind = Kind::other;
  std::size_t place = 0;  ///< in its file
};

/// A function, variable or type of the methods' headers, at namespace level or in a struct.
struct Declaration {
  enum class Kind { function, variable, record, other };

  Kind kind = Kind::other;
  std::string name;
  std::string scope;          ///< the namespaces that it stands in below slidebench, "reference" or ""
  std::vector<Token> tokens;  ///< whole lines, with the comment above; ends with a token of white space alone
  std::size_t begin = 0;      ///< of the tokens in the file
  std::size_t end = 0;
  bool is_constant = false;  ///< a variable that is evaluated at compile time
  bool is_template = false;
  bool has_template_base = false;
  bool is_instantiated = false;                       ///< a struct with data, or a function of its objects
  bool has_vector_operators = false;                  ///< computes with vectors by operators, which GCC and Clang have
  Declaration* parent = nullptr;                      ///< the struct that it is a member of
  std::vector<std::unique_ptr<Declaration>> members;  ///< those that can be left out; its data are part of itself
  std::vector<Declaration*> uses;                     ///< by it and not by its members, each once, in their order
  std::vector<Declaration*> bases;
  std::set<std::string> vector_headers;  ///< immintrin.h, arm_neon.h, arm_sve.h: where what it uses is declared
  std::vector<std::string> conditions;   ///< of the #if blocks around it, "defined(__AVX2__)"
  std::size_t number = 0;                ///< its place among all
};

/// All declarations that a method's header brings, in their order.
struct FrontEndResult {
  std::vector<std::unique_ptr<Declaration>> declarations;
  std::vector<std::string> guards;  ///< the #if blocks around #error, whole
  std::string level;                ///< what it was read for
};

/// The levels of instructions, lowest first: "v1" to "v4" of x86-64, "a64", "sve2", "sve2-bitperm" of AArch64.
const std::vector<std::string>& front_end_levels();

/// Reads a method for a level; an empty one is the lowest that its headers compile for. Throws UserError where they do
/// not.
FrontEndResult read_method(const MethodSource& method, const std::string& level);

}  // namespace slidebench
