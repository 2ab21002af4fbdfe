// SPDX-License-Identifier: MIT
//
// How much of its tables a method really uses: different lines by table and by query, and in windows of queries.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/simulator/address_space.hpp"
#include "harness/simulator/memory_event.hpp"

namespace slidebench {

/// Counts the different cache lines that the method itself touches. Ignores pressure and trace.
class Coverage : public EventConsumer {
 public:
  /// @param space           has to outlive the analyser
  /// @param window_queries  the length of a window, see lines_per_window()
  explicit Coverage(const AddressSpace& space, std::uint32_t line_bytes = cache_line_bytes,
                    std::uint64_t window_queries = 1000);

  void consume(std::span<const MemoryEvent> events) override;

  /// Different lines of all tables, of one table, and of all tables for one kind and square (or for updates).
  std::uint64_t lines() const { return count(all_); }
  std::uint64_t lines_of_region(std::uint16_t region) const;
  std::uint64_t lines_of_owner(Owner owner) const { return count(by_owner_[owner]); }

  /// The mean number of different lines in a window of queries; windows follow each other, a rest is left out.
  /// 0 before the first window is full.
  double lines_per_window() const;

 private:
  using Bits = std::vector<std::uint64_t>;

  void touch(std::uint64_t line, Owner owner);
  static std::uint64_t count(const Bits& bits);

  const AddressSpace& space_;
  unsigned shift_;
  std::uint64_t window_queries_;
  std::size_t words_;           ///< of a set of lines
  Bits all_;                    ///< by line
  std::vector<Bits> by_owner_;  ///< empty until the owner reads something

  std::vector<std::uint32_t> last_window_;  ///< by line: the window that saw it last, counted from 1
  std::uint64_t queries_ = 0;
  std::uint32_t window_ = 1;
  std::uint64_t lines_in_window_ = 0;
  std::uint64_t lines_in_full_windows_ = 0;
};

}  // namespace slidebench
