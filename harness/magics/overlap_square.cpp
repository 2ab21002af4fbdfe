// SPDX-License-Identifier: MIT
#include "harness/magics/overlap_square.hpp"

#include <algorithm>

namespace slidebench::overlap {
namespace {

Bitboard subset_of(const std::vector<unsigned>& images, std::size_t subset) {
  Bitboard occupied = 0;
  for (std::size_t j = 0; j < images.size(); ++j) {
    if ((subset >> j & 1) != 0) occupied |= bit(images[j]);
  }
  return occupied;
}

}  // namespace

ArrayShape::ArrayShape(magic::Piece piece_, Square square_, bool black_)
    : piece(piece_),
      square(square_),
      black(black_),
      mask(magic::relevant(piece_, square_)),
      shift(piece_ == magic::Piece::rook ? 52 : 55) {
  for (Bitboard rest = mask; rest != 0; rest ^= bit(highest_square(rest))) images.push_back(highest_square(rest));
  std::vector<Bitboard> known;
  for (std::size_t subset = 0; subset < std::size_t{1} << images.size(); ++subset) {
    const Bitboard attacked = magic::attacks(piece, square, subset_of(images, subset));
    const auto found = std::find(known.begin(), known.end(), attacked);
    attacks.push_back(static_cast<std::uint8_t>(found - known.begin()));
    if (found == known.end()) known.push_back(attacked);
  }
}

unsigned CellCounter::count(const ArrayShape& shape, std::uint64_t factor, std::uint64_t origin, std::size_t count,
                            unsigned limit) {
  const unsigned shift = shape.shift;
  const std::uint64_t epoch = ++epoch_;
  sums_[0] = origin;
  cells_[origin >> shift] = epoch << 8 | shape.attacks[0];
  unsigned used = 0;
  used_[used++] = static_cast<std::uint16_t>(origin >> shift);
  for (std::size_t j = 0; j < count; ++j) {
    const std::uint64_t image = factor << shape.images[j];
    const std::size_t half = std::size_t{1} << j;
    for (std::size_t i = 0; i < half; ++i) {
      const std::uint64_t sum = sums_[i] + image;
      sums_[half + i] = sum;
      const std::uint64_t wanted = epoch << 8 | shape.attacks[half + i];
      const std::size_t index = sum >> shift;
      std::uint64_t& cell = cells_[index];
      if (cell == wanted) continue;
      if (cell >> 8 == epoch) return 0;
      cell = wanted;
      used_[used++] = static_cast<std::uint16_t>(index);
    }
    if (used > limit) return 0;
  }
  return used;
}

unsigned CellCounter::count_child(const ArrayShape& shape, std::uint64_t factor, std::size_t count,
                                  unsigned parent_used) {
  const std::uint64_t image = factor << shape.images[count];
  const std::size_t half = std::size_t{1} << count;
  const std::uint64_t child_epoch = ++child_epoch_;
  unsigned used = parent_used;
  for (std::size_t i = 0; i < half; ++i) {
    const std::size_t index = (sums_[i] + image) >> shape.shift;
    const std::uint64_t set = shape.attacks[half + i];
    const std::uint64_t cell = cells_[index];
    if (cell == (epoch_ << 8 | set)) continue;
    if (cell >> 8 == epoch_) return 0;
    std::uint64_t& child = child_cells_[index];
    if (child == (child_epoch << 8 | set)) continue;
    if (child >> 8 == child_epoch) return 0;
    child = child_epoch << 8 | set;
    used_[used++] = static_cast<std::uint16_t>(index);
  }
  return used;
}

unsigned CellCounter::blocks(unsigned cells, unsigned size_log) {
  ++block_epoch_;
  unsigned blocks = 0;
  for (std::size_t i = 0; i < cells; ++i) {
    std::uint64_t& block = blocks_[used_[i] >> size_log];
    blocks += block != block_epoch_ ? 1 : 0;
    block = block_epoch_;
  }
  return blocks;
}

}  // namespace slidebench::overlap
