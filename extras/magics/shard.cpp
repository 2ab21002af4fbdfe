// SPDX-License-Identifier: MIT
#include "extras/magics/shard.hpp"

#include <algorithm>
#include <charconv>

#include "extras/magics/random.hpp"
#include "harness/base/errors.hpp"

namespace slidebench {
namespace {

constexpr unsigned most_shards = 1'000'000;

void keep_fewer_bits(FactorRows& best, const FactorRows& rows) {
  for (std::size_t s = 0; s < best.size(); ++s) {
    if (rows[s].second < best[s].second) best[s] = rows[s];
  }
}

}  // namespace

Shard parse_shard(const std::string& text) {
  Shard shard;
  const char* const end = text.data() + text.size();
  const auto [slash, bad_index] = std::from_chars(text.data(), end, shard.index);
  if (bad_index == std::errc{} && slash != end && *slash == '/') {
    const auto [rest, bad_count] = std::from_chars(slash + 1, end, shard.count);
    const bool fits = shard.index >= 1 && shard.index <= shard.count && shard.count <= most_shards;
    if (bad_count == std::errc{} && rest == end && fits) return shard;
  }
  throw UserError("'" + text + "' is no shard; give its number and how many there are, as in --shard 3/100");
}

std::uint64_t shard_seed(std::uint64_t seed, const Shard& shard) {
  if (shard.count == 1) return seed;
  magic::Random seeds(seed);
  for (unsigned i = 1; i < shard.index; ++i) seeds.next();
  return seeds.next();
}

FactorFile best_of(std::span<const FactorFile> files) {
  if (files.empty()) throw UserError("nothing to merge; name the files that the shards have written");
  FactorFile best = files.front();
  const MagicVariant& variant = *best.variant;
  const bool by_square = variant.name == "dense";
  if (!by_square && !variant.has_slots) {
    throw UserError("factors of the variant " + std::string(variant.name) + " are all equally good; take any one file");
  }
  for (const FactorFile& file : files.subspan(1)) {
    if (file.variant != best.variant) {
      throw UserError("factors of the variants " + std::string(variant.name) + " and " +
                      std::string(file.variant->name) + " do not merge; give files of one variant");
    }
    if (by_square) {
      keep_fewer_bits(best.bishop, file.bishop);
      keep_fewer_bits(best.rook, file.rook);
    } else if (file.slots < best.slots) {
      best = file;
    }
  }
  return best;
}

}  // namespace slidebench
