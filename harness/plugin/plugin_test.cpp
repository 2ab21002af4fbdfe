// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <deque>
#include <random>
#include <set>
#include <string_view>

#include "harness/base/emulator.hpp"
#include "harness/base/errors.hpp"
#include "harness/plugin/replay_moves.hpp"
#include "harness/plugin/test_modules.hpp"
#include "harness/plugin/verification.hpp"
#include "harness/trace/test_support.hpp"
#include "methods/calculation/ray_walk.hpp"
#include "methods/empty.hpp"
#include "methods/pext/hypercube.hpp"
#include "methods/reference.hpp"

namespace slidebench {
namespace {

constexpr auto without_isa = "SLIDEBENCH_WITHOUT_ISA";

std::vector<Plugin> modules(ModuleRole role) { return load_folder(TEST_PLUGIN_DIR, role, host_isa()); }

TEST(Loader, FindsEveryMethodOnceAndItsTracedTwin) {
  std::set<std::string> ids, with_twin, traced;
  for (const Plugin& plugin : modules(ModuleRole::timed)) {
    EXPECT_TRUE(ids.insert(plugin.id()).second) << plugin.id();
    EXPECT_EQ(plugin.descriptor().trace_accesses, nullptr) << plugin.id();
    if (plugin.descriptor().group != MethodGroup::extension) with_twin.insert(plugin.id());
  }
  for (const char* id : {"empty", "ray_walk", "classical_rays", "dumb7fill", "kogge_stone", "hyperbola", "kindergarten",
                         "rotated_hyatt", "magic_plain", "magic_fancy", "pext"})
    EXPECT_TRUE(ids.contains(id)) << id;
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
    const test::ScopedEnvironment without(without_isa, "bmi2,avx2");
    EXPECT_EQ(host_isa(), all & ~(Isa::bmi2 | Isa::avx2));
  }
  const test::ScopedEnvironment without(without_isa, "bmi9");
  EXPECT_THROW(host_isa(), UserError);
}

TEST(Cpu, AMethodSaysWhatItLacks) {
#if defined(__x86_64__)
  const std::string feature = "bmi2";
#else
  const std::string feature = "sve2_bitperm";
#endif
  const test::ScopedEnvironment without(without_isa, feature);
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
  // A board may be larger than a cache line.
  static_assert(stays_in_memory<BoardOf<Hypercube>> && !stays_in_memory<BoardOf<RayWalk>>);
  Hypercube::init();
  EXPECT_EQ((replay<Hypercube, Dependence::independent>(block.view())), answers);
  EXPECT_EQ((replay<Hypercube, Dependence::chained>(block.view())), answers);
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

TEST(Replay, SumsTellRooksFromBishopsAnswersAndBoardsApart) {
  BlockOfPieces block;
  const std::uint64_t expected = replay<RayWalk, Dependence::independent>(block.view());
  // The first `both` is a queen's query now.
  block.runs[0] = static_cast<RunLengths>(block.runs[0] - 0x1000 + 0x0100);
  EXPECT_NE((replay<RayWalk, Dependence::independent>(block.view())), expected);
  block.runs[0] = static_cast<RunLengths>(block.runs[0] + 0x1000 - 0x0100);
  block.squares[0] ^= 1;
  EXPECT_NE((replay<RayWalk, Dependence::independent>(block.view())), expected);

  const std::uint64_t moves = replay_moves<MethodLine<RayWalk>>(block.view());
  block.boards.back() = pack(PieceBoard::empty());
  EXPECT_NE(replay_moves<MethodLine<RayWalk>>(block.view()), moves);
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

// Verification. A check that cannot fail is no check: modules are damaged in memory, one bit of one table, and must be
// caught.

const VerificationOptions few_boards{.seed = 1, .random_boards = 2'000, .joint_every = 64};

TEST(Verification, PassesCountsEveryCaseAndFollowsTheGame) {
  const VerificationOptions no_boards{.seed = 1, .random_boards = 0, .joint_every = few_boards.joint_every};
  const VerificationResult result = verify_method(module_named("magic_fancy").descriptor(), no_boards, {});
  EXPECT_FALSE(result.counter_example.has_value()) << *result.counter_example;
  EXPECT_EQ(result.answers, 3u * (1'048'576 + 71'168) + 3u * (6'946'816 / few_boards.joint_every));

  // Boards are compared at every ply: a game whose second position is not what was toggled to is noticed.
  const std::span<const Bitboard> game = verification_game_occupancies();
  ASSERT_EQ(game.size(), 46u);
  EXPECT_EQ(game.front(), 0xFFFF00000000FFFFu);
  const Plugin method = module_named("rotated_hyatt");
  const VerificationResult whole = verify_method(method.descriptor(), few_boards, game);
  const VerificationResult none = verify_method(method.descriptor(), few_boards, {});
  EXPECT_FALSE(whole.counter_example.has_value());
  EXPECT_EQ(whole.answers - none.answers, (46u + 46u + 45u) * 64 * 2);
}

TEST(Verification, CatchesOneWrongTableEntry) {
  const Plugin method = module_named("magic_fancy");
  const std::vector<TableInfo> tables = method.tables();
  const auto is_sets = [](const TableInfo& table) { return std::string_view(table.name) == "sets"; };
  const TableInfo& sets = *std::find_if(tables.begin(), tables.end(), is_sets);
  std::mt19937_64 random(1);
  for (int mutations = 0; mutations < 5;) {
    const std::size_t entry = random() % (sets.bytes / 8);
    if (static_cast<const Bitboard*>(sets.address)[entry] == 0) continue;  // a slot that no occupancy leads to
    const FlippedBit wrong(sets, 64 * entry + random() % 64);
    ASSERT_TRUE(verify_method(method.descriptor(), few_boards).counter_example.has_value()) << "entry " << entry;
    ++mutations;
  }
}

/// Whether verification catches a damaged method. Damage to a number or an address may lead out of the tables, and then
/// out of the process: so verification runs in a process of its own, and its death is as good as a counter-example.
bool verification_fails(const Plugin& method) {
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) {
    std::freopen("/dev/null", "w", stderr);  // a sanitizer's report would be about our own damage
    _exit(verify_method(method.descriptor(), few_boards).counter_example.has_value() ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

/// Every table of every method, at seeded places, one bit more and then twice as many: some entries are never used (98
/// of 100 of pre_school's sets of bishops), but a flip of one that is must show.
TEST(Verification, CatchesDamageInEveryTable) {
  for (const Plugin& method : runnable_modules(ModuleRole::timed)) {
    if (method.id() == "empty" || method.descriptor().group == MethodGroup::extension) continue;
    // What verification asks does not depend on the processor; under an emulator, which takes ten times as long, those
    // that only such a processor has.
    if (emulator() && method.info().requires_isa == Isa::none) continue;
    for (const TableInfo& table : method.tables()) {
      std::mt19937_64 random(7);
      std::deque<FlippedBit> wrong;
      bool caught = false;
      for (std::size_t bits = 1; bits <= 512 && !caught; bits *= 2) {
        while (wrong.size() < bits) wrong.emplace_back(table, random() % (8 * table.bytes));
        caught = verification_fails(method);
      }
      EXPECT_TRUE(caught) << method.id() << ", table " << table.name;
    }
    EXPECT_FALSE(verify_method(method.descriptor(), few_boards).counter_example.has_value()) << method.id();
  }
}

constexpr Square d4 = 27, g2 = 14;
constexpr Bitboard around_d4 = 0x0000001C141C0000;  ///< every neighbour: one joint occupancy of its lines

/// A method that answers right, but for what a test puts in the place of a query.
PluginDescriptor almost_right() {
  static const Plugin method = module_named("ray_walk");
  return method.descriptor();
}

std::string fault_of(const PluginDescriptor& method,
                     const VerificationOptions& options = {.seed = 1, .random_boards = 20'000}) {
  return verify_method(method, options).counter_example.value_or("");
}

bool is_joint_occupancy_around_d4(Square s, Bitboard occupied) {
  return s == d4 && (occupied & (bishop_relevant(d4) | rook_relevant(d4))) == around_d4;
}

TEST(Verification, CatchesAQueenBothAndABishopThatAreWrongForOneOccupancy) {
  PluginDescriptor method = almost_right();
  method.queries.queen = [](Square s, Bitboard occupied) {
    return reference::queen(s, occupied) ^ (is_joint_occupancy_around_d4(s, occupied) ? 1u : 0u);
  };
  EXPECT_NE(fault_of(method).find("queen on d4"), std::string::npos);
  EXPECT_NE(fault_of(method, {.seed = 2, .random_boards = 0}).find("queen on d4"), std::string::npos);

  method = almost_right();
  method.queries.both = [](Square s, Bitboard occupied) {
    const Bitboard wrong = is_joint_occupancy_around_d4(s, occupied) ? 1u : 0u;
    return BishopRook{reference::bishop(s, occupied), reference::rook(s, occupied) ^ wrong};
  };
  EXPECT_NE(fault_of(method).find("both (rook set) on d4"), std::string::npos);

  // Of the board but the lines' ends empty: random noise has that once in thousands of boards.
  method = almost_right();
  method.queries.bishop = [](Square s, Bitboard occupied) {
    return reference::bishop(s, occupied) ^ (s == g2 && occupied == bit(28) ? 1u : 0u);
  };
  EXPECT_NE(fault_of(method).find("bishop on g2, occupied 0x0000000010000000"), std::string::npos);
}

TEST(Verification, CatchesUnionsOfManySlidersThatAreWrong) {
  PluginDescriptor method = almost_right();
  method.queries.set_attacks = [](Bitboard diagonal, Bitboard orthogonal, Bitboard occupied) {
    const Bitboard wrong = std::popcount(diagonal & orthogonal) >= 9 ? 1u : 0u;
    Bitboard attacks = wrong;
    while (diagonal != 0) attacks |= reference::bishop(pop_lowest(diagonal), occupied);
    while (orthogonal != 0) attacks |= reference::rook(pop_lowest(orthogonal), occupied);
    return attacks;
  };
  EXPECT_NE(fault_of(method).find("set_attacks"), std::string::npos);
}

/// Beyond a page of guards a write is a crash, and between it and the room a word that has changed.
TEST(Verification, CatchesABatchThatWritesBeyondItsRoom) {
  static void (*batch)(const SliderBatch&, Bitboard, Bitboard*);
  PluginDescriptor method = almost_right();
  batch = method.queries.batch;
  method.queries.batch = [](const SliderBatch& sliders, Bitboard occupied, Bitboard* attacks) {
    batch(sliders, occupied, attacks);
    attacks[SliderBatch::room] = 1;
  };
  EXPECT_NE(fault_of(method).find("a word beyond its room"), std::string::npos);
  method.queries.batch = [](const SliderBatch& sliders, Bitboard occupied, Bitboard* attacks) {
    batch(sliders, occupied, attacks);
    *(attacks - 1) = 1;
  };
  EXPECT_DEATH(fault_of(method), "");
}

}  // namespace
}  // namespace slidebench
