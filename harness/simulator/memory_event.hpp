// SPDX-License-Identifier: MIT
//
// The memory accesses of a replay, in order: what simulators and analysers are given.
//
// AccessStream makes them, in batches. A listener that is handed batches runs in a loop
// of its own, so that many can listen to one replay, and nothing grows with the length of the trace.
#pragma once

#include <cstdint>
#include <span>

#include "harness/trace/block.hpp"

namespace slidebench {

/// On whose behalf memory is read: a query (its QueryCode: kind and square), or one of these.
using Owner = std::uint16_t;
inline constexpr Owner query_owners = 256;    ///< owners below are query codes
inline constexpr Owner update_owner = 256;    ///< a method's board follows the moves
inline constexpr Owner pressure_owner = 257;  ///< the engine around it
inline constexpr Owner trace_owner = 258;     ///< the replay loop reads its trace
inline constexpr Owner owner_count = 259;

/// True for what the method itself reads: queries and updates.
constexpr bool is_method(Owner owner) { return owner <= update_owner; }

struct MemoryEvent {
  enum class Kind : std::uint8_t {
    access,  ///< `bytes` bytes at `address` are read
    node,    ///< a node of the trace begins; `address` is its NodeTag
    query    ///< a query begins; `owner` is its code
  };

  std::uint64_t address = 0;
  std::uint16_t bytes = 0;
  std::uint16_t region = 0;  ///< of an access: its region in the AddressSpace
  Owner owner = 0;
  Kind kind = Kind::access;
};
static_assert(sizeof(MemoryEvent) == 16);

class EventConsumer {
 public:
  virtual ~EventConsumer() = default;
  virtual void consume(std::span<const MemoryEvent> events) = 0;
};

}  // namespace slidebench
