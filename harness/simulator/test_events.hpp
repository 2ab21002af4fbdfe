// SPDX-License-Identifier: MIT
//
// For tests: memory events made by hand, and a listener that keeps them.
#pragma once

#include <span>
#include <vector>

#include "harness/simulator/address_space.hpp"
#include "harness/simulator/memory_event.hpp"

namespace slidebench {

inline constexpr Owner test_owner = encode_query(QueryKind::rook, 0);

inline MemoryEvent access_at(std::uint64_t address, std::uint16_t bytes = 8, Owner owner = test_owner) {
  return {address, bytes, 0, owner, MemoryEvent::Kind::access};
}

inline MemoryEvent node_event_with(NodeTag tag) { return {tag, 0, 0, 0, MemoryEvent::Kind::node}; }

/// Reads the lines with these numbers, counted from the start of the space's first region.
inline std::vector<MemoryEvent> read_lines(const AddressSpace& space, std::span<const std::uint32_t> lines) {
  std::vector<MemoryEvent> events;
  for (const std::uint32_t line : lines) events.push_back(access_at(space.regions()[0].address + 64ull * line));
  return events;
}

/// One table of that many bytes, and nothing else.
inline AddressSpace one_table(std::size_t bytes, bool large_pages = false) {
  const TableInfo table{"table", nullptr, bytes};
  return AddressSpace(std::span(&table, 1), Pressure{}, large_pages);
}

class EventRecorder : public EventConsumer {
 public:
  void consume(std::span<const MemoryEvent> batch) override { events.insert(events.end(), batch.begin(), batch.end()); }
  std::vector<MemoryEvent> events;
};

}  // namespace slidebench
