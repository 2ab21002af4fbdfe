// SPDX-License-Identifier: MIT
//
// A search in several independent parts, and the best of what they found.
//
// Every part ("shard") searches with a seed of its own: the i-th word of the SplitMix64 stream that begins at the
// search's seed. Its output function is a bijection and its states do not repeat, so no two shards of a search share a
// seed, on whatever machines they run.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "extras/magics/factor_file.hpp"

namespace slidebench {

/// Part `index` of `count`, from 1 on.
struct Shard {
  unsigned index = 1;
  unsigned count = 1;
};

/// Reads "3/100". Throws UserError, one line, for anything else.
Shard parse_shard(const std::string& text);

/// The seed that a shard searches with; the search's own seed if there is only one shard.
std::uint64_t shard_seed(std::uint64_t seed, const Shard& shard);

/// The best of several files of one variant: of `dense` square by square, the factor of the fewest index bits; of the
/// tables of one piece (fixed_shift, overlapped, black) the one of the fewest slots. The first of equal ones.
/// Precondition: the files are magic (check_factors).
/// @throws UserError if there is no file, they are not of one variant, or all files of the variant are equally good
FactorFile best_of(std::span<const FactorFile> files);

}  // namespace slidebench
