// SPDX-License-Identifier: MIT
//
// From the suite's way of writing a method to that of an engine, token by token: tables are arrays, and what stood in a
// struct or a namespace stands in the one of the export.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/export/front_end.hpp"

namespace slidebench {

/// What the accessors of methods/table.hpp stand for:
///   table.from(address)[i]   address[i]                 table.member(i, &R::m)   table[i].m
///   table.row(first)[i]      (table.data() + first)[i]  table.load128(i)         load128(&table[i])
///   table.data[i]            table[i]                   Table<T, n> t;           std::array<T, n> t{};
std::vector<Token> with_plain_tables(std::vector<Token> tokens);

/// Without `scope::` for the scopes given; a name after it is replaced by names[scope::name] where that is given.
std::vector<Token> without_scopes(std::vector<Token> tokens, const std::vector<std::string>& scopes,
                                  const std::map<std::string, std::string>& names);

std::string text_of(const std::vector<Token>& tokens);

}  // namespace slidebench
