// SPDX-License-Identifier: MIT
#include "harness/simulator/address_space.hpp"

#include <utility>

#include "harness/simulator/cache_system.hpp"

namespace slidebench {
namespace {

constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

bool is_large(const TableInfo& table) { return table_alignment(table.bytes) > 64; }

}  // namespace

AddressSpace::AddressSpace(std::span<const TableInfo> tables, const Pressure& pressure, bool large_pages)
    : regions_(tables.size()), table_count_(static_cast<std::uint16_t>(tables.size())), end_(large_page_bytes) {
  // The small tables first: behind a large one they would start a 2 MiB block each time.
  for (const bool large : {false, true}) {
    for (std::size_t i = 0; i < tables.size(); ++i) {
      if (is_large(tables[i]) != large) continue;
      place(tables[i].name, tables[i].bytes, large ? large_page_bytes : 64, large && large_pages);
      regions_[i] = std::move(regions_.back());
      regions_.pop_back();
    }
  }
  place("pressure", pressure.block_bytes(), large_page_bytes, large_pages);
  place("trace", 3 * trace_window_bytes, large_page_bytes, false);
}

void AddressSpace::place(std::string name, std::uint64_t bytes, std::uint64_t alignment, bool large) {
  // A region that is aligned to 2 MiB also keeps what follows out of its last 2 MiB block.
  const std::uint64_t address = round_up(end_, alignment);
  end_ = alignment == large_page_bytes ? round_up(address + bytes, large_page_bytes) : address + bytes;
  regions_.push_back({std::move(name), address, bytes});
  large_.resize(round_up(end_, large_page_bytes) >> large_page_shift, large ? 1 : 0);
}

}  // namespace slidebench
