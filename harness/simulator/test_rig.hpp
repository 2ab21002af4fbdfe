// SPDX-License-Identifier: MIT
//
// For tests: a simulator with a table of its own to read.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/simulator/cache_spec.hpp"
#include "harness/simulator/simulator.hpp"
#include "harness/simulator/test_events.hpp"

namespace slidebench {

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

}  // namespace slidebench
