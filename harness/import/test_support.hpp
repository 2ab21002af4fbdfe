// SPDX-License-Identifier: MIT
//
// For tests: nodes as texts.
#pragma once

#include <fmt/core.h>

#include <span>
#include <string>

#include "harness/trace/block.hpp"

namespace slidebench::test {

/// A node as a text, such as "make eval ff: x0 r1": event, flags, occupancy in hexadecimal, queries.
inline std::string text_of_node(Bitboard occupied, NodeTag tag, std::span<const QueryCode> queries) {
  constexpr const char* events[] = {"root", "make", "unmake", "null"};
  std::string node = events[static_cast<std::size_t>(node_event(tag))];
  if ((tag & evaluated_flag) != 0) node += " eval";
  if ((tag & probed_flag) != 0) node += " probe";
  if ((tag & continued_flag) != 0) node += " more";
  node += fmt::format(" {:x}:", occupied);
  for (const QueryCode query : queries) {
    node += fmt::format(" {}{}", "brqx"[static_cast<std::size_t>(query_kind(query))], query_square(query));
  }
  return node;
}

}  // namespace slidebench::test
