// SPDX-License-Identifier: MIT
//
// Simulates the caches and TLBs of one core for a stream of memory events.
//
// Every line that a read touches goes through L1, on a miss through L2, then L3; every page through the DTLB, then the
// STLB. Each level that misses is filled. Caches are looked up by physical addresses, which differ from the simulated
// virtual ones in the page number only (address_space.hpp): a level whose ways are no larger than a base page does not
// notice, the others do.
//
//   inclusive L2/L3   what it evicts leaves the levels above
//   victim L3         filled by what L2 evicts; a hit moves the line up and frees its place
//   retaining L3      the same, but a hit leaves the line where it is
//
// Not modelled: prefetchers, writes, instruction fetches, page walks' own reads, other cores.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "harness/simulator/address_space.hpp"
#include "harness/simulator/cache_system.hpp"
#include "harness/simulator/memory_event.hpp"
#include "harness/simulator/miss_counts.hpp"
#include "harness/simulator/tag_store.hpp"

namespace slidebench {

struct SimulatorOptions {
  std::uint64_t placement_seed = 1;  ///< seed of the random placement of physical pages
  bool classify = false;             ///< also count what fully associative caches would miss; slower
  bool translate = true;             ///< also TLBs. They see virtual pages, so that they are the same for every draw
};

class Simulator : public EventConsumer {
 public:
  /// @param space  has to outlive the simulator
  /// @throws UserError  if no machine can have these caches
  Simulator(const CacheSystem& system, const AddressSpace& space, const SimulatorOptions& options = {});

  void consume(std::span<const MemoryEvent> events) override;

  const MissCounts& counts() const { return counts_[0]; }

  /// Forgets the counts, not the caches.
  void clear_counts() { counts_[0] = MissCounts(space_.regions().size()); }

  /// What comes while this is on warms up caches and TLBs, and is counted apart. Off at first.
  void set_warming_up(bool on) { warming_up_ = on; }
  const MissCounts& warm_up_counts() const { return counts_[1]; }

 private:
  struct Cache {
    Cache(Level which, const CacheGeometry& geometry, bool has_own_lines, std::uint32_t page_bytes, bool classify);

    /// Asks a store of this level for a line: fills it in, but for an L3 that takes victims. Returns tag_hit, what had
    /// to go, or no_tag.
    Tag ask(TagStore& store, std::uint32_t set, Tag line) const;

    Level level;
    TagStore tags;
    unsigned line_shift;
    std::uint32_t set_mask;
    unsigned page_lines_shift;  ///< a base page has 2 to the power of this lines
    bool indexed_within_page;   ///< the placement of pages does not matter
    Inclusion inclusion;
    std::optional<TagStore> fully_associative;  ///< LRU of the same size; sees the same accesses
    bool own_lines;  ///< not as long as those of the level above, which otherwise knows whether a line is new
    TagBits seen;    ///< lines asked for, if they are its own
  };

  /// One level of TLB for one page size.
  struct Tlb {
    Tlb(const TlbGeometry& geometry, bool classify);

    TagStore tags;
    std::uint32_t set_mask;
    std::optional<TagStore> fully_associative;
  };
  struct Translations {
    Translations(Level which, const TlbLevel& geometry, bool classify);

    Level level;
    Tlb base;
    std::optional<Tlb> large;
    LargePages large_pages;
  };

  struct Outcome {
    bool hit;
    bool fully_associative_hit;  ///< true if nobody asks
    bool is_new;
  };

  MissCounts& counts_in_use() { return counts_[warming_up_ ? 1 : 0]; }
  void count(Level level, const Outcome& outcome, std::size_t cell);
  void count_marker(const MemoryEvent& event);

  void touch_lines(std::uint64_t first, std::uint64_t last, std::size_t cell);
  Tag look_up(Cache& cache, std::uint64_t address, bool& is_new, std::size_t cell);
  void look_below_l1(std::uint64_t address, bool is_new, std::size_t cell);
  void evict_from_l2(Tag line);
  void evict_from_l3(Tag line);
  void drop(Cache& cache, std::uint64_t address, std::uint64_t bytes);
  std::uint32_t set_of(const Cache& cache, Tag line) const;

  void touch_pages(std::uint64_t first, std::uint64_t last, std::size_t cell);
  bool look_up_page(Translations& tlb, std::uint64_t page, Tag tag, bool large, bool is_new, std::size_t cell);

  const AddressSpace& space_;
  unsigned page_shift_;
  std::vector<std::uint32_t> frames_;  ///< by virtual base page: where it lies, see address_space.hpp
  Cache l1_;
  std::optional<Cache> l2_, l3_;
  std::optional<Translations> dtlb_, stlb_;
  TagBits pages_seen_;

  std::array<MissCounts, 2> counts_;  ///< and while warming up
  bool warming_up_ = false;
};

}  // namespace slidebench
