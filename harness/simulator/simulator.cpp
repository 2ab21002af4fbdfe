// SPDX-License-Identifier: MIT
#include "harness/simulator/simulator.hpp"

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
std::vector<std::uint32_t> place_pages(const AddressSpace& space, std::uint64_t seed, unsigned page_shift) {
  std::vector<std::uint32_t> frames((space.end() >> page_shift) + 1);
  const unsigned shift = large_page_shift - page_shift;
  for (std::uint64_t page = 0; page < frames.size(); ++page) {
    const std::uint64_t address = std::min(page << page_shift, space.end() - 1);
    const std::uint64_t within = page & ((std::uint64_t{1} << shift) - 1);
    frames[page] =
        static_cast<std::uint32_t>(space.on_large_page(address) ? physical_page(seed, page >> shift) << shift | within
                                                                : physical_page(seed, page));
  }
  return frames;
}

}  // namespace

Simulator::Cache::Cache(Level which, const CacheGeometry& geometry, bool has_own_lines, std::uint32_t page_bytes,
                        bool classify)
    : level(which),
      tags(static_cast<std::uint32_t>(geometry.sets()), geometry.ways, geometry.replacement),
      line_shift(static_cast<unsigned>(std::countr_zero(geometry.line_bytes))),
      set_mask(static_cast<std::uint32_t>(geometry.sets() - 1)),
      page_lines_shift(static_cast<unsigned>(std::countr_zero(page_bytes)) - line_shift),
      indexed_within_page(geometry.sets() * geometry.line_bytes <= page_bytes),
      inclusion(geometry.inclusion),
      own_lines(has_own_lines) {
  if (classify) fully_associative.emplace(1, static_cast<std::uint32_t>(geometry.lines()), Replacement::lru);
}

Tag Simulator::Cache::ask(TagStore& store, std::uint32_t set, Tag line) const {
  switch (inclusion) {
    case Inclusion::victim: return store.remove(set, line) ? tag_hit : no_tag;
    case Inclusion::retaining: return store.use(set, line) ? tag_hit : no_tag;
    case Inclusion::noninclusive:
    case Inclusion::inclusive: break;
  }
  return store.access(set, line);
}

Simulator::Tlb::Tlb(const TlbGeometry& geometry, bool classify)
    : tags(geometry.sets(), geometry.ways, Replacement::lru), set_mask(geometry.sets() - 1) {
  if (classify) fully_associative.emplace(1, geometry.entries, Replacement::lru);
}

Simulator::Translations::Translations(Level which, const TlbLevel& geometry, bool classify)
    : level(which), base(geometry.base, classify), large_pages(geometry.large_pages) {
  if (large_pages == LargePages::separate) large.emplace(geometry.large, classify);
}

Simulator::Simulator(const CacheSystem& system, const AddressSpace& space, const SimulatorOptions& options)
    : space_(space),
      page_shift_(static_cast<unsigned>(std::countr_zero(system.page_bytes))),
      frames_(place_pages(space, options.placement_seed, page_shift_)),
      l1_(Level::l1, checked(system).l1, true, system.page_bytes, options.classify),
      counts_{MissCounts(space.regions().size()), MissCounts(space.regions().size())} {
  const auto below = [&](Level level, const CacheGeometry& geometry, const CacheGeometry& above) {
    return Cache(level, geometry, geometry.line_bytes != above.line_bytes, system.page_bytes, options.classify);
  };
  if (system.l2.exists()) l2_.emplace(below(Level::l2, system.l2, system.l1));
  if (system.l3.exists()) l3_.emplace(below(Level::l3, system.l3, system.l2));
  if (system.dtlb.exists() && options.translate) dtlb_.emplace(Level::dtlb, system.dtlb, options.classify);
  if (system.stlb.exists() && options.translate) stlb_.emplace(Level::stlb, system.stlb, options.classify);
}

void Simulator::consume(std::span<const MemoryEvent> events) {
  for (const MemoryEvent& event : events) {
    if (event.kind != MemoryEvent::Kind::access) {
      count_marker(event);
      continue;
    }
    const std::size_t cell = CountTable::cell(event.region, event.owner);
    const std::uint64_t last = event.address + event.bytes - 1;
    touch_lines(event.address, last, cell);
    if (dtlb_) touch_pages(event.address, last, cell);
  }
}

/// The set of a line, by its number.
std::uint32_t Simulator::set_of(const Cache& cache, Tag line) const {
  if (cache.indexed_within_page) return line & cache.set_mask;
  const Tag within = line & ((Tag{1} << cache.page_lines_shift) - 1);
  return (frames_[line >> cache.page_lines_shift] << cache.page_lines_shift | within) & cache.set_mask;
}

void Simulator::count_marker(const MemoryEvent& event) {
  MissCounts& counts = counts_in_use();
  if (event.kind == MemoryEvent::Kind::query) {
    ++counts.queries;
    ++counts.queries_by_code[event.owner];
  } else if ((event.address & continued_flag) == 0) {
    ++counts.nodes;
  }
}

inline void Simulator::count(Level level, const Outcome& outcome, std::size_t cell) {
  LevelCounts& counts = counts_in_use().at(level);
  counts.accesses.add(cell);
  if (!outcome.fully_associative_hit) counts.fully_associative_misses.add(cell);
  if (outcome.hit) return;
  counts.misses.add(cell);
  if (outcome.is_new) counts.compulsory.add(cell);
}

void Simulator::touch_lines(std::uint64_t first, std::uint64_t last, std::size_t cell) {
  for (std::uint64_t line = first >> l1_.line_shift; line <= last >> l1_.line_shift; ++line) {
    const std::uint64_t address = line << l1_.line_shift;
    bool is_new = true;
    if (look_up(l1_, address, is_new, cell) == tag_hit) continue;
    if (l2_) look_below_l1(address, is_new, cell);
  }
}

/// Looks a line up in one level and counts. Returns what Cache::ask() does. `is_new` is about the line of the level
/// above, then about the one here.
Tag Simulator::look_up(Cache& cache, std::uint64_t address, bool& is_new, std::size_t cell) {
  const Tag line = static_cast<Tag>(address >> cache.line_shift);
  const Tag outcome = cache.ask(cache.tags, set_of(cache, line), line);
  const bool hit = outcome == tag_hit;
  std::optional<TagStore>& full = cache.fully_associative;
  const bool full_hit = !full || cache.ask(*full, 0, line) == tag_hit;
  if (is_new && cache.own_lines) is_new = cache.seen.add(line);
  count(cache.level, {hit, full_hit, is_new}, cell);
  return outcome;
}

/// L1 missed, and has the line by now.
void Simulator::look_below_l1(std::uint64_t address, bool is_new, std::size_t cell) {
  const Tag out_of_l2 = look_up(*l2_, address, is_new, cell);
  if (out_of_l2 == tag_hit) return;
  if (l3_) {
    const Tag out_of_l3 = look_up(*l3_, address, is_new, cell);
    if (is_tag(out_of_l3)) evict_from_l3(out_of_l3);
  }
  if (is_tag(out_of_l2)) evict_from_l2(out_of_l2);
}

void Simulator::evict_from_l2(Tag line) {
  if (l2_->inclusion == Inclusion::inclusive) {
    drop(l1_, std::uint64_t{line} << l2_->line_shift, std::uint64_t{1} << l2_->line_shift);
  }
  if (!l3_ || !takes_victims(l3_->inclusion)) return;
  const auto take = [&](TagStore& store, std::uint32_t set) {
    l3_->inclusion == Inclusion::victim ? store.fill(set, line) : store.access(set, line);
  };
  take(l3_->tags, set_of(*l3_, line));
  if (l3_->fully_associative) take(*l3_->fully_associative, 0);
}

void Simulator::evict_from_l3(Tag line) {
  if (l3_->inclusion != Inclusion::inclusive) return;
  const std::uint64_t address = std::uint64_t{line} << l3_->line_shift;
  drop(*l2_, address, std::uint64_t{1} << l3_->line_shift);
  drop(l1_, address, std::uint64_t{1} << l3_->line_shift);
}

/// Takes the lines of a range out of a cache.
void Simulator::drop(Cache& cache, std::uint64_t address, std::uint64_t bytes) {
  for (std::uint64_t line = address >> cache.line_shift; line << cache.line_shift < address + bytes; ++line) {
    cache.tags.remove(set_of(cache, static_cast<Tag>(line)), static_cast<Tag>(line));
  }
}

void Simulator::touch_pages(std::uint64_t first, std::uint64_t last, std::size_t cell) {
  const bool large = space_.on_large_page(first);
  const unsigned shift = large ? large_page_shift : page_shift_;
  for (std::uint64_t page = first >> shift; page <= last >> shift; ++page) {
    // A page is known by the number of its first base page, so that the two sizes cannot be mixed up.
    const auto tag = static_cast<Tag>(page << (shift - page_shift_));
    const bool is_new = pages_seen_.add(tag);
    if (!look_up_page(*dtlb_, page, tag, large, is_new, cell) && stlb_) {
      look_up_page(*stlb_, page, tag, large, is_new, cell);
    }
  }
}

/// Looks a page up in one level, fills it in, and counts. Returns whether it was there.
bool Simulator::look_up_page(Translations& tlb, std::uint64_t page, Tag tag, bool large, bool is_new,
                             std::size_t cell) {
  Outcome outcome{false, false, is_new};
  if (!large || tlb.large_pages != LargePages::none) {
    Tlb& entries = large && tlb.large ? *tlb.large : tlb.base;
    outcome.hit = entries.tags.access(static_cast<std::uint32_t>(page) & entries.set_mask, tag) == tag_hit;
    outcome.fully_associative_hit = !entries.fully_associative || entries.fully_associative->access(0, tag) == tag_hit;
  }
  count(tlb.level, outcome, cell);
  return outcome.hit;
}

}  // namespace slidebench
