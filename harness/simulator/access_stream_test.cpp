// SPDX-License-Identifier: MIT
#include "harness/simulator/access_stream.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "harness/base/errors.hpp"
#include "harness/plugin/test_modules.hpp"
#include "harness/plugin/verification.hpp"
#include "harness/simulator/test_rig.hpp"

namespace slidebench {
namespace {

/// A game, twice: make after make, every kind of query at every position. Owns its arrays.
struct GameBlock {
  std::vector<Bitboard> occupied;
  std::vector<NodeTag> tags;
  std::vector<RunLengths> runs;
  std::vector<std::uint8_t> squares;
  std::vector<SliderSets> sliders;

  GameBlock() {
    for (unsigned game = 0; game < 2; ++game) {
      for (const Bitboard position : verification_game_occupancies()) {
        const NodeTag flags = tags.size() % 2 == 0 ? evaluated_flag : 0;
        occupied.push_back(position);
        tags.push_back(static_cast<NodeTag>(flags | static_cast<NodeTag>(NodeEvent::make)));
        runs.push_back(0x2112);
        sliders.push_back({});
        const std::size_t first = occupied.size() * 11;
        for (unsigned i = 0; i < 6; ++i) squares.push_back(static_cast<std::uint8_t>((first + i * 7) % 64));
      }
      tags[game * verification_game_occupancies().size()] = evaluated_flag | static_cast<NodeTag>(NodeEvent::root);
    }
  }

  TraceBlock view() const { return part(0, occupied.size()); }
  TraceBlock part(std::size_t first, std::size_t last) const {
    const auto nodes = static_cast<std::uint32_t>(last - first);
    return {&occupied[first], &tags[first], &runs[first], &squares[6 * first], &sliders[first], nodes, 6 * nodes};
  }
};

using Access = std::tuple<std::uint32_t, std::uint64_t, std::uint32_t>;  // table, offset, bytes

std::vector<Access> accesses_of(const PluginDescriptor& method, const TraceBlock& block) {
  std::vector<Access> seen;
  method.trace_accesses(
      [](void* context, std::uint32_t table, std::uint32_t offset, std::uint32_t bytes) {
        static_cast<std::vector<Access>*>(context)->emplace_back(table, offset, bytes);
      },
      &seen);
  method.replay.throughput.alone(block);
  method.trace_accesses(nullptr, nullptr);
  return seen;
}

/// What the kernel reads, without the board that it builds at the start of a block.
std::vector<Access> kernel_accesses(const PluginDescriptor& method, const TraceBlock& block) {
  std::vector<Access> all = accesses_of(method, block);
  const NodeTag no_change = static_cast<NodeTag>(NodeEvent::null_move);
  const RunLengths no_queries = 0;
  const TraceBlock only_start{block.occupied, &no_change, &no_queries, block.squares, block.sliders, 1, 0};
  all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(accesses_of(method, only_start).size()));
  return all;
}

std::vector<Access> stream_accesses(const EventRecorder& recorder, const AddressSpace& space) {
  std::vector<Access> accesses;
  for (const MemoryEvent& event : recorder.events) {
    if (event.kind != MemoryEvent::Kind::access || !is_method(event.owner)) continue;
    accesses.emplace_back(event.region, event.address - space.regions()[event.region].address, event.bytes);
  }
  return accesses;
}

EventRecorder record(const Plugin& method, const AddressSpace& space, std::span<const TraceBlock> blocks,
                     const StreamOptions& options = {}) {
  EventRecorder recorder;
  EventConsumer* const consumer = &recorder;
  AccessStream(method.descriptor(), space, options).replay(blocks, {&consumer, 1});
  return recorder;
}

/// What a stream tells of a method.
struct Replayed {
  Replayed(Plugin of, std::span<const TraceBlock> blocks, const StreamOptions& options = {})
      : method(std::move(of)),
        space(method.tables(), options.pressure, false),
        recorder(record(method, space, blocks, options)) {}

  std::vector<Access> accesses() const { return stream_accesses(recorder, space); }

  /// Lines of the block under pressure.
  std::vector<std::uint64_t> touched() const {
    std::vector<std::uint64_t> lines;
    for (const MemoryEvent& event : recorder.events) {
      if (event.owner != pressure_owner) continue;
      EXPECT_EQ(event.kind, MemoryEvent::Kind::access);
      EXPECT_EQ(event.region, space.pressure_region());
      EXPECT_EQ(event.bytes, 8u);
      lines.push_back((event.address - space.regions()[space.pressure_region()].address) / 64);
    }
    return lines;
  }

  Plugin method;
  AddressSpace space;
  EventRecorder recorder;
};

class AccessStreamTest : public testing::Test {
 protected:
  GameBlock game;
  const TraceBlock block = game.view();
};

TEST_F(AccessStreamTest, IsWhatTheKernelReads) {
  bool with_state = false;
  for (Plugin& method : runnable_modules(ModuleRole::traced)) {
    const Replayed seen(std::move(method), {&block, 1});
    EXPECT_EQ(seen.accesses(), kernel_accesses(seen.method.descriptor(), block)) << seen.method.id();
    with_state |= seen.method.descriptor().board.has_state;
  }
  EXPECT_TRUE(with_state) << "no method with a board of its own was tested";
}

TEST_F(AccessStreamTest, DoesNotDependOnTheCuttingIntoBlocks) {
  const TraceBlock parts[] = {game.part(0, 1), game.part(1, 30), game.part(30, game.occupied.size())};
  for (const char* id : {"magic_fancy", "rotated_hyatt"}) {
    const std::vector<Access> whole = Replayed(traced_module(id), {&block, 1}).accesses();
    EXPECT_EQ(Replayed(traced_module(id), parts).accesses(), whole) << id;
  }
}

TEST_F(AccessStreamTest, ABoardIsUpdatedBeforeTheQueries) {
  const Replayed seen(traced_module("rotated_hyatt"), {&block, 1});
  bool asked = false;
  std::uint64_t updates = 0;
  for (const MemoryEvent& event : seen.recorder.events) {
    if (event.kind == MemoryEvent::Kind::node) asked = false;
    if (event.kind == MemoryEvent::Kind::query) asked = true;
    if (event.kind == MemoryEvent::Kind::access && event.owner == update_owner) {
      EXPECT_FALSE(asked);
      ++updates;
    }
  }
  // 32 men at each of the two roots; two or three squares per move, four when castling.
  const auto moves = static_cast<std::uint64_t>(game.occupied.size() - 2);
  EXPECT_GE(updates, 64 + 2 * moves - 20);
  EXPECT_LE(updates, 64 + 3 * moves);
}

TEST_F(AccessStreamTest, TellsNodesAndQueriesInOrder) {
  const Replayed replayed(traced_module("empty"), {&block, 1});
  std::vector<QueryCode> expected, seen;
  std::vector<NodeTag> tags;
  for_each_query(block, [&](std::uint32_t, QueryKind kind, Square s) { expected.push_back(encode_query(kind, s)); });
  for (const MemoryEvent& event : replayed.recorder.events) {
    if (event.kind == MemoryEvent::Kind::query) seen.push_back(static_cast<QueryCode>(event.owner));
    if (event.kind == MemoryEvent::Kind::node) tags.push_back(static_cast<NodeTag>(event.address));
  }
  EXPECT_EQ(seen, expected);
  EXPECT_EQ(tags, game.tags);
  EXPECT_EQ(replayed.recorder.events.size(), expected.size() + tags.size());  // null reads nothing
}

TEST_F(AccessStreamTest, InterleavesPressureInItsOwnOrder) {
  game.tags[2] = evaluated_flag | continued_flag | static_cast<NodeTag>(NodeEvent::null_move);  // no event
  const Pressure pressure = parse_pressure("32@4K/eval/rows");
  const Replayed seen(traced_module("empty"), {&block, 1}, {.pressure = pressure, .pressure_seed = 9});
  std::vector<std::uint64_t> expected;
  const std::vector<std::uint32_t> order = touch_order(pressure.parts.front(), 9);
  const auto events = static_cast<std::size_t>(std::count_if(
      game.tags.begin(), game.tags.end(), [&](NodeTag tag) { return pressure_events(pressure).has(tag); }));
  for (std::size_t row = 0; row < 2 * events; ++row) {
    for (std::uint32_t i = 0; i < lines_per_row; ++i) expected.push_back(order[row % order.size()] + i);
  }
  EXPECT_EQ(seen.touched(), expected);
}

TEST_F(AccessStreamTest, TouchesLinesInAnyOrderIfAsked) {
  const Pressure pressure = parse_pressure("8@4K/eval");
  const auto touches = [&](TouchOrder order, std::uint64_t seed) {
    const StreamOptions options{.pressure = pressure, .pressure_seed = seed, .touches = order};
    std::vector<std::uint64_t> lines = Replayed(traced_module("empty"), {&block, 1}, options).touched();
    EXPECT_LT(std::ranges::max(lines), 64u);
    return lines;
  };
  const std::vector<std::uint64_t> cyclic = touches(TouchOrder::cyclic, 1);
  const std::vector<std::uint64_t> independent = touches(TouchOrder::independent, 1);
  ASSERT_GT(cyclic.size(), 128u);
  EXPECT_EQ(independent.size(), cyclic.size());
  EXPECT_EQ(independent, touches(TouchOrder::independent, 1));
  EXPECT_NE(independent, touches(TouchOrder::independent, 2));
  // Among as many touches as the block has lines: all of them, or about 1 - 1/e.
  const auto distinct = [](const std::vector<std::uint64_t>& lines) {
    return std::set<std::uint64_t>(lines.begin(), lines.begin() + 64).size();
  };
  EXPECT_EQ(distinct(cyclic), 64u);
  EXPECT_NEAR(static_cast<double>(distinct(independent)), 64 * 0.63, 10);
}

TEST_F(AccessStreamTest, ABoardCanBeRestarted) {
  const TraceBlock middle = game.part(5, 25);  // no root among them
  for (const char* id : {"magic_fancy", "rotated_hyatt"}) {
    const Plugin method = traced_module(id);
    const AddressSpace space(method.tables(), Pressure{}, false);
    AccessStream stream(method.descriptor(), space);
    for (unsigned pass = 0; pass < 2; ++pass) {
      EventRecorder recorder;
      EventConsumer* const consumer = &recorder;
      stream.restart_board();
      stream.replay({&middle, 1}, {&consumer, 1});
      EXPECT_EQ(stream_accesses(recorder, space), kernel_accesses(method.descriptor(), middle)) << id;
    }
  }
}

TEST_F(AccessStreamTest, ReadsTheTraceIfAsked) {
  const Replayed seen(traced_module("empty"), {&block, 1}, {.trace_reads = true});
  std::uint64_t bytes = 0;
  for (const MemoryEvent& event : seen.recorder.events) {
    if (event.owner != trace_owner) continue;
    bytes += event.bytes;
    EXPECT_LT(event.address, seen.space.end());
  }
  EXPECT_EQ(bytes, 10u * block.nodes + block.queries);
}

TEST_F(AccessStreamTest, RefusesATimedModuleAndATableThatIsNotListed) {
  const Plugin timed = module_named("magic_fancy");
  const AddressSpace space(timed.tables(), Pressure{}, false);
  EXPECT_THROW(AccessStream(timed.descriptor(), space), UserError);
  const Plugin method = traced_module("magic_fancy");
  const std::vector<TableInfo> tables = method.tables();
  const AddressSpace first_only({tables.data(), 1}, Pressure{}, false);
  EXPECT_THROW(record(method, first_only, {&block, 1}), UserError);
}

TEST(AddressSpace, KeepsAlignmentAndPageSizesApart) {
  const TableInfo tables[] = {{"small", nullptr, 100},
                              {"large", nullptr, 100'000},
                              {"middle", nullptr, 64u << 10},
                              {"largest", nullptr, 3u << 20}};
  const Pressure pressure = parse_pressure("64@256K/node");
  for (const bool large_pages : {false, true}) {
    const AddressSpace space(tables, pressure, large_pages);
    const std::vector<Region>& r = space.regions();
    ASSERT_EQ(r.size(), 6u);
    EXPECT_EQ(r[0].name, "small");
    EXPECT_EQ(r[2].address, r[0].address + 128);  // 64-byte alignment
    EXPECT_EQ(r[1].address % (2u << 20), 0u);
    EXPECT_EQ(r[3].address, r[1].address + (2u << 20));
    EXPECT_EQ(space.on_large_page(r[0].address), false);
    EXPECT_EQ(space.on_large_page(r[1].address), large_pages);
    EXPECT_EQ(space.on_large_page(r[4].address), large_pages);
    EXPECT_EQ(space.on_large_page(r[5].address), false);
    for (std::size_t i = 0; i < r.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        EXPECT_TRUE(r[i].address + r[i].bytes <= r[j].address || r[j].address + r[j].bytes <= r[i].address);
      }
    }
    EXPECT_EQ(space.end(), r[5].address + r[5].bytes);
  }
}

}  // namespace
}  // namespace slidebench
