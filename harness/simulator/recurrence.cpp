// SPDX-License-Identifier: MIT
#include "harness/simulator/recurrence.hpp"

#include <algorithm>

#include "methods/magic/magic_factors.hpp"

namespace slidebench {
namespace {

constexpr std::size_t sets_per_line = 64 / sizeof(Bitboard);

// Fancy magic: 102,400 rook sets, 5,248 bishop sets, and a record of a line for each square.
constexpr std::size_t fancy_bishop_sets = 102'400;
constexpr std::size_t fancy_records = (fancy_bishop_sets + 5'248) / sets_per_line;
constexpr std::size_t fancy_lines = fancy_records + 64;

// Plain magic: 4,096 rook sets per square, 512 bishop sets per square, and records of half a line.
constexpr std::size_t plain_bishop_sets = std::size_t{64} * 4096;
constexpr std::size_t plain_records = (plain_bishop_sets + std::size_t{64} * 512) / sets_per_line;
constexpr std::size_t plain_lines = plain_records + 32;

constexpr Bitboard mask_of(bool rook, Square s) { return rook ? rook_relevant(s) : bishop_relevant(s); }

}  // namespace

RecurrenceFinder::RecurrenceFinder() : relevant_{}, epochs_(2) {
  for (unsigned code = 0; code < relevant_.size(); ++code) {
    const auto query = static_cast<QueryCode>(code);
    relevant_[code] = relevant_squares(query_kind(query), query_square(query));
  }
}

RecurrenceFinder::Slot& RecurrenceFinder::find(Epoch& epoch, Bitboard relevant_occupancy, QueryCode query) {
  // Fibonacci hashing: the top bits of a product with 2^64 divided by the golden ratio.
  constexpr std::uint64_t golden = 0x9E3779B97F4A7C15;
  constexpr int shift = 64 - std::countr_zero(std::tuple_size_v<Epoch>);
  std::uint64_t index = ((relevant_occupancy ^ (query * golden)) * golden) >> shift;
  for (;; index = (index + 1) % epoch.size()) {
    Slot& slot = epoch[index];
    if (slot.position == 0 || (slot.query == query && slot.relevant_occupancy == relevant_occupancy)) return slot;
  }
}

std::uint64_t RecurrenceFinder::add(QueryCode query, Bitboard occupied) {
  if (position_ % window == 0) epochs_[position_ / window % 2].fill({});
  Epoch& current = epochs_[position_ / window % 2];
  Epoch& before = epochs_[(position_ / window + 1) % 2];
  ++position_;
  const Bitboard relevant_occupancy = occupied & relevant_[query];
  Slot& slot = find(current, relevant_occupancy, query);
  const std::uint64_t last = slot.position != 0 ? slot.position : find(before, relevant_occupancy, query).position;
  slot = {relevant_occupancy, query, position_};
  const std::uint64_t distance = position_ - last;
  return last != 0 && distance <= window ? distance : 0;
}

TableLines::TableLines() {
  std::uint32_t rooks = 0;
  std::uint32_t bishops = fancy_bishop_sets;
  for (Square s = 0; s < 64; ++s) {
    first_set_[0][s] = bishops;
    first_set_[1][s] = rooks;
    bishops += 1u << std::popcount(mask_of(false, s));
    rooks += 1u << std::popcount(mask_of(true, s));
  }
  for (Count& count : counts_[fancy]) count.seen_in.resize(fancy_lines);
  for (Count& count : counts_[plain]) count.seen_in.resize(plain_lines);
}

void TableLines::add(QueryCode query, Bitboard occupied) {
  const Square s = query_square(query);
  touch(fancy, fancy_records + s);
  touch(plain, plain_records + s / 2);
  if (query_kind(query) != QueryKind::rook) touch_sets(false, s, occupied);
  if (query_kind(query) != QueryKind::bishop) touch_sets(true, s, occupied);
  ++queries_;
  for (auto& layout : counts_) {
    for (std::size_t i = 0; i < windows.size(); ++i) {
      if (queries_ % windows[i] != 0) continue;
      layout[i].lines_before += layout[i].lines;
      layout[i].lines = 0;
    }
  }
}

void TableLines::touch_sets(bool rook, Square s, Bitboard occupied) {
  const Bitboard mask = mask_of(rook, s);
  const std::uint64_t product = (occupied & mask) * (rook ? rook_factors[s] : bishop_factors[s]);
  touch(fancy, (first_set_[rook][s] + (product >> (64 - std::popcount(mask)))) / sets_per_line);
  touch(plain,
        (rook ? s * std::size_t{4096} + (product >> 52) : plain_bishop_sets + s * std::size_t{512} + (product >> 55)) /
            sets_per_line);
}

void TableLines::touch(Layout layout, std::size_t line) {
  for (std::size_t i = 0; i < windows.size(); ++i) {
    Count& count = counts_[layout][i];
    const auto stretch = static_cast<std::uint32_t>(queries_ / windows[i] + 1);
    count.lines += count.seen_in[line] != stretch;
    count.seen_in[line] = stretch;
  }
}

std::optional<double> TableLines::mean(Layout layout, std::size_t window) const {
  const std::uint64_t stretches = queries_ / windows[window];
  if (stretches == 0) return std::nullopt;
  return static_cast<double>(counts_[layout][window].lines_before) / static_cast<double>(stretches);
}

}  // namespace slidebench
