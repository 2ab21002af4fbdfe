// SPDX-License-Identifier: MIT
//
// Replays a trace through a traced module and tells what it reads, each access with the node and the query it serves.
//
// A traced module reports accesses, but not for which query: its replay kernel runs a whole block. So the queries are
// asked one by one here, through the module's `queries`, which call the same functions as the kernel. For a method
// without state that is all. A method with a Board is asked in two steps:
//   - `board` is built at a root and toggled at every other node, once, as the kernel does: the accesses of the update;
//   - a query through `queries` first builds a board of its own. How many accesses that takes depends on the occupancy
//     alone and is counted beforehand at each node; that many are dropped, and the rest are the query's.
// The sequence of accesses is exactly the throughput kernel's (a test compares them), except that a kernel also builds
// a board at the start of each block, which belongs to the cutting into blocks and not to the method.
// The board itself (up to 64 bytes) counts as registers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <vector>

#include "harness/plugin/abi.hpp"
#include "harness/plugin/board_storage.hpp"
#include "harness/pressure/pressure.hpp"
#include "harness/simulator/address_space.hpp"
#include "harness/simulator/memory_event.hpp"

namespace slidebench {

/// In which order pressure goes through the lines (or rows) of its block.
enum class TouchOrder : std::uint8_t {
  cyclic,      ///< a permutation of the block, again and again: what the timed replay does, and the worst case of LRU
  independent  ///< each touch is any line (row) of the block: not what the timed replay does
};

struct StreamOptions {
  Pressure pressure = {};  ///< the one that the AddressSpace was made for
  std::uint64_t pressure_seed = 1;
  TouchOrder touches = TouchOrder::cyclic;
  bool trace_reads = false;  ///< also what the replay loop itself reads: 10 bytes per node, 1 byte a query
};

/// The order of events at a node: the node; pressure touches, if it is an event of the pressure; the trace's reads; the
/// board's update; then each query, first the query, then its reads. Pressure goes on where it stopped from one
/// replay() to the next, and so does the board, until restart_board(): call it with consecutive blocks.
class AccessStream {
 public:
  /// @param method   an initialised module that the CPU can run; it and `space` have to outlive the stream
  /// @throws UserError  if the module is not a traced one
  AccessStream(const PluginDescriptor& method, const AddressSpace& space, const StreamOptions& options = {});

  /// Replays the blocks in order, and hands every event to every consumer.
  /// @throws UserError  if the method reads outside its tables, or reads a table that it does not list
  void replay(std::span<const TraceBlock> blocks, std::span<EventConsumer* const> consumers);

  /// The blocks that come next do not follow those before: their first board is at hand, as a kernel builds one at the
  /// start of each block.
  void restart_board() { has_board_ = false; }

 private:
  static constexpr std::size_t batch_events = 1024;

  /// What to do with the accesses that the module reports.
  enum class Listening : std::uint8_t { emit, count, ignore };

  /// A part of the pressure, and how far it has come.
  struct TouchedBlock {
    Touching part;
    TagSet events;
    std::vector<std::uint32_t> order;
    std::uint64_t start;  ///< address
    std::size_t cursor;

    std::uint64_t next_in_order();
  };

  static void on_access(void* stream, std::uint32_t table, std::uint32_t offset, std::uint32_t bytes);
  void access(std::uint32_t table, std::uint32_t offset, std::uint32_t bytes);

  void replay_block(const TraceBlock& block);
  void begin_node(Bitboard occupied, NodeTag tag);
  void ask(QueryKind kind, Square s, Bitboard occupied);
  void update_board(Bitboard occupied, NodeTag tag);
  void touch(TouchedBlock& block);
  void read_trace(unsigned array, std::uint16_t bytes);

  void emit(const MemoryEvent& event);
  void flush();

  const PluginDescriptor& method_;
  const AddressSpace& space_;
  StreamOptions options_;
  std::span<EventConsumer* const> consumers_;
  std::vector<MemoryEvent> batch_;
  std::size_t batch_size_ = 0;

  Listening listening_ = Listening::ignore;
  Owner owner_ = update_owner;
  std::uint64_t counted_ = 0;  ///< accesses since Listening::count
  std::uint64_t to_drop_ = 0;  ///< accesses that build a query's own board
  bool stray_access_ = false;  ///< an exception cannot pass through the module

  std::optional<BoardStorage> board_;    ///< follows the trace; of a method with one
  std::optional<BoardStorage> scratch_;  ///< built only to count its accesses
  Bitboard occupied_ = 0;                ///< what board_ holds
  bool has_board_ = false;

  std::vector<TouchedBlock> touched_;
  std::mt19937_64 random_;                     ///< for independent touches
  std::uint64_t trace_cursor_[3] = {0, 0, 0};  ///< bytes read of occupancies, runs, squares
};

}  // namespace slidebench
