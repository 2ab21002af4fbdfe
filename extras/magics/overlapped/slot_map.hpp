// SPDX-License-Identifier: MIT
//
// The free and used slots of the common table, arranged so that many places for an array are tried at once.
//
// An array fits at `first` if all slots first + index are free. For 256 consecutive values of first, the slots
// first + index of one index are 256 consecutive bits of the map: the OR of these windows over the indices of an array
// is 0 exactly where it fits. After a few indices no 0 is left in a crowded map. Eight copies, each shifted by one bit
// more, make every window begin at a byte.
#pragma once

#include <algorithm>
#include <cstring>
#include <optional>

#include "extras/magics/overlapped/candidate.hpp"

namespace slidebench::overlap {

class SlotMap {
 public:
  /// Slots; arrays that share nothing at all take about 300,000.
  static constexpr std::size_t capacity = std::size_t{1} << 19;

  SlotMap() : bytes_(8 * copy_bytes) {}

  /// The lowest value of `first` in [from, to) at which the candidate fits.
  std::optional<std::uint32_t> find_fit(const Candidate& candidate, std::size_t from, std::size_t to) const {
    const Probes probes = locate(candidate);
    for (std::size_t block = from / 64 * 64; block < to; block += 256) {
      Window taken{};
      collect(probes, block, taken);
      for (std::size_t w = 0; w < 4; ++w) {
        for (std::uint64_t open = ~taken[w]; open != 0;) {
          const std::size_t first = block + 64 * w + pop_lowest(open);
          if (first >= from && first < to && fits(candidate, first)) return static_cast<std::uint32_t>(first);
        }
      }
    }
    return std::nullopt;
  }

  bool fits(const Candidate& candidate, std::size_t first) const {
    for (std::size_t w = candidate.lowest / 64; w <= candidate.highest / 64; ++w) {
      if ((candidate.cells[w] & word_at(first + 64 * w)) != 0) return false;
    }
    return true;
  }

  /// Takes or frees the slots of an array. Precondition: they are free, or taken by it.
  void toggle(const Candidate& candidate, std::size_t first) {
    for (std::size_t w = candidate.lowest / 64; w <= candidate.highest / 64; ++w) {
      const std::uint64_t word = candidate.cells[w];
      if (word == 0) continue;
      for (std::size_t copy = 0; copy < 8; ++copy) toggle_word(copy, first + 64 * w, word);
    }
  }

  /// 64 slots from any slot on: bit i is slot + i.
  std::uint64_t word_at(std::size_t slot) const {
    std::uint64_t word;
    std::memcpy(&word, bytes_.data() + byte_of(slot), sizeof word);
    return word;
  }

 private:
  using Probes = std::array<std::size_t, Candidate::probe_count>;
  using Window = std::uint64_t __attribute__((vector_size(32)));  // one register where there are 256-bit ones

  static constexpr std::size_t copy_bytes = capacity / 8 + 1024;

  /// Copy i holds slot s at bit s - i, so slot begins a byte of copy slot % 8.
  static std::size_t byte_of(std::size_t slot) { return slot % 8 * copy_bytes + slot / 8; }

  static Probes locate(const Candidate& candidate) {
    Probes probes;
    for (std::size_t i = 0; i < probes.size(); ++i) probes[i] = byte_of(candidate.probes[i]);
    return probes;
  }

  /// ORs the windows of the probes into `taken`, until nothing is free.
  void collect(const Probes& probes, std::size_t block, Window& taken) const {
    const unsigned char* begin = bytes_.data() + block / 8;
    for (std::size_t i = 0; i < probes.size(); i += 8) {
      for (std::size_t j = i; j < i + 8; ++j) {
        Window window;
        std::memcpy(&window, begin + probes[j], sizeof window);
        taken |= window;
      }
      if ((taken[0] & taken[1] & taken[2] & taken[3]) == ~std::uint64_t{0}) break;
    }
  }

  void toggle_word(std::size_t copy, std::size_t slot, std::uint64_t word) {
    if (slot < copy) {
      word >>= copy - slot;
      slot = copy;
    }
    const std::size_t byte = copy * copy_bytes + (slot - copy) / 8;
    const std::size_t offset = (slot - copy) % 8;
    std::uint64_t old;
    std::memcpy(&old, bytes_.data() + byte, sizeof old);
    old ^= word << offset;
    std::memcpy(bytes_.data() + byte, &old, sizeof old);
    if (offset != 0) bytes_[byte + 8] = static_cast<unsigned char>(bytes_[byte + 8] ^ word >> (64 - offset));
  }

  std::vector<unsigned char> bytes_;  ///< eight copies, little-endian
};

/// How well a candidate packs: the density of a table that consists of copies of it.
///
/// Neither the number of used cells nor the range tells how much of the holes other arrays can use: 600 cells scattered
/// over 4,096 may be worthless, while a comb of blocks fills up completely. Packing copies of the candidate, each at
/// the lowest place, measures that without knowing the others: the slots each copy adds are what it really takes.
class Rater {
 public:
  /// Slots that each copy adds in a table of copies, >= the number of used cells. Takes a fraction of a millisecond.
  double rate(const Candidate& candidate) {
    // About six times the index range of a rook (12 bits) or of a bishop (9 bits, so never above 512).
    const std::size_t total = candidate.highest < 512 ? 3'000 : 24'000;
    const std::size_t copies = std::max<std::size_t>(4, total / candidate.used);
    places_.clear();
    for (std::size_t i = 0; i < copies; ++i) {
      const auto first = map_.find_fit(candidate, 0, SlotMap::capacity - 8192);
      places_.push_back(*first);
      map_.toggle(candidate, *first);
    }
    const std::size_t last = *std::max_element(places_.begin(), places_.end());
    for (const std::uint32_t first : places_) map_.toggle(candidate, first);
    return static_cast<double>(last + candidate.range()) / static_cast<double>(copies);
  }

 private:
  SlotMap map_;
  std::vector<std::uint32_t> places_;
};

}  // namespace slidebench::overlap
