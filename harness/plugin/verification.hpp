// SPDX-License-Identifier: MIT
//
// Verification before all timing: no method is timed, or believed, before it has answered everything right.
//
// A slider's attacks depend on its relevant occupancy only, so correctness can be proved, not sampled, as far as other
// squares do not matter: bishops and rooks on every occupancy of their lines, ends included (71,168 and 1,048,576),
// queens and `both` on every joint relevant occupancy of the two (6,946,816). What stands on other squares is sampled:
// nothing, something on one or on all, noise. So are sets of sliders, batches, random boards and a real game.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "harness/plugin/abi.hpp"

namespace slidebench {

struct VerificationOptions {
  std::uint64_t seed = 1;
  std::uint64_t random_boards = 200'000;
  std::size_t joint_every = 1;  ///< of the joint occupancies of queens every Nth is asked; 1: all
  std::string trace = {};       ///< a file that an extra's modules follow as well; none if empty
};

/// What verification found: how many answers were compared, and the first wrong one in words.
struct VerificationResult {
  std::uint64_t answers = 0;
  std::optional<std::string> counter_example;
};

/// The occupancies of Morphy - Hart, London 1857 (1-0), from the start to the last move: captures, an en passant
/// capture, castling on both wings and a promotion in 45 plies.
std::span<const Bitboard> verification_game_occupancies();

/// Checks an initialised method, by its queries and its board. Those of family "baseline" give no attack sets and must
/// not be passed.
/// @param game  the occupancies along which the board is followed
VerificationResult verify_method(const PluginDescriptor& method, const VerificationOptions& options = {},
                                 std::span<const Bitboard> game = verification_game_occupancies());

namespace engine {

/// Compares perft with published counts, and a search with that of the ray-walking engine of the host; what is compared
/// is leaves and nodes. An engine is compiled apart from the module's queries, and a method that keeps a table of its
/// own for each source file can be right there and wrong here. Modules without an engine pass.
VerificationResult verify_engine(const EngineKernels& engine);

}  // namespace engine

}  // namespace slidebench
