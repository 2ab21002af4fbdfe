// SPDX-License-Identifier: MIT
#include "harness/simulator/simulator.hpp"

#include <algorithm>
#include <bit>

namespace slidebench {
namespace {

constexpr bool is_tag(Tag outcome) { return outcome < tag_hit; }

/// Lines of a row are handled together, as bits of a number.
constexpr std::uint32_t lines_together = 16;
using RowTags = std::array<Tag, lines_together>;
using RowSets = std::array<std::uint32_t, lines_together>;

std::uint64_t count_bits(std::uint32_t bits) { return static_cast<std::uint64_t>(std::popcount(bits)); }

/// Calls use(i) for every bit i.
template <class Use>
void for_each_bit(std::uint32_t bits, Use use) {
  for (; bits != 0; bits &= bits - 1) use(static_cast<std::uint32_t>(std::countr_zero(bits)));
}

template <class Tags>
constexpr bool has_row_kernels = requires(const Tags& tags) {
  tags.kernels();
};

/// Takes the lines out of neighbouring sets. Returns those that were not there.
template <class Tags>
std::uint32_t remove_row(Tags& tags, std::uint32_t set, Tag first, std::uint32_t lines) {
  if constexpr (has_row_kernels<Tags>) {
    if (const RowKernels* const kernels = tags.kernels()) return kernels->remove(tags.sets_from(set), first, lines);
  }
  std::uint32_t missed = 0;
  for_each_bit(lines, [&](std::uint32_t i) { missed |= std::uint32_t{!tags.remove(set + i, first + i)} << i; });
  return missed;
}

/// Puts tags that are missing into sets anywhere.
template <class Tags>
void fill_all(Tags& tags, const RowSets& sets, std::span<const Tag> fresh, std::uint32_t which) {
  if constexpr (has_row_kernels<Tags>) {
    if (const RowKernels* const kernels = tags.kernels()) {
      kernels->fill(tags.sets_from(0), sets.data(), fresh.data(), which);
      return;
    }
  }
  for_each_bit(which, [&](std::uint32_t i) { tags.fill(sets[i], fresh[i]); });
}

/// Looks the lines up, which stand in neighbouring sets, and fills them in. Returns those that missed; `outcomes` is
/// what each access() returned.
template <class Tags>
std::uint32_t access_row(Tags& tags, std::uint32_t set, Tag first, std::uint32_t lines, RowTags& outcomes) {
  if constexpr (has_row_kernels<Tags>) {
    if (const RowKernels* const kernels = tags.kernels()) {
      return kernels->access(tags.sets_from(set), first, lines, outcomes.data());
    }
  }
  std::uint32_t missed = 0;
  for_each_bit(lines, [&](std::uint32_t i) {
    outcomes[i] = tags.access(set + i, first + i);
    missed |= std::uint32_t{outcomes[i] != tag_hit} << i;
  });
  return missed;
}

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

Simulator::Cache::Cache(const CacheGeometry& geometry, std::uint32_t page_bytes, bool classify)
    : tags(static_cast<std::uint32_t>(geometry.sets()), geometry.ways, geometry.replacement),
      line_shift(static_cast<unsigned>(std::countr_zero(geometry.line_bytes))),
      set_mask(static_cast<std::uint32_t>(geometry.sets() - 1)),
      page_lines_shift(static_cast<unsigned>(std::countr_zero(page_bytes)) - line_shift),
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
      prefetch_(system.prefetch),
      streams_(system.page_bytes / (system.l2.exists() ? system.l2 : system.l1).line_bytes),
      counts_{MissCounts(space.regions().size()), MissCounts(space.regions().size())} {
  if (system.l2.exists()) l2_.emplace(system.l2, system.page_bytes, options.classify);
  if (system.l3.exists()) l3_.emplace(system.l3, system.page_bytes, options.classify);
  if (system.dtlb.exists() && options.translate) dtlb_.emplace(system.dtlb, options.classify);
  if (system.stlb.exists() && options.translate) stlb_.emplace(system.stlb, options.classify);
}

void Simulator::consume(std::span<const MemoryEvent> events) {
  MissCounts& counts = counts_in_use();
  for (unsigned i = 0; i < level_count; ++i) {
    LevelCounts& level = counts.levels[i];
    cells_[i] = {level.accesses.cells(), level.misses.cells(), level.compulsory.cells(),
                 level.fully_associative_misses.cells()};
  }
  // Caches and TLBs do not know of each other. So each has a loop of its own, once for each kind of L1 and DTLB, so
  // that a hit needs no choice but hit or miss.
  std::visit([&](auto& l1) { run_caches(events, l1); }, l1_.tags.any());
  if (dtlb_) std::visit([&](auto& dtlb) { run_tlbs(events, dtlb); }, dtlb_->base.tags.any());
}

/// The set of a line, by its number.
[[gnu::always_inline]] inline std::uint32_t Simulator::set_of(const Cache& cache, Tag line) const {
  if (cache.indexed_within_page) return line & cache.set_mask;
  const Tag within = line & ((Tag{1} << cache.page_lines_shift) - 1);
  return (frames_[line >> cache.page_lines_shift] << cache.page_lines_shift | within) & cache.set_mask;
}

template <class Tags>
void Simulator::run_caches(std::span<const MemoryEvent> events, Tags& l1) {
  const unsigned line_shift = l1_.line_shift;
  const std::uint32_t mask = l1_.set_mask;
  const bool plain = l1_.indexed_within_page && !l1_.fully_associative && prefetch_ != Prefetch::next_line;
  const bool rows_apart = plain && keeps_rows_apart();
  std::uint64_t* const accesses = cells_of(Level::l1).accesses;

  for (const MemoryEvent& event : events) {
    const std::size_t cell = CountTable::cell(event.region, event.owner);
    const auto line = static_cast<Tag>(event.address >> line_shift);
    if (event.kind == MemoryEvent::Kind::access) {
      const std::uint64_t last = event.address + event.bytes - 1;
      if (plain && line == last >> line_shift) {
        ++accesses[cell];
        if (l1.access(line & mask, line) != tag_hit) miss_l1(event.address, l1_.seen.add(line), cell);
      } else {
        touch_lines(event.address, last, cell);
      }
    } else if (event.kind == MemoryEvent::Kind::row) {
      const auto lines = static_cast<std::uint32_t>(accesses_in(event));
      if (rows_apart && line % lines_together + lines <= lines_together) {
        touch_row(line, lines, cell, l1);
      } else {
        for_each_access(event, [&](const MemoryEvent& access) {
          touch_lines(access.address, access.address + access.bytes - 1, cell);
        });
      }
    } else {
      count_marker(event);
    }
  }
}

template <class Tags>
void Simulator::run_tlbs(std::span<const MemoryEvent> events, Tags& dtlb) {
  const unsigned page_shift = page_shift_;
  const std::uint32_t mask = dtlb_->base.set_mask;
  const bool plain = !dtlb_->base.fully_associative;
  std::uint64_t* const accesses = cells_of(Level::dtlb).accesses;

  for (const MemoryEvent& event : events) {
    const std::uint64_t count = accesses_in(event);
    if (count == 0) continue;
    const std::size_t cell = CountTable::cell(event.region, event.owner);
    const std::uint64_t last = event.address + event.bytes - 1;
    const auto page = static_cast<Tag>(event.address >> page_shift);
    if (plain && page == last >> page_shift && !space_.on_large_page(event.address)) {
      // A row looks up its page once: to use the page used last changes nothing.
      accesses[cell] += count;
      if (dtlb.access(page & mask, page) != tag_hit) miss_dtlb(page, page, false, cell);
    } else if (event.kind == MemoryEvent::Kind::row) {
      for_each_access(event, [&](const MemoryEvent& access) {
        touch_pages(access.address, access.address + access.bytes - 1, cell);
      });
    } else {
      touch_pages(event.address, last, cell);
    }
  }
}

/// Whether the lines of a row use places of their own in every level, so that it does not matter in which order they
/// come, and each level can take all of them before the next one. With lines of one length, and index bits of each
/// level that are those of the level above and more, what two lines of different L1 sets evict or push down never
/// meets.
bool Simulator::keeps_rows_apart() const {
  const auto sets = [](const Cache& cache) { return cache.set_mask + 1; };
  if (row_step_bytes != 1u << l1_.line_shift || sets(l1_) < lines_together || prefetch_ != Prefetch::none) return false;
  if (!l2_) return true;
  if (l2_->line_shift != l1_.line_shift || sets(*l2_) < sets(l1_)) return false;
  return !l3_ || (l3_->line_shift == l2_->line_shift && sets(*l3_) >= sets(*l2_));
}

/// The fast way of a row: level by level.
template <class Tags>
void Simulator::touch_row(Tag first, std::uint32_t lines, std::size_t cell, Tags& l1) {
  const std::uint32_t all = (1u << lines) - 1;
  RowTags outcomes;
  const std::uint32_t l1_missed = access_row(l1, first & l1_.set_mask, first, all, outcomes);
  const std::uint32_t place = first % lines_together;
  const std::uint32_t is_new = l1_.seen.add_row(first - place, l1_missed << place) >> place;
  count_row(Level::l1, lines, l1_missed, is_new, cell);
  if (!l2_ || l1_missed == 0) return;

  const std::uint32_t l2_missed = std::visit(
      [&](auto& l2) { return access_row(l2, set_of(*l2_, first), first, l1_missed, outcomes); }, l2_->tags.any());
  count_row(Level::l2, count_bits(l1_missed), l2_missed, is_new, cell);
  if (l2_missed == 0) return;

  if (l2_->inclusion == Inclusion::inclusive) {
    for_each_bit(l2_missed, [&](std::uint32_t i) {
      if (is_tag(outcomes[i])) l1.remove(outcomes[i] & l1_.set_mask, outcomes[i]);
    });
  }
  if (l3_) count_row(Level::l3, count_bits(l2_missed), look_up_row_in_l3(first, l2_missed, outcomes), is_new, cell);
}

/// Returns the lines that missed. What had to leave L2 for each of them goes into an L3 that takes it.
std::uint32_t Simulator::look_up_row_in_l3(Tag first, std::uint32_t lines, std::span<const Tag> out_of_l2) {
  const std::uint32_t set = set_of(*l3_, first);
  return std::visit(
      [&](auto& l3) {
        std::uint32_t missed = 0;
        if (!takes_victims(l3_->inclusion)) {
          RowTags outcomes;
          missed = access_row(l3, set, first, lines, outcomes);
          for_each_bit(missed, [&](std::uint32_t i) {
            if (is_tag(outcomes[i])) evict_from_l3(outcomes[i]);
          });
          return missed;
        }
        RowSets victim_sets;
        std::uint32_t victims = 0;
        for_each_bit(lines, [&](std::uint32_t i) {
          l3.prefetch(set + i);
          if (!is_tag(out_of_l2[i])) return;
          victims |= 1u << i;
          victim_sets[i] = set_of(*l3_, out_of_l2[i]);
          l3.prefetch(victim_sets[i]);
        });
        if (l3_->inclusion == Inclusion::victim) {
          missed = remove_row(l3, set, first, lines);
          fill_all(l3, victim_sets, out_of_l2, victims);
        } else {
          for_each_bit(lines, [&](std::uint32_t i) { missed |= std::uint32_t{!l3.use(set + i, first + i)} << i; });
          for_each_bit(victims, [&](std::uint32_t i) { l3.access(victim_sets[i], out_of_l2[i]); });
        }
        return missed;
      },
      l3_->tags.any());
}

inline void Simulator::count_row(Level level, std::uint64_t asked, std::uint32_t missed, std::uint32_t is_new,
                                 std::size_t cell) {
  const Cells& cells = cells_of(level);
  cells.accesses[cell] += asked;
  cells.misses[cell] += count_bits(missed);
  if ((missed & is_new) != 0) cells.compulsory[cell] += count_bits(missed & is_new);
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

inline void Simulator::count_miss(Level level, bool is_new, std::size_t cell) {
  const Cells& cells = cells_of(level);
  ++cells.misses[cell];
  cells.compulsory[cell] += is_new ? 1 : 0;
}

/// The general way through L1: several lines, any index, with classification, with a prefetcher.
void Simulator::touch_lines(std::uint64_t first, std::uint64_t last, std::size_t cell) {
  const Cells& cells = cells_of(Level::l1);
  for (std::uint64_t number = first >> l1_.line_shift; number <= last >> l1_.line_shift; ++number) {
    const auto line = static_cast<Tag>(number);
    const std::uint64_t address = number << l1_.line_shift;
    ++cells.accesses[cell];
    if (l1_.fully_associative && l1_.fully_associative->access(line) != tag_hit) {
      ++cells.fully_associative_misses[cell];
    }
    const bool is_new = l1_.seen.add(line);
    const bool hit = l1_.tags.access(set_of(l1_, line), line) == tag_hit;
    if (prefetch_ == Prefetch::next_line && prefetched_.take(line) && hit) counts_in_use().useful_prefetches.add(cell);
    if (!hit) miss_l1(address, is_new, cell);
  }
}

/// L1 missed, and has the line by now.
void Simulator::miss_l1(std::uint64_t address, bool is_new, std::size_t cell) {
  count_miss(Level::l1, is_new, cell);
  if (l2_) {
    const Tag evicted = look_up_l2(address, is_new, cell);
    if (evicted != tag_hit) {
      if (l3_) look_up_l3(address, is_new, cell);
      if (is_tag(evicted)) evict_from_l2(evicted);
    }
  }
  if (prefetch_ == Prefetch::next_line) prefetch_next_line(address, cell);
  if (prefetch_ == Prefetch::stream) prefetch_stream(address, cell);
}

/// Looks a line up in L2, and fills it in. Returns what TagStore::access() does. `is_new` is about the line of the
/// level above, then about the one here.
Tag Simulator::look_up_l2(std::uint64_t address, bool& is_new, std::size_t cell) {
  const Tag line = static_cast<Tag>(address >> l2_->line_shift);
  const Cells& cells = cells_of(Level::l2);
  ++cells.accesses[cell];
  if (l2_->fully_associative && l2_->fully_associative->access(line) != tag_hit) {
    ++cells.fully_associative_misses[cell];
  }
  if (is_new && l2_->line_shift != l1_.line_shift) is_new = l2_->seen.add(line);
  const Tag outcome = l2_->tags.access(set_of(*l2_, line), line);
  if (outcome != tag_hit) count_miss(Level::l2, is_new, cell);
  if (prefetch_ == Prefetch::stream && prefetched_.take(line) && outcome == tag_hit)
    counts_in_use().useful_prefetches.add(cell);
  return outcome;
}

void Simulator::look_up_l3(std::uint64_t address, bool is_new, std::size_t cell) {
  const Tag line = static_cast<Tag>(address >> l3_->line_shift);
  const std::uint32_t set = set_of(*l3_, line);
  std::optional<LruList>& full = l3_->fully_associative;
  Tag evicted = no_tag;
  bool hit = false, full_hit = true;
  switch (l3_->inclusion) {
    case Inclusion::victim:
      hit = l3_->tags.remove(set, line);
      if (full) full_hit = full->remove(line);
      break;
    case Inclusion::retaining:
      hit = l3_->tags.use(set, line);
      if (full) full_hit = full->use(line);
      break;
    case Inclusion::noninclusive:
    case Inclusion::inclusive:
      evicted = l3_->tags.access(set, line);
      hit = evicted == tag_hit;
      if (full) full_hit = full->access(line) == tag_hit;
      break;
  }
  const Cells& cells = cells_of(Level::l3);
  ++cells.accesses[cell];
  if (!full_hit) ++cells.fully_associative_misses[cell];
  if (is_new && l3_->line_shift != l2_->line_shift) is_new = l3_->seen.add(line);
  if (!hit) count_miss(Level::l3, is_new, cell);
  if (is_tag(evicted)) evict_from_l3(evicted);
}

void Simulator::evict_from_l2(Tag line) {
  const std::uint64_t address = std::uint64_t{line} << l2_->line_shift;
  if (l2_->inclusion == Inclusion::inclusive) drop(l1_, address, std::uint64_t{1} << l2_->line_shift);
  if (!l3_ || !takes_victims(l3_->inclusion)) return;
  if (l3_->inclusion == Inclusion::victim) {
    if (l3_->fully_associative) l3_->fully_associative->fill(line);
    l3_->tags.fill(set_of(*l3_, line), line);
  } else {
    if (l3_->fully_associative) l3_->fully_associative->access(line);
    l3_->tags.access(set_of(*l3_, line), line);
  }
}

void Simulator::evict_from_l3(Tag line) {
  if (l3_->inclusion != Inclusion::inclusive) return;
  const std::uint64_t address = std::uint64_t{line} << l3_->line_shift;
  drop(*l2_, address, std::uint64_t{1} << l3_->line_shift);
  drop(l1_, address, std::uint64_t{1} << l3_->line_shift);
}

/// Takes the lines of a range out of a cache.
void Simulator::drop(Cache& cache, std::uint64_t address, std::uint64_t bytes) {
  const std::uint64_t line_bytes = std::uint64_t{1} << cache.line_shift;
  for (std::uint64_t a = address; a < address + bytes; a += line_bytes) {
    const auto line = static_cast<Tag>(a >> cache.line_shift);
    cache.tags.remove(set_of(cache, line), line);
  }
}

void Simulator::prefetch_next_line(std::uint64_t address, std::size_t cell) {
  const std::uint64_t number = (address >> l1_.line_shift) + 1;
  const std::uint64_t next = number << l1_.line_shift;
  const auto line = static_cast<Tag>(number);
  const std::uint32_t set = set_of(l1_, line);
  if (next >> page_shift_ != address >> page_shift_ || l1_.tags.holds(set, line)) return;
  l1_.tags.fill(set, line);
  if (l2_) prefetch_into_l2(next);
  prefetched_.add(line);
  counts_in_use().prefetched.add(cell);
}

void Simulator::prefetch_stream(std::uint64_t address, std::size_t cell) {
  for (const std::uint64_t line : streams_.request(address >> l2_->line_shift)) {
    if (!prefetch_into_l2(line << l2_->line_shift)) continue;
    prefetched_.add(static_cast<Tag>(line));
    counts_in_use().prefetched.add(cell);
  }
}

/// Fetches a line, unless it is there. Returns whether it was fetched.
bool Simulator::prefetch_into_l2(std::uint64_t address) {
  const Tag line = static_cast<Tag>(address >> l2_->line_shift);
  const std::uint32_t set = set_of(*l2_, line);
  if (l2_->tags.holds(set, line)) return false;
  const Tag evicted_from_l2 = l2_->tags.fill(set, line);
  if (l3_) {
    const Tag l3_line = static_cast<Tag>(address >> l3_->line_shift);
    const std::uint32_t l3_set = set_of(*l3_, l3_line);
    switch (l3_->inclusion) {
      case Inclusion::victim: l3_->tags.remove(l3_set, l3_line); break;
      case Inclusion::retaining: l3_->tags.use(l3_set, l3_line); break;
      case Inclusion::noninclusive:
      case Inclusion::inclusive: {
        const Tag evicted = l3_->tags.access(l3_set, l3_line);
        if (is_tag(evicted)) evict_from_l3(evicted);
        break;
      }
    }
  }
  if (is_tag(evicted_from_l2)) evict_from_l2(evicted_from_l2);
  return true;
}

/// The general way through the DTLB: several pages, either size, with classification.
void Simulator::touch_pages(std::uint64_t first, std::uint64_t last, std::size_t cell) {
  const bool large = space_.on_large_page(first);
  const unsigned shift = large ? large_page_shift : page_shift_;
  for (std::uint64_t page = first >> shift; page <= last >> shift; ++page) {
    // A page is known by the number of its first base page, so that the two sizes cannot be mixed up.
    const auto tag = static_cast<Tag>(large ? page << (large_page_shift - page_shift_) : page);
    ++cells_of(Level::dtlb).accesses[cell];
    if (!holds(Level::dtlb, *dtlb_, tag, page, large, cell)) miss_dtlb(tag, page, large, cell);
  }
}

/// The DTLB missed, and has the page by now.
void Simulator::miss_dtlb(Tag tag, std::uint64_t page, bool large, std::size_t cell) {
  const bool is_new = pages_seen_.add(tag);
  count_miss(Level::dtlb, is_new, cell);
  if (!stlb_) return;
  ++cells_of(Level::stlb).accesses[cell];
  if (!holds(Level::stlb, *stlb_, tag, page, large, cell)) count_miss(Level::stlb, is_new, cell);
}

/// Looks a page up, and fills it in. Returns whether it was there.
bool Simulator::holds(Level level, Translations& tlb, Tag tag, std::uint64_t page, bool large, std::size_t cell) {
  std::uint64_t& full_misses = cells_of(level).fully_associative_misses[cell];
  if (large && tlb.large_pages == LargePages::none) {
    ++full_misses;
    return false;
  }
  Tlb& entries = large && tlb.large ? *tlb.large : tlb.base;
  if (entries.fully_associative && entries.fully_associative->access(tag) != tag_hit) {
    ++full_misses;
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
