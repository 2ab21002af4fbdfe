// SPDX-License-Identifier: MIT
//
// From the suite's way of writing a method to that of an engine: its tables without the wrapper that can report reads,
// its functions of C++20 by the compilers' own, no description for the suite.
//
// It is a rewriting of text, and sees the methods' headers only: they are formatted alike, and read tables through the
// accessors of methods/table.hpp alone. Every export is compiled and checked by harness/export/test_export.py.
#pragma once

#include <string>
#include <string_view>

namespace slidebench {

/// The text with every `old` replaced.
std::string replaced(std::string text, std::string_view old, std::string_view by);

/// What the accessors stand for:
///   table.from(address)[i]   address[i]               table.load128(i)    _mm_loadu_si128(&table.data[i])
///   table.row(first)[i]      (table.data + first)[i]  table.load256(i)    _mm256_loadu_si256(&table.data[i])
///   table.member(i, &R::m)   table[i].m
std::string with_plain_tables(std::string text);

/// Without the members `info` and `tables`.
std::string without_description(std::string text);

/// <bit> by built-in functions. Where the set can be empty, the methods do not ask.
std::string with_builtin_functions(std::string text);

}  // namespace slidebench
