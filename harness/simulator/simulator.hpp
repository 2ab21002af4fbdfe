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
//   retaining L3      the same, but a hit leaves the line where it is
//
// A prefetcher, if there is one, fills caches as a miss would, but counts neither as access nor as miss; it is no use
// of a line that is there already. What fully associative caches would miss is counted without it: its effect is among
// the conflicts then, mostly as negative ones.
//
// Not modelled: writes, instruction fetches, page walks' own reads, other cores.
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
#include "harness/simulator/page_placement.hpp"
#include "harness/simulator/stream_detector.hpp"
#include "harness/simulator/tag_bits.hpp"
#include "harness/simulator/tag_store.hpp"

namespace slidebench {

struct SimulatorOptions {
  std::uint64_t placement_seed = 1;  ///< seed of the random placement of physical pages
  bool classify = false;             ///< also count what fully associative caches would miss; about half as fast
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
  void clear_counts() { counts_[0].clear(); }

  /// What comes while this is on warms up caches and TLBs, and is counted apart. Off at first.
  void set_warming_up(bool on) { warming_up_ = on; }
  const MissCounts& warm_up_counts() const { return counts_[1]; }

 private:
  /// Where a level counts, by cell.
  struct Cells {
    std::uint64_t* accesses;
    std::uint64_t* misses;
    std::uint64_t* compulsory;
    std::uint64_t* fully_associative_misses;
  };

  struct Cache {
    Cache(const CacheGeometry& geometry, std::uint32_t page_bytes, bool classify);

    TagStore tags;
    unsigned line_shift;
    std::uint32_t set_mask;
    unsigned page_lines_shift;  ///< a base page has 2 to the power of this lines
    bool indexed_within_page;   ///< the placement of pages does not matter
    Inclusion inclusion;
    std::optional<LruList> fully_associative;  ///< the same size; sees the same accesses
    TagBits seen;  ///< lines asked for; not kept below a level whose lines are as long and tell it already
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
  };

  template <class Tags>
  void run_caches(std::span<const MemoryEvent> events, Tags& l1);
  template <class Tags>
  void run_tlbs(std::span<const MemoryEvent> events, Tags& dtlb);
  template <class Tags>
  void touch_row(Tag first, std::uint32_t lines, std::size_t cell, Tags& l1);
  void count_marker(const MemoryEvent& event);
  const Cells& cells_of(Level level) const { return cells_[static_cast<std::size_t>(level)]; }
  MissCounts& counts_in_use() { return counts_[warming_up_ ? 1 : 0]; }
  void count_miss(Level level, bool is_new, std::size_t cell);

  void count_row(Level level, std::uint64_t asked, std::uint32_t missed, std::uint32_t is_new, std::size_t cell);
  bool keeps_rows_apart() const;

  void touch_lines(std::uint64_t first, std::uint64_t last, std::size_t cell);
  std::uint32_t look_up_row_in_l3(Tag first, std::uint32_t lines, std::span<const Tag> out_of_l2);
  void miss_l1(std::uint64_t address, bool is_new, std::size_t cell);
  Tag look_up_l2(std::uint64_t address, bool& is_new, std::size_t cell);
  void look_up_l3(std::uint64_t address, bool is_new, std::size_t cell);
  void evict_from_l2(Tag line);
  void evict_from_l3(Tag line);
  void drop(Cache& cache, std::uint64_t address, std::uint64_t bytes);
  std::uint32_t set_of(const Cache& cache, Tag line) const;

  void prefetch_next_line(std::uint64_t address, std::size_t cell);
  void prefetch_stream(std::uint64_t address, std::size_t cell);
  bool prefetch_into_l2(std::uint64_t address);

  void touch_pages(std::uint64_t first, std::uint64_t last, std::size_t cell);
  void miss_dtlb(Tag tag, std::uint64_t page, bool large, std::size_t cell);
  bool holds(Level level, Translations& tlb, Tag tag, std::uint64_t page, bool large, std::size_t cell);

  const AddressSpace& space_;
  unsigned page_shift_;
  std::vector<std::uint32_t> frames_;  ///< by virtual base page: where it lies, see page_placement.hpp
  Cache l1_;
  std::optional<Cache> l2_, l3_;
  std::optional<Translations> dtlb_, stlb_;
  TagBits pages_seen_;

  Prefetch prefetch_;
  StreamDetector streams_;
  TagBits prefetched_;  ///< lines of L1, if the next line is fetched, or of L2: fetched, and not asked for since

  std::array<MissCounts, 2> counts_;  ///< and while warming up
  bool warming_up_ = false;
  std::array<Cells, level_count> cells_{};  ///< of those in use
};

/// Simulators that differ in the random placement of physical pages alone: listeners of one replay.
std::vector<Simulator> draw_simulators(const CacheSystem& system, const AddressSpace& space, unsigned draws,
                                       SimulatorOptions options = {});

}  // namespace slidebench
