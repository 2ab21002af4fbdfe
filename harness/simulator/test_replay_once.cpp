// SPDX-License-Identifier: MIT
//
// One method replays one trace twice: once for another tool (Valgrind) to observe, once in the simulator.
//
//   slidebench_replay_once TIMED TRACE QUERIES
//       replays the trace's first blocks, up to at least QUERIES queries, through the timed module's kernel. A first
//       pass warms the caches; the second is replay_measured_pass(), which a cache simulator can be told to watch.
//       Prints the address at which the module was loaded.
//   slidebench_replay_once TIMED TRACE QUERIES TRACED CACHES...
//       simulates both passes for each of the caches, through the traced module, and prints as one line of JSON what
//       the second one missed; and what each instruction of the timed kernel reads, since the other tool counts by it.
//
// Each cache is simulated twice. "simulator": as AccessStream tells it, at the places of AddressSpace. "kernel": with
// all that the timed kernel reads, at its real place within a page, which chooses the set of an L1.
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "harness/base/errors.hpp"
#include "harness/counters/single_step.hpp"
#include "harness/counters/test_memory_reads.hpp"
#include "harness/plugin/cpu.hpp"
#include "harness/plugin/loader.hpp"
#include "harness/simulator/access_stream.hpp"
#include "harness/simulator/cache_spec.hpp"
#include "harness/simulator/simulator.hpp"
#include "harness/trace/reader.hpp"

namespace {

using namespace slidebench;

constexpr std::uint64_t page_bytes = 4096;

/// Calls the kernel with its stack frame at the same place within a page, in whatever process: just below a page.
[[gnu::noinline]] std::uint64_t replay_all(ReplayKernel kernel, std::span<const TraceBlock> blocks) {
  alignas(page_bytes) std::byte page[page_bytes];
  std::uint64_t sum = 0;
  for (const TraceBlock& block : blocks) {
    asm volatile("" : : "r"(page) : "memory");
    sum += kernel(block);
  }
  return sum;
}

}  // namespace

/// The pass to watch, under a name that is easy to give to another tool.
extern "C" [[gnu::noinline]] std::uint64_t replay_measured_pass(ReplayKernel kernel, const TraceBlock* blocks,
                                                                std::size_t count) {
  return replay_all(kernel, {blocks, count});
}

namespace {

/// Nothing is wrong, but this CPU or this system cannot do it.
struct CannotRunHere : UserError {
  using UserError::UserError;
};

using Blocks = std::span<const TraceBlock>;

std::uint64_t address_of(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

/// The arrays of a block that the kernel of a method without state reads, in the order of AccessStream.
using Arrays = std::array<std::uint64_t, 3>;
Arrays arrays_of(const TraceBlock& block) {
  return {address_of(block.occupied), address_of(block.runs), address_of(block.squares)};
}

/// What the timed kernel reads, seen instruction by instruction.
struct Reader {
  std::string owner;  ///< what it reads; "mixed", if not always the same
  std::uint32_t bytes;
};

struct Witness {
  std::map<std::uint64_t, Reader> readers;  ///< by the instruction's address in the module's file
  std::set<std::uint64_t> stack_lines;      ///< read at every node or more often; their places within the page
};

/// Between the stream and a simulator: moves every access to where the timed module really reads, as far as a cache can
/// tell whose ways are no larger than a page. Adds what the kernel reads besides: tags, which it needs only to keep a
/// board, and its own stack frame, at every query.
class Relocation : public EventConsumer {
 public:
  Relocation(const AddressSpace& assumed, const Plugin& timed, const std::set<std::uint64_t>& stack_lines,
             Blocks blocks)
      : assumed_(assumed),
        stack_lines_(stack_lines),
        space_(with_room_to_move(timed), {}, false),
        reads_tags_(timed.descriptor().board.has_state) {
    for (std::uint16_t i = 0; i < space_.table_count(); ++i) {
      const std::uint64_t real = address_of(timed.descriptor().tables[i].address);
      start_.push_back(space_.regions()[i].address + real % page_bytes);
    }
    for (const TraceBlock& block : blocks) {
      lowest_array_ = std::min({lowest_array_, address_of(block.tags), std::ranges::min(arrays_of(block))});
    }
    lowest_array_ -= lowest_array_ % page_bytes;
  }

  const AddressSpace& space() const { return space_; }
  void send_to(EventConsumer& simulator) { simulator_ = &simulator; }

  /// The block that is replayed next.
  void enter(const TraceBlock& block) {
    read_before_ = read_;
    arrays_ = arrays_of(block);
    next_tag_ = address_of(block.tags);
  }

  void consume(std::span<const MemoryEvent> events) override {
    moved_.clear();
    for (const MemoryEvent& event : events) {
      moved_.push_back(event);
      if (event.kind == MemoryEvent::Kind::access) move(moved_.back());
      if (event.kind == MemoryEvent::Kind::node && reads_tags_) add_read(simulated_trace(next_tag_++), sizeof(NodeTag));
      if (event.kind == MemoryEvent::Kind::query) {
        for (const std::uint64_t line : stack_lines_) add_read(simulated_stack() + line * cache_line_bytes, 8);
      }
    }
    simulator_->consume(moved_);
  }

 private:
  static std::vector<TableInfo> with_room_to_move(const Plugin& timed) {
    std::vector<TableInfo> tables = timed.tables();
    // Over 64 KiB each, so that each starts a block of its own.
    for (TableInfo& table : tables) table.bytes += 2 * (64u << 10);
    return tables;
  }

  void move(MemoryEvent& event) {
    const std::uint64_t offset = event.address - assumed_.regions()[event.region].address;
    if (event.region != assumed_.trace_region()) {
      event.address = start_.at(event.region) + offset;
      return;
    }
    const std::uint64_t array = offset / AddressSpace::trace_window_bytes;
    const std::uint64_t cursor = offset % AddressSpace::trace_window_bytes;
    read_.at(array) = cursor + event.bytes;
    event.address = simulated_trace(arrays_.at(array) + (cursor - read_before_.at(array)));
  }

  void add_read(std::uint64_t address, std::uint16_t bytes) {
    moved_.push_back({address, bytes, space_.trace_region(), trace_owner, MemoryEvent::Kind::access});
  }

  std::uint64_t simulated_trace(std::uint64_t real) const {
    return space_.regions()[space_.trace_region()].address + (real - lowest_array_);
  }

  /// A page that the trace does not reach.
  std::uint64_t simulated_stack() const {
    return space_.regions()[space_.trace_region()].address + 2 * AddressSpace::trace_window_bytes;
  }

  const AddressSpace& assumed_;
  std::set<std::uint64_t> stack_lines_;
  AddressSpace space_;
  EventConsumer* simulator_ = nullptr;
  std::vector<std::uint64_t> start_;  ///< of each table
  bool reads_tags_;
  std::uint64_t lowest_array_ = ~std::uint64_t{0}, next_tag_ = 0;
  Arrays arrays_{}, read_{}, read_before_{};  ///< bytes of each array that were read: so far, and before this block
  std::vector<MemoryEvent> moved_;
};

/// Both passes; returns the counts of the second. With a witness, what the kernel really reads and where; without, what
/// the simulator assumes.
nlohmann::json simulate(const CacheSystem& caches, const Plugin& timed, const Plugin& traced, Blocks blocks,
                        const Witness* witness) {
  const AddressSpace assumed(traced.tables(), {}, false);
  Relocation relocation(assumed, timed, witness ? witness->stack_lines : std::set<std::uint64_t>{}, blocks);
  Simulator simulator(caches, witness ? relocation.space() : assumed);
  relocation.send_to(simulator);
  EventConsumer* const consumer = witness ? static_cast<EventConsumer*>(&relocation) : &simulator;

  AccessStream stream(traced.descriptor(), assumed, {.trace_reads = true});
  for (int pass = 0; pass < 2; ++pass) {
    simulator.clear_counts();
    for (const TraceBlock& block : blocks) {
      relocation.enter(block);
      stream.replay({&block, 1}, {&consumer, 1});
    }
  }
  const CountTable &l1 = simulator.counts().at(Level::l1).misses, &l2 = simulator.counts().at(Level::l2).misses;
  const auto of_a_table = [&](std::uint16_t region, Owner) { return region < assumed.table_count(); };
  return {{"table_l1_misses", l1.sum(of_a_table)},
          {"table_l2_misses", l2.sum(of_a_table)},
          {"trace_l1_misses", l1.of_owner(trace_owner)}};
}

/// Where the module of this address was loaded; 0: it belongs to none.
std::uint64_t load_address(const void* address) {
  Dl_info info{};
  return dladdr(address, &info) == 0 ? 0 : address_of(info.dli_fbase);
}

/// What an address of this process belongs to.
std::string owner_of(std::uint64_t address, const Plugin& timed, const TraceBlock& block, std::uint64_t stack) {
  for (const TableInfo& table : timed.tables()) {
    if (address - address_of(table.address) < table.bytes) return "table";
  }
  const auto within = [address](const auto* array, std::uint64_t count) {
    return address - address_of(array) < count * sizeof(*array);
  };
  if (within(block.occupied, block.nodes) || within(block.runs, block.nodes) || within(block.tags, block.nodes) ||
      within(block.squares, block.queries)) {
    return "trace";
  }
  constexpr std::uint64_t stack_window = 64 << 10;
  return address + stack_window - stack < 2 * stack_window ? "stack" : "other";
}

/// Executes the first nodes of a block instruction by instruction.
Witness witness_of(const Plugin& timed, const TraceBlock& whole, std::uint32_t nodes) {
  TraceBlock block = whole;
  block.nodes = std::min(block.nodes, nodes);
  try {
    single_step([] {}, [](const TracedRegisters&) {});
  } catch (const UserError& error) {
    throw CannotRunHere(error.what());
  }
  const std::uint64_t base = load_address(&timed.descriptor());
  Witness witness;
  std::map<std::uint64_t, std::uint32_t> stack_reads;
  const auto work = [&] {
    asm volatile("" : : "r"(replay_all(timed.descriptor().replay.throughput.alone, {&block, 1})));
  };
  for (const MemoryRead& read : memory_reads(work)) {
    if (load_address(reinterpret_cast<const void*>(read.instruction)) != base) continue;
    const std::string owner = owner_of(read.address, timed, whole, address_of(&block));
    if (owner == "stack") ++stack_reads[read.address % page_bytes / cache_line_bytes];
    const auto [entry, is_new] = witness.readers.try_emplace(read.instruction - base, Reader{owner, read.bytes});
    if (!is_new && entry->second.owner != owner) entry->second.owner = "mixed";
  }
  for (const auto& [line, count] : stack_reads) {
    if (count >= block.nodes) witness.stack_lines.insert(line);
  }
  return witness;
}

/// The bytes of the tables that a method asks for.
std::uint64_t table_bytes_read(const Plugin& traced, Blocks blocks) {
  struct Counter : EventConsumer {
    void consume(std::span<const MemoryEvent> events) override {
      for (const MemoryEvent& event : events) {
        if (event.kind == MemoryEvent::Kind::access && is_method(event.owner)) bytes += event.bytes;
      }
    }
    std::uint64_t bytes = 0;
  } counter;
  EventConsumer* const consumer = &counter;
  const AddressSpace space(traced.tables(), {}, false);
  AccessStream(traced.descriptor(), space).replay(blocks, {&consumer, 1});
  return counter.bytes;
}

nlohmann::json compare_with(const Plugin& timed, const std::string& traced_path, Blocks blocks,
                            const std::vector<std::string>& caches) {
  Plugin traced = Plugin::open(traced_path);
  traced.initialise();
  if (traced.tables().size() != timed.tables().size()) throw UserError("these are not two builds of one method");

  nlohmann::json json;
  json["method"] = timed.id();
  json["table_bytes_read"] = table_bytes_read(traced, blocks);
  constexpr std::uint32_t enough_nodes = 100;
  const Witness witness = witness_of(timed, blocks.front(), enough_nodes);
  for (const auto& [address, reader] : witness.readers) {
    json["readers"][std::to_string(address)] = {{"owner", reader.owner}, {"bytes", reader.bytes}};
  }
  for (const std::string& text : caches) {
    const CacheSystem system = parse_cache_system(text);
    json["caches"][text] = {{"kernel", simulate(system, timed, traced, blocks, &witness)},
                            {"simulator", simulate(system, timed, traced, blocks, nullptr)}};
  }
  return json;
}

int run(const std::vector<std::string>& arguments) {
  if (arguments.size() < 3 || arguments.size() == 4) {
    throw UserError("usage: slidebench_replay_once TIMED TRACE QUERIES [TRACED CACHES...]");
  }
  Plugin timed = Plugin::open(arguments[0]);
  if (!timed.runs_on(host_isa())) throw CannotRunHere(timed.id() + ": " + timed.status(host_isa()));
  timed.initialise();
  const Trace trace = Trace::open(arguments[1]);
  const std::uint64_t queries = std::stoull(arguments[2]);
  std::size_t count = 0;
  for (std::uint64_t taken = 0; count < trace.blocks().size() && taken < queries; ++count)
    taken += trace.blocks()[count].queries;
  const Blocks blocks = trace.blocks().first(count);
  if (arguments.size() > 4) {
    const std::vector<std::string> caches(arguments.begin() + 4, arguments.end());
    std::cout << compare_with(timed, arguments[3], blocks, caches).dump() << '\n';
    return 0;
  }
  std::cout << load_address(&timed.descriptor()) << '\n';
  const ReplayKernel kernel = timed.descriptor().replay.throughput.alone;
  const std::uint64_t first = replay_all(kernel, blocks);
  return first == replay_measured_pass(kernel, blocks.data(), blocks.size()) ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const CannotRunHere& error) {
    std::cerr << "slidebench_replay_once: " << error.what() << '\n';
    return 77;  // as test_callgrind.py knows
  } catch (const std::exception& error) {
    std::cerr << "slidebench_replay_once: " << error.what() << '\n';
    return 2;
  }
}
