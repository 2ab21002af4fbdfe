// SPDX-License-Identifier: MIT
//
// The `random` trace: the usual micro-benchmark, which resembles no game, kept as the contrast.
//
// Every node is a root. Its occupancy is two random words and-ed (16 squares on average, anywhere). It has one query of
// each kind, bishop, rook, queen, both, on four random squares, occupied or not. Its slider sets: two bishops, two
// rooks and a queen for white, then for black, each on a random occupied square that no other piece has taken; when the
// occupied squares run out, the remaining pieces are left out. Every second node is evaluated, as in the game trace.
//
// The numbers come from std::mt19937_64, whose output the C++ standard fixes, and not through standard distributions,
// whose output it does not fix. So a seed gives the same bytes everywhere.
//
// Provenance: {"kind": "random", "nodes", "seed", "recipe", "sources": [], "slidebench"}.
#pragma once

#include <cstdint>
#include <string>

namespace slidebench {

struct RandomTraceOptions {
  std::uint64_t nodes = 65'536;  ///< at least 1
  std::uint64_t seed = 1;
};

/// Builds a random trace.
/// @param out  the trace; compressed if the name ends in .zst
/// @throws UserError  the output cannot be written
void build_random_trace(const std::string& out, const RandomTraceOptions& options = {});

}  // namespace slidebench
