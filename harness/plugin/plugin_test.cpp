// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <set>

#include "harness/base/errors.hpp"
#include "harness/plugin/replay_moves.hpp"
#include "harness/plugin/test_modules.hpp"
#include "harness/plugin/test_support.hpp"
#include "harness/trace/test_support.hpp"
#include "methods/calculation/ray_walk.hpp"
#include "methods/empty.hpp"
#include "methods/pext/hypercube.hpp"
#include "methods/reference.hpp"

namespace slidebench {
namespace {

/// Takes features away for one test.
struct WithoutIsa : test::ScopedEnvironment {
  explicit WithoutIsa(const std::string& list) : ScopedEnvironment("SLIDEBENCH_WITHOUT_ISA", list) {}
};

std::vector<Plugin> modules(ModuleRole role) { return load_folder(TEST_PLUGIN_DIR, role, host_isa()); }

TEST(Loader, FindsEveryMethodOnceAndItsTracedTwin) {
  std::set<std::string> ids, with_twin, traced;
  for (const Plugin& plugin : modules(ModuleRole::timed)) {
    EXPECT_TRUE(ids.insert(plugin.id()).second) << plugin.id();
    EXPECT_EQ(plugin.descriptor().trace_accesses, nullptr) << plugin.id();
    if (plugin.descriptor().group != MethodGroup::extension) with_twin.insert(plugin.id());
  }
  for (const char* id : {"empty", "ray_walk", "classical_rays", "dumb7fill", "kogge_stone", "hyperbola", "kindergarten",
                         "rotated_hyatt", "magic_plain", "magic_fancy", "pext"}) {
    EXPECT_TRUE(ids.contains(id)) << id;
  }
  for (const Plugin& plugin : modules(ModuleRole::traced)) {
    traced.insert(plugin.id());
    EXPECT_NE(plugin.descriptor().trace_accesses, nullptr) << plugin.id();
  }
  EXPECT_EQ(with_twin, traced);
}

TEST(Loader, RefusesWhatIsNoPluginAndAFolderWithoutOne) {
  test::expect_complaint("no such plug-in", [] { Plugin::open("/nonexistent/x.so"); });
  const std::string text = testing::TempDir() + "/text.so";
  test::write_file(text, "this is no shared object\n");
  test::expect_complaint("cannot be loaded", [&] { Plugin::open(text); });
  EXPECT_THROW(load_folder(testing::TempDir() + "/nothing_here", ModuleRole::timed, host_isa()), UserError);
}

TEST(Loader, ModulesOnTheirOwnPagesAreApart) {
  const std::vector<Plugin> all = modules(ModuleRole::timed);
  const Plugin& shared = all.front();
  const Plugin first = Plugin::open(shared.path(), CodePages::own);
  const Plugin second = Plugin::open(shared.path(), CodePages::own);
  EXPECT_NE(&first.descriptor(), &shared.descriptor());
  EXPECT_NE(&first.descriptor(), &second.descriptor());
  EXPECT_EQ(first.id(), shared.id());
  EXPECT_EQ(first.path(), shared.path());
}

TEST(Cpu, FeaturesCanBeTakenAwayIfTheyAreKnown) {
  const Isa all = host_isa();
  {
    const WithoutIsa without("bmi2,avx2");
    EXPECT_EQ(host_isa(), all & ~(Isa::bmi2 | Isa::avx2));
  }
  const WithoutIsa without("bmi9");
  EXPECT_THROW(host_isa(), UserError);
}

TEST(Cpu, AMethodSaysWhatItLacks) {
#if defined(__x86_64__)
  const std::string feature = "bmi2";
#else
  const std::string feature = "sve2_bitperm";
#endif
  const WithoutIsa without(feature);
  for (const Plugin& p : modules(ModuleRole::timed)) {
    if (p.id() != "pext") continue;
    EXPECT_FALSE(p.runs_on(host_isa()));
    EXPECT_NE(p.status(host_isa()).find("needs"), std::string::npos);
    EXPECT_NE(p.status(host_isa()).find(feature), std::string::npos);
  }
}

/// The sum of a block by the definition of the answers, without the kernel under test.
std::uint64_t defined_sum(const TraceBlock& block) {
  std::uint64_t bishops = 0;
  std::uint64_t rooks = 0;
  for_each_query(block, [&](std::uint32_t node, QueryKind kind, Square s) {
    const Bitboard occupied = block.occupied[node];
    if (kind == QueryKind::bishop || kind == QueryKind::both) bishops += reference::bishop(s, occupied);
    if (kind == QueryKind::rook || kind == QueryKind::both) rooks += reference::rook(s, occupied);
    if (kind == QueryKind::queen) bishops += reference::queen(s, occupied);
  });
  return bishops + 0x9E3779B97F4A7C15 * rooks;
}

TEST(Replay, EveryMethodAnswersAndMovesThePiecesAsTheOracle) {
  const BlockOfPieces block;
  const std::uint64_t answers = defined_sum(block.view());
  const std::uint64_t moves = replay_moves<MethodLine<RayWalk>>(block.view());
  EXPECT_EQ((replay<RayWalk, Dependence::independent>(block.view())), answers);
  for (Plugin& module : modules(ModuleRole::timed)) {
    const bool is_method = module.descriptor().group != MethodGroup::extension;
    EXPECT_EQ(module.descriptor().replay.update.alone != nullptr, is_method) << module.id();
    if (module.id() == "empty" || !is_method || !module.runs_on(host_isa())) continue;
    module.initialise();
    EXPECT_EQ(module.descriptor().replay.throughput.alone(block.view()), answers) << module.id();
    EXPECT_EQ(module.descriptor().replay.latency.alone(block.view()), answers) << module.id();
    EXPECT_EQ(module.descriptor().replay.update.alone(block.view()), moves) << module.id();
  }
}

TEST(Replay, TheSumTellsRooksFromBishopsAndOneAnswerFromAnother) {
  BlockOfPieces block;
  const std::uint64_t expected = replay<RayWalk, Dependence::independent>(block.view());
  // The first `both` is a queen's query now.
  block.runs[0] = static_cast<RunLengths>(block.runs[0] - 0x1000 + 0x0100);
  EXPECT_NE((replay<RayWalk, Dependence::independent>(block.view())), expected);
  block.runs[0] = static_cast<RunLengths>(block.runs[0] + 0x1000 - 0x0100);
  block.squares[0] ^= 1;
  EXPECT_NE((replay<RayWalk, Dependence::independent>(block.view())), expected);
}

TEST(Replay, ABoardMayBeLargerThanACacheLine) {
  static_assert(stays_in_memory<BoardOf<Hypercube>> && !stays_in_memory<BoardOf<RayWalk>>);
  const BlockOfPieces block;
  const std::uint64_t expected = defined_sum(block.view());
  Hypercube::init();
  EXPECT_EQ((replay<Hypercube, Dependence::independent>(block.view())), expected);
  EXPECT_EQ((replay<Hypercube, Dependence::chained>(block.view())), expected);
}

TEST(Replay, TheSumsOfMovesAndOfWordsTellBoardsApart) {
  BlockOfPieces block;
  const std::uint64_t moves = replay_moves<MethodLine<RayWalk>>(block.view());
  block.boards.back() = pack(PieceBoard::empty());
  EXPECT_NE(replay_moves<MethodLine<RayWalk>>(block.view()), moves);
  constexpr Bitboard words[]{1, 2}, exchanged[]{2, 1};
  EXPECT_NE(sum_of_words(words), sum_of_words(exchanged));
}

TEST(Replay, AnEmptyBlockIsNothing) { EXPECT_EQ((replay<Empty, Dependence::independent>(TraceBlock{})), 0u); }

struct Access {
  std::uint32_t table, offset, bytes;
};

/// What a traced module reports of an action.
template <class Action>
std::vector<Access> accesses_of(const Plugin& method, Action action) {
  std::vector<Access> seen;
  const AccessSink sink = [](void* context, std::uint32_t table, std::uint32_t offset, std::uint32_t bytes) {
    static_cast<std::vector<Access>*>(context)->push_back({table, offset, bytes});
  };
  method.descriptor().trace_accesses(sink, &seen);
  action(method.descriptor());
  method.descriptor().trace_accesses(nullptr, nullptr);
  return seen;
}

TEST(TracedTwin, ReportsTableOffsetAndSize) {
  const Plugin method = module_named("magic_fancy", ModuleRole::traced);
  const auto ask = [](const PluginDescriptor& d) { d.queries.bishop(2, 0xFFFF00000000FFFF); };
  const std::vector<Access> seen = accesses_of(method, ask);
  ask(method.descriptor());  // nobody listens any more
  ASSERT_EQ(seen.size(), 2u);
  const std::vector<TableInfo> tables = method.tables();
  EXPECT_STREQ(tables[seen[0].table].name, "records");
  EXPECT_EQ(seen[0].offset, 2u * 2 * 32);  // the bishop's record of c1
  EXPECT_EQ(seen[0].bytes, 32u);
  EXPECT_STREQ(tables[seen[1].table].name, "sets");
  EXPECT_EQ(seen[1].bytes, 8u);
  EXPECT_GE(seen[1].offset, 102'400u * 8);  // bishops' sets stand behind the rooks'
}

/// Offsets stay inside the tables, and no table is missing from a method's list.
TEST(TracedTwin, EveryAccessLiesInAListedTable) {
  const BlockOfPieces block;
  for (const Plugin& method : runnable_modules(ModuleRole::traced)) {
    const std::vector<Access> seen =
        accesses_of(method, [&](const PluginDescriptor& d) { d.replay.throughput.alone(block.view()); });
    const std::vector<TableInfo> tables = method.tables();
    EXPECT_EQ(seen.empty(), tables.empty()) << method.id();
    for (const Access& access : seen) {
      ASSERT_LT(access.table, tables.size()) << method.id() << " reads a table that it does not list";
      EXPECT_LE(access.offset + access.bytes, tables[access.table].bytes) << method.id();
    }
  }
}

}  // namespace
}  // namespace slidebench
