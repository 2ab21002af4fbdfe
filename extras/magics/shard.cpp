// SPDX-License-Identifier: MIT
#include "extras/magics/shard.hpp"

#include <algorithm>

#include "extras/magics/random.hpp"
#include "harness/base/errors.hpp"
#include "harness/base/text.hpp"

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
  if (const std::size_t slash = text.find('/'); slash != std::string::npos) {
    const auto index = parse_number<unsigned>(text.substr(0, slash)),
               count = parse_number<unsigned>(text.substr(slash + 1));
    if (index && count && *index >= 1 && *index <= *count && *count <= most_shards) return {*index, *count};
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
