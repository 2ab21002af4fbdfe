// SPDX-License-Identifier: MIT
//
// Simulates the caches and TLBs of one core for a stream of memory events.
//
// Every line that a read touches goes through L1, on a miss through L2, then L3; every page through the DTLB, then the
// STLB. Each level that misses is filled. Caches are looked up by physical addresses, which differ from the simulated
// virtual ones in the page number only (page_placement.hpp): a level whose ways are no larger than a base page does not
// notice, the others do.
//
//   inclusive L2/L3   what it evicts leaves the levels above
//   victim L3         filled by what L2 evicts; a hit moves the line up and frees its place
//
// Not modelled: prefetchers, writes, instruction fetches, page walks' own reads, other cores.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "harness/cachelab/address_space.hpp"
#include "harness/cachelab/cache_system.hpp"
#include "harness/cachelab/memory_event.hpp"
#include "harness/cachelab/miss_counts.hpp"
#include "harness/cachelab/page_placement.hpp"
#include "harness/cachelab/tag_store.hpp"

namespace slidebench {

struct SimulatorOptions {
  std::uint64_t placement_seed = 1;  ///< one draw of physical pages
  bool classify = false;             ///< also count what fully associative caches would miss; about half as fast
};

class Simulator : public EventConsumer {
 public:
  /// @param space  has to outlive the simulator
  /// @throws UserError  if no machine can have these caches
  Simulator(const CacheSystem& system, const AddressSpace& space, const SimulatorOptions& options = {});

  void consume(std::span<const MemoryEvent> events) override;

  const MissCounts& counts() const { return counts_; }

  /// Forgets the counts, not the caches: after a pass that warms them up.
  void clear_counts() { counts_.clear(); }

 private:
  /// Tags seen before: a bit each.
  class Seen {
   public:
    /// Returns whether the tag is new, and remembers it.
    bool add(Tag tag);

   private:
    std::vector<std::uint64_t> bits_;
  };

  struct Cache {
    Cache(const CacheGeometry& geometry, std::uint32_t page_bytes, bool classify);

    TagStore tags;
    unsigned line_shift;
    std::uint32_t set_mask;
    bool indexed_within_page;  ///< the placement of pages does not matter
    Inclusion inclusion;
    std::optional<LruList> fully_associative;  ///< the same size; sees the same accesses
    Seen seen;
  };

  /// One level of TLB for one page size.
  struct Tlb {
    Tlb(const TlbGeometry& geometry, bool classify);

    TagStore tags;
    std::uint32_t set_mask;
    std::optional<LruList> fully_associative;
  };
  struct Translations {
    Translations(const TlbLevel& level, bool classify);

    Tlb base;
    std::optional<Tlb> large;
    LargePages large_pages;
    Seen seen;
  };

  template <class Tags>
  void run_caches(std::span<const MemoryEvent> events, Tags& l1);
  template <class Tags>
  void run_tlbs(std::span<const MemoryEvent> events, Tags& dtlb);
  void count_marker(const MemoryEvent& event);
  void count_miss(Level level, Seen& seen, Tag tag, std::size_t cell);

  void touch_lines(std::uint64_t first, std::uint64_t last, std::size_t cell);
  void miss_l1(std::uint64_t address, std::size_t cell);
  bool misses_l2(std::uint64_t address, std::size_t cell, Tag& evicted);
  void look_up_l3(std::uint64_t address, std::size_t cell);
  void look_up_victims(std::uint64_t address, std::size_t cell);
  void evict_from_l2(Tag line);
  void drop(Cache& cache, std::uint64_t address, std::uint64_t bytes);
  std::uint32_t set_of(const Cache& cache, std::uint64_t address) const;

  void touch_pages(std::uint64_t first, std::uint64_t last, std::size_t cell);
  void miss_dtlb(Tag tag, std::uint64_t page, bool large, std::size_t cell);
  bool holds(Level level, Translations& tlb, Tag tag, std::uint64_t page, bool large, std::size_t cell);

  const AddressSpace& space_;
  unsigned page_shift_;
  std::vector<std::uint32_t> frames_;  ///< by virtual base page: where it lies, see page_placement.hpp
  Cache l1_;
  std::optional<Cache> l2_, l3_;
  std::optional<Translations> dtlb_, stlb_;
  MissCounts counts_;
};

/// Simulators that differ in the draw of physical pages alone: listeners of one replay.
std::vector<Simulator> draw_simulators(const CacheSystem& system, const AddressSpace& space, unsigned draws,
                                       SimulatorOptions options = {});

}  // namespace slidebench
