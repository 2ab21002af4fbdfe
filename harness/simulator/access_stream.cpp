// SPDX-License-Identifier: MIT
#include "harness/simulator/access_stream.hpp"

#include "harness/base/errors.hpp"

namespace slidebench {
namespace {

/// Connects a module to a stream as long as it lives.
class Tap {
 public:
  Tap(const PluginDescriptor& method, AccessSink sink, void* context) : method_(method) {
    method_.trace_accesses(sink, context);
  }
  Tap(const Tap&) = delete;
  Tap& operator=(const Tap&) = delete;
  ~Tap() { method_.trace_accesses(nullptr, nullptr); }

 private:
  const PluginDescriptor& method_;
};

}  // namespace

AccessStream::AccessStream(const PluginDescriptor& method, const AddressSpace& space, const StreamOptions& options)
    : method_(method), space_(space), options_(options), batch_(batch_events), random_(options.pressure_seed) {
  if (method.trace_accesses == nullptr) {
    throw UserError(std::string(method.info.id) +
                    ": this module does not report its table accesses; use the traced one");
  }
  std::uint64_t start = space.regions()[space.pressure_region()].address;
  for (const Touching& part : options.pressure.parts) {
    touched_.push_back({part, events_of(part.when), touch_order(part, options.pressure_seed), start, 0});
    start += part.block_bytes;
  }
  if (method.board.has_state) {
    board_.emplace(method.board);
    scratch_.emplace(method.board);
  }
}

void AccessStream::replay(std::span<const TraceBlock> blocks, std::span<EventConsumer* const> consumers) {
  consumers_ = consumers;
  const Tap tap(method_, &on_access, this);
  for (const TraceBlock& block : blocks) {
    replay_block(block);
    if (stray_access_) {
      throw UserError(std::string(method_.info.id) + ": it reads outside the tables that it lists");
    }
  }
  flush();
}

void AccessStream::replay_block(const TraceBlock& block) {
  const std::uint8_t* square = block.squares;
  for (std::uint32_t node = 0; node < block.nodes; ++node) {
    const Bitboard occupied = block.occupied[node];
    begin_node(occupied, block.tags[node]);
    for (unsigned kind = 0; kind < query_kinds; ++kind) {
      for (unsigned n = run_length(block.runs[node], static_cast<QueryKind>(kind)); n != 0; --n) {
        ask(static_cast<QueryKind>(kind), Square{*square++}, occupied);
      }
    }
  }
}

void AccessStream::begin_node(Bitboard occupied, NodeTag tag) {
  emit({.address = tag, .kind = MemoryEvent::Kind::node});
  for (TouchedBlock& block : touched_) {
    if (block.events.has(tag)) touch(block);
  }
  read_trace(0, sizeof(Bitboard));
  read_trace(1, sizeof(RunLengths));
  if (method_.board.has_state) update_board(occupied, tag);
}

void AccessStream::update_board(Bitboard occupied, NodeTag tag) {
  owner_ = update_owner;
  if (node_event(tag) == NodeEvent::root || !has_board_) {
    // A stretch that does not begin with a root begins with a board at hand.
    listening_ = node_event(tag) == NodeEvent::root ? Listening::emit : Listening::ignore;
    board_->build(occupied);
    has_board_ = true;
  } else {
    listening_ = Listening::emit;
    board_->toggle(occupied_ ^ occupied);
  }
  occupied_ = occupied;

  listening_ = Listening::count;
  counted_ = 0;
  scratch_->build(occupied);
  listening_ = Listening::ignore;
}

void AccessStream::ask(QueryKind kind, Square s, Bitboard occupied) {
  owner_ = encode_query(kind, s);
  emit({.owner = owner_, .kind = MemoryEvent::Kind::query});
  read_trace(2, 1);
  listening_ = Listening::emit;
  to_drop_ = counted_;
  switch (kind) {
    case QueryKind::bishop: method_.queries.bishop(s, occupied); break;
    case QueryKind::rook: method_.queries.rook(s, occupied); break;
    case QueryKind::queen: method_.queries.queen(s, occupied); break;
    case QueryKind::both: method_.queries.both(s, occupied); break;
  }
  listening_ = Listening::ignore;
}

void AccessStream::on_access(void* stream, std::uint32_t table, std::uint32_t offset, std::uint32_t bytes) {
  static_cast<AccessStream*>(stream)->access(table, offset, bytes);
}

void AccessStream::access(std::uint32_t table, std::uint32_t offset, std::uint32_t bytes) {
  if (listening_ != Listening::emit) {
    ++counted_;
    return;
  }
  if (to_drop_ != 0) {
    --to_drop_;
    return;
  }
  if (table >= space_.table_count() || std::uint64_t{offset} + bytes > space_.regions()[table].bytes || bytes == 0 ||
      bytes > UINT16_MAX) {
    stray_access_ = true;
    return;
  }
  emit({.address = space_.regions()[table].address + offset,
        .bytes = static_cast<std::uint16_t>(bytes),
        .region = static_cast<std::uint16_t>(table),
        .owner = owner_,
        .kind = MemoryEvent::Kind::access});
}

void AccessStream::touch(TouchedBlock& block) {
  constexpr std::uint16_t touched_bytes = 8;
  const std::uint32_t at_once = block.part.lines_at_once();
  for (std::uint32_t touched = 0; touched < block.part.lines; touched += at_once) {
    const std::uint64_t first =
        options_.touches == TouchOrder::cyclic ? block.next_in_order() : block.order[random_() % block.order.size()];
    for (std::uint64_t line = first; line != first + at_once; ++line) {
      emit({.address = block.start + line * cache_line_bytes,
            .bytes = touched_bytes,
            .region = space_.pressure_region(),
            .owner = pressure_owner,
            .kind = MemoryEvent::Kind::access});
    }
  }
}

inline std::uint64_t AccessStream::TouchedBlock::next_in_order() {
  const std::uint64_t line = order[cursor];
  cursor = cursor + 1 == order.size() ? 0 : cursor + 1;
  return line;
}

void AccessStream::read_trace(unsigned array, std::uint16_t bytes) {
  if (!options_.trace_reads) return;
  std::uint64_t& cursor = trace_cursor_[array];
  const std::uint64_t start = space_.regions()[space_.trace_region()].address;
  emit({.address = start + array * AddressSpace::trace_window_bytes + cursor % AddressSpace::trace_window_bytes,
        .bytes = bytes,
        .region = space_.trace_region(),
        .owner = trace_owner,
        .kind = MemoryEvent::Kind::access});
  cursor += bytes;
}

void AccessStream::emit(const MemoryEvent& event) {
  batch_[batch_size_++] = event;
  if (batch_size_ == batch_events) flush();
}

void AccessStream::flush() {
  for (EventConsumer* const consumer : consumers_) consumer->consume({batch_.data(), batch_size_});
  batch_size_ = 0;
}

}  // namespace slidebench
