// SPDX-License-Identifier: MIT
#include "harness/trace/random_trace.hpp"

#include <fmt/core.h>

#include <array>
#include <nlohmann/json.hpp>
#include <random>

#include "harness/trace/writer.hpp"

namespace slidebench {
namespace {

/// A random square: the top six bits of a random word.
Square random_square(std::mt19937_64& random) { return static_cast<Square>(random() >> 58); }

/// Takes a random square out of `set` and returns it as a set; the empty set if there is none left.
Bitboard take_random(std::mt19937_64& random, Bitboard& set) {
  if (set == 0) return 0;
  Bitboard rest = set;
  for (std::uint64_t skip = random() % static_cast<std::uint64_t>(std::popcount(set)); skip > 0; --skip)
    rest &= rest - 1;
  const Bitboard chosen = bit(lowest_square(rest));
  set ^= chosen;
  return chosen;
}

void place_sliders(std::mt19937_64& random, Bitboard& free, Bitboard& diagonal, Bitboard& orthogonal) {
  for (int bishop = 0; bishop < 2; ++bishop) diagonal |= take_random(random, free);
  for (int rook = 0; rook < 2; ++rook) orthogonal |= take_random(random, free);
  const Bitboard queen = take_random(random, free);
  diagonal |= queen;
  orthogonal |= queen;
}

void add_random_node(TraceWriter& writer, std::mt19937_64& random, bool evaluated) {
  // Two statements: the order in which the operands of & are computed is not fixed.
  Bitboard occupied = random();
  occupied &= random();
  std::array<QueryCode, query_kinds> queries{};
  for (unsigned kind = 0; kind < query_kinds; ++kind) {
    queries[kind] = encode_query(static_cast<QueryKind>(kind), random_square(random));
  }
  Bitboard free = occupied;
  SliderSets sliders;
  place_sliders(random, free, sliders.white_diagonal, sliders.white_orthogonal);
  place_sliders(random, free, sliders.black_diagonal, sliders.black_orthogonal);
  writer.add_node(occupied, evaluated ? evaluated_flag : NodeTag{0}, sliders, queries);
}

}  // namespace

void build_random_trace(const std::string& out, const RandomTraceOptions& options) {
  std::mt19937_64 random(options.seed);
  TraceWriter writer(out);
  for (std::uint64_t i = 0; i < options.nodes; ++i) add_random_node(writer, random, i % 2 == 1);
  writer.finish({{"kind", "random"},
                 {"nodes", options.nodes},
                 {"seed", options.seed},
                 {"recipe", fmt::format("slidebench trace random --nodes {} --seed {}", options.nodes, options.seed)},
                 {"sources", nlohmann::json::array()},
                 {"slidebench", SLIDEBENCH_VERSION}});
}

}  // namespace slidebench
