// SPDX-License-Identifier: MIT
#include "reports/founding_texts/source_tables.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace slidebench::sources {
namespace {

using magic::Piece;

std::unordered_set<Bitboard> attack_sets(Piece piece, Square s) {
  std::unordered_set<Bitboard> sets;
  magic::for_each_occupancy(piece, s, [&](Bitboard, Bitboard attacks) { sets.insert(attacks); });
  return sets;
}

std::uint64_t slots_of(Piece piece, Square s, Bitboard dense) {
  const unsigned bits = magic::relevant_bits(piece, s) - ((dense & bit(s)) != 0 ? 1 : 0);
  return std::uint64_t{1} << bits;
}

}  // namespace

std::array<SetCount, 64> count_sets(Piece piece) {
  std::array<SetCount, 64> counts;
  for (Square s = 0; s < square_count; ++s) {
    counts[s] = {std::uint64_t{1} << magic::relevant_bits(piece, s), attack_sets(piece, s).size()};
  }
  return counts;
}

SetCount total(const std::array<SetCount, 64>& counts) {
  SetCount sum{};
  for (const SetCount& count : counts) sum = {sum.occupancies + count.occupancies, sum.sets + count.sets};
  return sum;
}

std::uint64_t distinct_bitboards(Piece piece) {
  std::unordered_set<Bitboard> all;
  for (Square s = 0; s < square_count; ++s) all.merge(attack_sets(piece, s));
  return all.size();
}

unsigned rank_sets(unsigned file) {
  std::set<Bitboard> sets;
  for (Bitboard rank = 0; rank < 256; ++rank) sets.insert(reference::rook(file, rank) & first_rank);
  return static_cast<unsigned>(sets.size());
}

std::uint64_t individual_slots(Piece piece, Bitboard dense) {
  std::uint64_t slots = 0;
  for (Square s = 0; s < square_count; ++s) slots += slots_of(piece, s, dense);
  return slots;
}

// clang-format off
const SharingMap rook_sharing = {
     0,  1,  2,  3,  4,  5,  6,  7,
     1,  0,  3,  2,  5,  4,  7,  6,
     8,  9, 10, 11, 12, 13, 14, 15,
     9,  8, 11, 10, 13, 12, 15, 14,
    16, 17, 18, 19, 20, 21, 22, 23,
    17, 16, 19, 18, 21, 20, 23, 22,
    24, 25, 26, 27, 28, 29, 30, 31,
    25, 24, 27, 26, 29, 28, 31, 30,
};
const SharingMap bishop_sharing = {
    0, 2,  4,  4,  4,  4, 12, 14,
    0, 2,  5,  5,  5,  5, 12, 14,
    0, 2,  6,  6,  6,  6, 12, 14,
    0, 2,  7,  7,  7,  7, 12, 14,
    1, 3,  8,  8,  8,  8, 13, 15,
    1, 3,  9,  9,  9,  9, 13, 15,
    1, 3, 10, 10, 10, 10, 13, 15,
    1, 3, 11, 11, 11, 11, 13, 15,
};
// clang-format on

bool sharing_is_valid(Piece piece, const SharingMap& groups) {
  for (Square s = 0; s < square_count; ++s) {
    for (Square t = s + 1; t < square_count; ++t) {
      if (groups[s] != groups[t]) continue;
      const Bitboard common = magic::attacks(piece, s, 0) & magic::attacks(piece, t, 0);
      const Bitboard always = magic::attacks(piece, s, ~Bitboard{0}) & magic::attacks(piece, t, ~Bitboard{0});
      if ((common & ~always) != 0) return false;
    }
  }
  return true;
}

std::uint64_t shared_slots(Piece piece, const SharingMap& groups, Bitboard dense) {
  std::array<std::uint64_t, 64> largest{};
  for (Square s = 0; s < square_count; ++s) {
    largest[groups[s]] = std::max(largest[groups[s]], slots_of(piece, s, dense));
  }
  std::uint64_t slots = 0;
  for (const std::uint64_t size : largest) slots += size;
  return slots;
}

std::vector<SizeClaim> size_claims() {
  constexpr std::uint64_t word = sizeof(Bitboard);
  const std::uint64_t rooks = individual_slots(Piece::rook);
  const std::uint64_t bishops = individual_slots(Piece::bishop);
  const std::uint64_t dense_rooks = individual_slots(Piece::rook, rook_dense_squares);
  const std::uint64_t dense_bishops = individual_slots(Piece::bishop, bishop_dense_squares);
  const std::uint64_t shared_bishops = shared_slots(Piece::bishop, bishop_sharing);
  const std::uint64_t rook_sets = total(count_sets(Piece::rook)).sets;
  const std::uint64_t bishop_sets = total(count_sets(Piece::bishop)).sets;
  return {
      {"first-rank attacks, all eight bits", "Dresden", "2 KByte", 256 * 8, "", ""},
      {"first-rank attacks, inner six bits", "Dresden", "1/2 KByte", 64 * 8, "", ""},
      {"rotated boards, one direction", "Dresden", "32 KByte", 64 * 64 * word, "rotated_hyatt",
       "our method is smaller: short diagonals get short arrays, ranks and files the first-rank table"},
      {"kindergarten, filled-up ranks", "Dresden", "4 KByte", 8 * 64 * word, "kindergarten",
       "the files need as much again"},
      {"congruent modulo 514, diagonals", "Dresden", "257 K", 514 * 64 * word, "congruent_modulo", ""},
      {"congruent modulo, all three arrays", "Dresden", "", (514 + 257 + 258) * 64 * word, "congruent_modulo",
       "only the first of the three sizes is printed"},
      {"plain magic, rooks", "wiki", "2048K, 2 MByte", 64 * 4096 * word, "magic_plain", ""},
      {"plain magic, bishops", "wiki", "256 K", 64 * 512 * word, "magic_plain", ""},
      {"fancy magic, rooks", "both", "about 800 KByte", rooks * word, "magic_fancy", "exactly 800 KiB"},
      {"fancy magic, bishops", "both", "about 38 KByte", bishops * word, "magic_fancy",
       "38 is the size with factors of one bit less, three rows down"},
      {"fancy magic, both", "both", "~840K", (rooks + bishops) * word, "magic_fancy", ""},
      {"fancy magic, one bit less where known, rooks", "wiki", "", dense_rooks * word, "magic_dense",
       "15 of 64 squares are known to have such a factor"},
      {"fancy magic, one bit less where known, bishops", "both", "", dense_bishops * word, "magic_dense",
       "24 of 64 squares; this is the 38 KByte above"},
      {"fixed shift, interleaved arrays", "wiki", "800 KByte and below", std::uint64_t{87'988} * word, "magic_black",
       "the best published table has 87,988 sets (black magic)"},
      {"byte numbers, plain layout", "wiki", "32 K + 256 K", 64 * 512 + 64 * 4096, "magic_byte", ""},
      {"the sets behind the bytes, rooks", "wiki", "39 K", rook_sets * word, "magic_byte", "rounded up"},
      {"the sets behind the bytes, bishops", "wiki", "11 K", bishop_sets * word, "magic_byte", ""},
      {"shared arrays, rooks and bishops", "wiki", "~400K",
       (shared_slots(Piece::rook, rook_sharing) + shared_bishops) * word, "magic_shared",
       "with the printed maps each corner rook still needs 4,096 slots; so the rooks shrink by 36 %, not by half"},
      {"the same with one bit less where known", "wiki", "~400K",
       (shared_slots(Piece::rook, rook_sharing, rook_dense_squares) + shared_bishops) * word, "",
       "still not 400, because a1 and h1 have no known factor of 11 bits"},
      {"the wished table, rooks", "wiki", "64KB", 8192 * word, "",
       "printed with 8196 entries, twice; 2^13 is 8192. "
       "[It cannot exist](../../methods/group_magics.md#the-wishing-dream)"},
      {"the wished table, bishops", "wiki", "16KB", 2048 * word, "",
       "[cannot exist](../../methods/group_magics.md#the-wishing-dream)"},
  };
}

bool is_injective_modulo(Bitboard line, unsigned modulus) {
  std::vector<bool> seen(modulus);
  Bitboard subset = 0;
  do {
    if (seen[subset % modulus]) return false;
    seen[subset % modulus] = true;
    subset = next_subset(subset, line);
  } while (subset != 0);
  return true;
}

std::vector<Bitboard> all_lines(Bitboard (*mask)(Square)) {
  std::set<Bitboard> lines;
  for (Square s = 0; s < square_count; ++s) lines.insert(mask(s) | bit(s));
  return {lines.begin(), lines.end()};
}

Bitboard inner(Bitboard line) { return line & ~bit(lowest_square(line)) & ~bit(highest_square(line)); }

bool fold_is_lossless(Piece piece, Square s, std::uint32_t (*fold)(std::uint32_t low, std::uint32_t high)) {
  std::unordered_map<std::uint32_t, Bitboard> sets;
  bool lossless = true;
  magic::for_each_occupancy(piece, s, [&](Bitboard occupied, Bitboard attacks) {
    const auto low = static_cast<std::uint32_t>(occupied);
    const auto high = static_cast<std::uint32_t>(occupied >> 32);
    lossless = sets.try_emplace(fold(low, high), attacks).first->second == attacks && lossless;
  });
  return lossless;
}

Bitboard lossless_squares(Piece piece, std::uint32_t (*fold)(std::uint32_t low, std::uint32_t high)) {
  Bitboard squares = 0;
  for (Square s = 0; s < square_count; ++s) squares |= fold_is_lossless(piece, s, fold) ? bit(s) : 0;
  return squares;
}

std::string square_name(Square s) { return {static_cast<char>('a' + file_of(s)), static_cast<char>('1' + rank_of(s))}; }

}  // namespace slidebench::sources
