// SPDX-License-Identifier: MIT
//
// The functions of bits that every compiler has under a name of its own: in exports each is one of four functions,
// which say once how GCC, Clang and MSVC call it.
#pragma once

#include <string>
#include <vector>

#include "harness/export/selection.hpp"

namespace slidebench {

/// std::popcount, __builtin_bswap64 and the like by the names of the four.
std::vector<Token> named_bit_functions(std::vector<Token> tokens);

/// The functions that a selection needs, in the namespace; empty where it needs none. Those that only tables are
/// computed by are loops, which need no compiler's help.
std::string bit_functions(const Selection& selection, const std::string& name_space);

/// An #error for MSVC in what GCC and Clang alone can compile; empty for all else.
std::string guard_of_msvc(const Selection& selection, std::string_view id);

}  // namespace slidebench
