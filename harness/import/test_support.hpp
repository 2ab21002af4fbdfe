// SPDX-License-Identifier: MIT
//
// For tests: two games in PGN, and nodes as texts.
#pragma once

#include <fmt/core.h>

#include <span>
#include <string>

#include "harness/trace/block.hpp"

namespace slidebench::test {

inline const std::string opera = R"([Event "Opera"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5
11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0

)";

inline const std::string immortal = R"([Event "Immortal"]
[Result "1-0"]

1. e4 e5 2. f4 exf4 3. Bc4 Qh4+ 4. Kf1 b5 5. Bxb5 Nf6 6. Nf3 Qh6 7. d3 Nh5 8. Nh4 Qg5 9. Nf5 c6 10. g4 Nf6 11. Rg1 cxb5
12. h4 Qg6 13. h5 Qg5 14. Qf3 Ng8 15. Bxf4 Qf6 16. Nc3 Bc5 17. Nd5 Qxb2 18. Bd6 Bxg1 19. e5 Qxa1+ 20. Ke2 Na6
21. Nxg7+ Kd8 22. Qf6+ Nxf6 23. Be7# 1-0

)";

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
