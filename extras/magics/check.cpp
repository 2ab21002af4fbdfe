// SPDX-License-Identifier: MIT
#include "extras/magics/check.hpp"

#include <functional>
#include <vector>

#include "extras/magics/overlapped/table.hpp"
#include "extras/magics/square_problem.hpp"
#include "methods/magic/split32_fold.hpp"

namespace slidebench {
namespace {

using magic::Piece;
using magic::square_text;

/// A square's hash: how many slots its array has, and which of them an occupancy leads to.
struct Hash {
  std::size_t slots;
  std::function<std::size_t(Bitboard)> index;
};

Hash hash_of(const MagicVariant& variant, Piece piece, Square s, const FactorRow& row) {
  const unsigned n = magic::relevant_bits(piece, s);
  if (variant.name == "split32") {
    return {std::size_t{1} << n, [row, n](Bitboard o) {
              const auto low = static_cast<std::uint32_t>(static_cast<std::uint32_t>(o) * row.factor);
              const auto high = static_cast<std::uint32_t>((o >> 32) * row.second);
              return std::size_t{(low ^ high) >> (32 - n)};
            }};
  }
  if (variant.name == "split32_fold") {
    return {std::size_t{1} << n, [row, n](Bitboard o) {
              return std::size_t{(split32_fold(o) * static_cast<std::uint32_t>(row.factor)) >> (32 - n)};
            }};
  }
  if (variant.has_slots) {
    const bool black = variant.is_black();
    return {std::size_t{piece == Piece::bishop ? 512u : 4096u},
            [=](Bitboard o) { return overlap_slot(piece, s, o, row, black) - row.second; }};
  }
  const unsigned bits = variant.name == "dense" ? static_cast<unsigned>(row.second) : n;
  return {std::size_t{1} << bits, [row, bits](Bitboard o) { return (o * row.factor) >> (64 - bits); }};
}

/// What is wrong with a row before any occupancy is tried.
std::optional<std::string> flaw(const MagicVariant& variant, Piece piece, Square s, const FactorRow& row) {
  const unsigned n = magic::relevant_bits(piece, s);
  if (variant.name == "dense" && row.second != n && row.second + 1 != n) {
    return square_text(piece, s) + ": " + std::to_string(row.second) + " index bits for " + std::to_string(n) +
           " relevant squares";
  }
  if (variant.name == "packed_shift" && row.factor >> 58 != 64 - n) {
    return square_text(piece, s) + ": the factor's top six bits are not its shift, " + std::to_string(64 - n);
  }
  return std::nullopt;
}

void check_square(const MagicVariant& variant, Piece piece, Square s, const FactorRow& row, MagicsReport& report) {
  if (report.counter_example) return;
  report.counter_example = flaw(variant, piece, s, row);
  if (report.counter_example) return;
  const Hash hash = hash_of(variant, piece, s, row);
  const magic::SquareProblem problem = magic::square_problem(piece, s);
  if (const auto collision = magic::find_collision(problem, hash.slots, hash.index)) {
    report.counter_example = square_text(piece, s) + ": the occupancies " + hexadecimal(collision->first, 16) +
                             " and " + hexadecimal(collision->second, 16) + " share a slot, but not their attacks";
    return;
  }
  std::vector<bool> used(hash.slots, false);
  for (const Bitboard occupied : problem.occupancies) used[hash.index(occupied)] = true;
  for (const bool slot : used) report.used += slot ? 1 : 0;
  report.entries += hash.slots;
}

/// The arrays of different squares in one table.
void check_table(const FactorFile& file, MagicsReport& report) {
  report.entries = file.slots;
  if (report.counter_example) return;
  const Filling filling = fill(file);
  if (const auto& conflict = filling.conflict) {
    report.counter_example = square_text(conflict->piece, conflict->square) + ": occupancy " +
                             hexadecimal(conflict->occupied, 16) + " leads to slot " + std::to_string(conflict->slot) +
                             ", which holds another attack set";
  } else if (filling.slots != file.slots) {
    report.counter_example =
        "the table has " + std::to_string(filling.slots) + " slots, not " + std::to_string(file.slots);
  }
}

}  // namespace

MagicsReport check_factors(const FactorFile& file) {
  MagicsReport report;
  for (Square s = 0; s < square_count; ++s) {
    check_square(*file.variant, Piece::bishop, s, file.bishop[s], report);
    if (file.variant->has_rooks) check_square(*file.variant, Piece::rook, s, file.rook[s], report);
  }
  if (file.variant->has_slots) check_table(file, report);
  return report;
}

}  // namespace slidebench
