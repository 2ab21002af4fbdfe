// SPDX-License-Identifier: MIT
//
// For tests: memory events made by hand, a listener that keeps them, and a simulator with a table of its own to read.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "harness/simulator/address_space.hpp"
#include "harness/simulator/cache_spec.hpp"
#include "harness/simulator/memory_event.hpp"
#include "harness/simulator/simulator.hpp"

namespace slidebench {

inline constexpr Owner test_owner = encode_query(QueryKind::rook, 0);

inline MemoryEvent access_at(std::uint64_t address, std::uint16_t bytes = 8, Owner owner = test_owner) {
  return {address, bytes, 0, owner, MemoryEvent::Kind::access};
}

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

/// Numbers of lines, counted from the start of the table.
using Lines = std::vector<std::uint32_t>;

class Rig {
 public:
  explicit Rig(const std::string& caches, SimulatorOptions options = {}, bool large_pages = false)
      : space_(one_table(64u << 20, large_pages)), simulator_(parse_cache_system(caches), space_, options) {}

  void read(const Lines& lines) { simulator_.consume(read_lines(space_, lines)); }
  void read_at(std::uint64_t offset, std::uint16_t bytes) {
    const MemoryEvent event = access_at(space_.regions()[0].address + offset, bytes);
    simulator_.consume({&event, 1});
  }
  std::uint64_t misses(Level level) const { return simulator_.counts().at(level).misses.total(); }
  std::uint64_t accesses(Level level) const { return simulator_.counts().at(level).accesses.total(); }
  std::uint64_t misses_of(Level level, const Lines& lines) {
    simulator_.clear_counts();
    read(lines);
    return misses(level);
  }
  const MissCounts& counts() const { return simulator_.counts(); }

 private:
  AddressSpace space_;
  Simulator simulator_;
};

/// What a level misses of the second lines after the first.
inline std::uint64_t misses_after(const std::string& caches, const Lines& first, Level level, const Lines& second) {
  Rig rig(caches);
  rig.read(first);
  return rig.misses_of(level, second);
}

}  // namespace slidebench
