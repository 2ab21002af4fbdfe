// SPDX-License-Identifier: MIT
//
// What a segment of queries reads, and what each read waits for: all that the time model needs to know of a method.
//
// How a method's reads hang together is seen in the addresses alone, and so in the same way for all methods:
//
//   ahead   a query of this kind and square always reads this address: masks, magic records. Its address is known as
//           soon as the square is, long before the occupancy
//   chain   the address changes with the occupancy: the read can start only when the occupancy is known
//   serial  a chain read whose address is, for each kind and square, a function of the value that the chain read
//           before it returned: the second step of a look-up in two steps, which has to wait for the first
#pragma once

#include <cstdint>
#include <vector>

#include "harness/measure/trace_selection.hpp"
#include "harness/plugin/loader.hpp"
#include "harness/simulator/address_space.hpp"

namespace slidebench {

enum class ReadPath : std::uint8_t { ahead, chain, serial };

/// One line that is read. Nodes are counted through both passes of profile_segment().
struct ProfiledRead {
  std::uint32_t lines = 0;      ///< different other lines of the method's tables since this one was read last
  std::uint32_t pages = 0;      ///< the same in base pages; 0 on a large page
  std::uint32_t line_node = 0;  ///< at which node that was
  std::uint32_t page_node = 0;  ///< the same of the page
  ReadPath path = ReadPath::ahead;
  bool large_page = false;
};

struct ProfiledQuery {
  std::uint32_t node = 0;
  std::uint32_t reads_end = 0;  ///< its reads are those from the query before up to here
};

/// The second of two passes over a segment: what a warm replay of it reads.
struct SegmentProfile {
  std::vector<ProfiledRead> reads;  ///< those of a board's update stand with the query after it
  std::vector<ProfiledQuery> queries;
};

/// Which addresses are read ahead, and which tables are read in a second step, on the queries of some segments.
class ReadPaths {
 public:
  ReadPaths(const Plugin& traced, const AddressSpace& space, std::span<const Segment> segments);

  bool ahead(std::uint32_t owner, std::uint64_t address) const;
  /// Whether reads of this region by this owner wait for the chain read before them.
  bool serial(std::uint16_t region) const { return serial_[region]; }

 private:
  friend class AheadFinder;
  friend class SerialFinder;
  std::vector<std::vector<std::uint64_t>> ahead_;  ///< by owner: sorted addresses
  std::vector<bool> serial_;                       ///< by region
};

/// Replays a segment twice. @param traced  an initialised traced module that the CPU can run
SegmentProfile profile_segment(const Plugin& traced, const AddressSpace& space, const ReadPaths& paths,
                               const Segment& segment);

}  // namespace slidebench
