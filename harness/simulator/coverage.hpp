// SPDX-License-Identifier: MIT
//
// How much of its tables a method really uses: different lines by table and by query.
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
  /// @param space  has to outlive the analyser
  explicit Coverage(const AddressSpace& space);

  void consume(std::span<const MemoryEvent> events) override;

  /// Different lines of all tables, of one table, and of all tables for one kind and square (or for updates).
  std::uint64_t lines() const { return count(all_); }
  std::uint64_t lines_of_region(std::uint16_t region) const;
  std::uint64_t lines_of_owner(Owner owner) const { return count(by_owner_[owner]); }

 private:
  using Bits = std::vector<std::uint64_t>;

  static std::uint64_t count(const Bits& bits);

  const AddressSpace& space_;
  std::size_t words_;           ///< of a set of lines
  Bits all_;                    ///< by line
  std::vector<Bits> by_owner_;  ///< empty until the owner reads something
};

}  // namespace slidebench
