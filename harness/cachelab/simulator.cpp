// SPDX-License-Identifier: MIT
#include "harness/cachelab/simulator.hpp"

#include <algorithm>
#include <bit>

namespace slidebench {
namespace {

constexpr bool is_tag(Tag outcome) { return outcome < tag_hit; }

CacheSystem checked(const CacheSystem& system) {
  check(system);
  return system;
}

/// The physical page of every base page of the space. Those of a large page lie side by side. The highest bits are
/// lost: they choose no set.
std::vector<std::uint32_t> place_pages(const AddressSpace& space, const PagePlacement& placement, unsigned page_shift) {
  std::vector<std::uint32_t> frames((space.end() >> page_shift) + 1);
  const unsigned shift = large_page_shift - page_shift;
  for (std::uint64_t page = 0; page < frames.size(); ++page) {
    const std::uint64_t address = std::min(page << page_shift, space.end() - 1);
    const std::uint64_t within = page & ((std::uint64_t{1} << shift) - 1);
    frames[page] = static_cast<std::uint32_t>(space.on_large_page(address)
                                                  ? placement.physical_page(page >> shift) << shift | within
                                                  : placement.physical_page(page));
  }
  return frames;
}

}  // namespace

bool Simulator::Seen::add(Tag tag) {
  const std::size_t word = tag / 64;
  if (word >= bits_.size()) bits_.resize(2 * word + 1);
  const std::uint64_t bit = std::uint64_t{1} << (tag % 64);
  const bool is_new = (bits_[word] & bit) == 0;
  bits_[word] |= bit;
  return is_new;
}

Simulator::Cache::Cache(const CacheGeometry& geometry, std::uint32_t page_bytes, bool classify)
    : tags(static_cast<std::uint32_t>(geometry.sets()), geometry.ways, geometry.replacement),
      line_shift(static_cast<unsigned>(std::countr_zero(geometry.line_bytes))),
      set_mask(static_cast<std::uint32_t>(geometry.sets() - 1)),
      indexed_within_page(geometry.sets() * geometry.line_bytes <= page_bytes),
      inclusion(geometry.inclusion) {
  if (classify) fully_associative.emplace(static_cast<std::uint32_t>(geometry.lines()));
}

Simulator::Tlb::Tlb(const TlbGeometry& geometry, bool classify)
    : tags(geometry.sets(), geometry.ways, Replacement::lru), set_mask(geometry.sets() - 1) {
  if (classify) fully_associative.emplace(geometry.entries);
}

Simulator::Translations::Translations(const TlbLevel& level, bool classify)
    : base(level.base, classify), large_pages(level.large_pages) {
  if (level.large_pages == LargePages::separate) large.emplace(level.large, classify);
}

Simulator::Simulator(const CacheSystem& system, const AddressSpace& space, const SimulatorOptions& options)
    : space_(space),
      page_shift_(static_cast<unsigned>(std::countr_zero(system.page_bytes))),
      frames_(place_pages(space, PagePlacement(options.placement_seed), page_shift_)),
      l1_(checked(system).l1, system.page_bytes, options.classify),
      counts_(space.regions().size()) {
  if (system.l2.exists()) l2_.emplace(system.l2, system.page_bytes, options.classify);
  if (system.l3.exists()) l3_.emplace(system.l3, system.page_bytes, options.classify);
  if (system.dtlb.exists()) dtlb_.emplace(system.dtlb, options.classify);
  if (system.stlb.exists()) stlb_.emplace(system.stlb, options.classify);
}

void Simulator::consume(std::span<const MemoryEvent> events) {
  // Caches and TLBs do not know of each other. So each has a loop of its own, once for each kind of L1 and DTLB, so
  // that a hit needs no choice but hit or miss.
  std::visit([&](auto& l1) { run_caches(events, l1); }, l1_.tags.any());
  if (dtlb_) std::visit([&](auto& dtlb) { run_tlbs(events, dtlb); }, dtlb_->base.tags.any());
}

template <class Tags>
void Simulator::run_caches(std::span<const MemoryEvent> events, Tags& l1) {
  const unsigned line_shift = l1_.line_shift;
  const std::uint32_t mask = l1_.set_mask;
  const bool plain = l1_.indexed_within_page && !l1_.fully_associative;
  std::uint64_t* const accesses = counts_.at(Level::l1).accesses.cells();

  for (const MemoryEvent& event : events) {
    if (event.kind != MemoryEvent::Kind::access) {
      count_marker(event);
      continue;
    }
    const std::size_t cell = CountTable::cell(event.region, event.owner);
    const std::uint64_t last = event.address + event.bytes - 1;
    const auto line = static_cast<Tag>(event.address >> line_shift);
    if (plain && line == last >> line_shift) {
      ++accesses[cell];
      if (l1.access(line & mask, line) != tag_hit) miss_l1(event.address, cell);
    } else {
      touch_lines(event.address, last, cell);
    }
  }
}

template <class Tags>
void Simulator::run_tlbs(std::span<const MemoryEvent> events, Tags& dtlb) {
  const unsigned page_shift = page_shift_;
  const std::uint32_t mask = dtlb_->base.set_mask;
  const bool plain = !dtlb_->base.fully_associative;
  std::uint64_t* const accesses = counts_.at(Level::dtlb).accesses.cells();
  Tag used_last = no_tag;

  for (const MemoryEvent& event : events) {
    if (event.kind != MemoryEvent::Kind::access) continue;
    const std::size_t cell = CountTable::cell(event.region, event.owner);
    const std::uint64_t last = event.address + event.bytes - 1;
    const auto page = static_cast<Tag>(event.address >> page_shift);
    if (plain && page == last >> page_shift && !space_.on_large_page(event.address)) {
      ++accesses[cell];
      // Pressure reads rows of lines, and using the page used last changes nothing. A method's own next page is too
      // hard to guess for a branch.
      if (event.owner == pressure_owner && page == used_last) continue;
      if (dtlb.access(page & mask, page) != tag_hit) miss_dtlb(page, page, false, cell);
      used_last = page;
    } else {
      touch_pages(event.address, last, cell);
      used_last = no_tag;
    }
  }
}

void Simulator::count_marker(const MemoryEvent& event) {
  if (event.kind == MemoryEvent::Kind::query) {
    ++counts_.queries;
    ++counts_.queries_by_code[event.owner];
  } else if ((event.address & continued_flag) == 0) {
    ++counts_.nodes;
  }
}

inline std::uint32_t Simulator::set_of(const Cache& cache, std::uint64_t address) const {
  if (cache.indexed_within_page) return static_cast<std::uint32_t>(address >> cache.line_shift) & cache.set_mask;
  const std::uint64_t offset = address & ((std::uint64_t{1} << page_shift_) - 1);
  const std::uint64_t physical = std::uint64_t{frames_[address >> page_shift_]} << page_shift_ | offset;
  return static_cast<std::uint32_t>(physical >> cache.line_shift) & cache.set_mask;
}

inline void Simulator::count_miss(Level level, Seen& seen, Tag tag, std::size_t cell) {
  LevelCounts& counts = counts_.at(level);
  counts.misses.add(cell);
  if (seen.add(tag)) counts.compulsory.add(cell);
}

/// The general way through L1: several lines, any index, with classification.
void Simulator::touch_lines(std::uint64_t first, std::uint64_t last, std::size_t cell) {
  LevelCounts& counts = counts_.at(Level::l1);
  for (std::uint64_t line = first >> l1_.line_shift; line <= last >> l1_.line_shift; ++line) {
    const std::uint64_t address = line << l1_.line_shift;
    counts.accesses.add(cell);
    if (l1_.fully_associative && l1_.fully_associative->access(static_cast<Tag>(line)) != tag_hit) {
      counts.fully_associative_misses.add(cell);
    }
    if (l1_.tags.access(set_of(l1_, address), static_cast<Tag>(line)) != tag_hit) miss_l1(address, cell);
  }
}

/// L1 missed, and has the line by now.
void Simulator::miss_l1(std::uint64_t address, std::size_t cell) {
  count_miss(Level::l1, l1_.seen, static_cast<Tag>(address >> l1_.line_shift), cell);
  if (!l2_) return;
  Tag evicted = no_tag;
  if (misses_l2(address, cell, evicted) && l3_) {
    if (l3_->inclusion == Inclusion::victim) {
      look_up_victims(address, cell);
    } else {
      look_up_l3(address, cell);
    }
  }
  if (is_tag(evicted)) evict_from_l2(evicted);
}

/// Looks a line up in L2, and fills it in. Returns whether it missed; `evicted` is what had to go.
bool Simulator::misses_l2(std::uint64_t address, std::size_t cell, Tag& evicted) {
  const Tag line = static_cast<Tag>(address >> l2_->line_shift);
  LevelCounts& counts = counts_.at(Level::l2);
  counts.accesses.add(cell);
  if (l2_->fully_associative && l2_->fully_associative->access(line) != tag_hit)
    counts.fully_associative_misses.add(cell);
  evicted = l2_->tags.access(set_of(*l2_, address), line);
  if (evicted == tag_hit) return false;
  count_miss(Level::l2, l2_->seen, line, cell);
  return true;
}

void Simulator::look_up_l3(std::uint64_t address, std::size_t cell) {
  const Tag line = static_cast<Tag>(address >> l3_->line_shift);
  LevelCounts& counts = counts_.at(Level::l3);
  counts.accesses.add(cell);
  if (l3_->fully_associative && l3_->fully_associative->access(line) != tag_hit)
    counts.fully_associative_misses.add(cell);
  const Tag evicted = l3_->tags.access(set_of(*l3_, address), line);
  if (evicted == tag_hit) return;
  count_miss(Level::l3, l3_->seen, line, cell);
  if (!is_tag(evicted) || l3_->inclusion != Inclusion::inclusive) return;
  const std::uint64_t evicted_address = std::uint64_t{evicted} << l3_->line_shift;
  drop(*l2_, evicted_address, std::uint64_t{1} << l3_->line_shift);
  drop(l1_, evicted_address, std::uint64_t{1} << l3_->line_shift);
}

void Simulator::look_up_victims(std::uint64_t address, std::size_t cell) {
  const Tag line = static_cast<Tag>(address >> l3_->line_shift);
  LevelCounts& counts = counts_.at(Level::l3);
  counts.accesses.add(cell);
  if (l3_->fully_associative && !l3_->fully_associative->remove(line)) counts.fully_associative_misses.add(cell);
  if (!l3_->tags.remove(set_of(*l3_, address), line)) count_miss(Level::l3, l3_->seen, line, cell);
}

void Simulator::evict_from_l2(Tag line) {
  const std::uint64_t address = std::uint64_t{line} << l2_->line_shift;
  if (l2_->inclusion == Inclusion::inclusive) drop(l1_, address, std::uint64_t{1} << l2_->line_shift);
  if (l3_ && l3_->inclusion == Inclusion::victim) {
    if (l3_->fully_associative) l3_->fully_associative->fill(line);
    l3_->tags.fill(set_of(*l3_, address), line);
  }
}

/// Takes the lines of a range out of a cache.
void Simulator::drop(Cache& cache, std::uint64_t address, std::uint64_t bytes) {
  const std::uint64_t line_bytes = std::uint64_t{1} << cache.line_shift;
  for (std::uint64_t a = address; a < address + bytes; a += line_bytes) {
    cache.tags.remove(set_of(cache, a), static_cast<Tag>(a >> cache.line_shift));
  }
}

/// The general way through the DTLB: several pages, either size, with classification.
void Simulator::touch_pages(std::uint64_t first, std::uint64_t last, std::size_t cell) {
  const bool large = space_.on_large_page(first);
  const unsigned shift = large ? large_page_shift : page_shift_;
  for (std::uint64_t page = first >> shift; page <= last >> shift; ++page) {
    // A page is known by the number of its first base page, so that the two sizes cannot be mixed up.
    const auto tag = static_cast<Tag>(large ? page << (large_page_shift - page_shift_) : page);
    counts_.at(Level::dtlb).accesses.add(cell);
    if (!holds(Level::dtlb, *dtlb_, tag, page, large, cell)) miss_dtlb(tag, page, large, cell);
  }
}

/// The DTLB missed, and has the page by now.
void Simulator::miss_dtlb(Tag tag, std::uint64_t page, bool large, std::size_t cell) {
  count_miss(Level::dtlb, dtlb_->seen, tag, cell);
  if (!stlb_) return;
  counts_.at(Level::stlb).accesses.add(cell);
  if (!holds(Level::stlb, *stlb_, tag, page, large, cell)) count_miss(Level::stlb, stlb_->seen, tag, cell);
}

/// Looks a page up, and fills it in. Returns whether it was there.
bool Simulator::holds(Level level, Translations& tlb, Tag tag, std::uint64_t page, bool large, std::size_t cell) {
  LevelCounts& counts = counts_.at(level);
  if (large && tlb.large_pages == LargePages::none) {
    counts.fully_associative_misses.add(cell);
    return false;
  }
  Tlb& entries = large && tlb.large ? *tlb.large : tlb.base;
  if (entries.fully_associative && entries.fully_associative->access(tag) != tag_hit) {
    counts.fully_associative_misses.add(cell);
  }
  return entries.tags.access(static_cast<std::uint32_t>(page) & entries.set_mask, tag) == tag_hit;
}

std::vector<Simulator> draw_simulators(const CacheSystem& system, const AddressSpace& space, unsigned draws,
                                       SimulatorOptions options) {
  std::vector<Simulator> simulators;
  simulators.reserve(draws);
  for (unsigned draw = 0; draw < draws; ++draw) {
    simulators.emplace_back(system, space, options);
    ++options.placement_seed;
  }
  return simulators;
}

}  // namespace slidebench
