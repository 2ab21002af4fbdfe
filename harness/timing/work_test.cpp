// SPDX-License-Identifier: MIT
//
// What is replayed: selections of a trace, the pressure beside it, and the pages under it.
#include <gtest/gtest.h>

#include <optional>

#include "harness/plugin/cpu.hpp"
#include "harness/timing/alternation.hpp"
#include "harness/timing/replay_work.hpp"
#include "harness/timing/table_pages.hpp"
#include "harness/trace/errors.hpp"
#include "harness/trace/random_trace.hpp"
#include "harness/trace/test_support.hpp"

namespace slidebench {
namespace {

class WorkTest : public testing::Test {
 protected:
  WorkTest() : path_(folder_ / "random.trace") {
    RandomTraceOptions options;
    options.nodes = 4000;
    build_random_trace(path_, options);
    trace_.emplace(Trace::open(path_));
  }

  Arm arm(const std::string& id, ModuleRole role = ModuleRole::timed) const {
    for (Plugin& plugin : load_folder(TEST_PLUGIN_DIR, role, host_isa())) {
      if (plugin.id() != id) continue;
      plugin.initialise();
      return Arm(std::make_shared<Plugin>(std::move(plugin)));
    }
    throw std::runtime_error("no module of " + id);
  }

  test::TempFolder folder_;
  std::string path_;
  std::optional<Trace> trace_;
};

TEST_F(WorkTest, ASelectionLeavesNothingOutAndKeepsTheOrder) {
  const TraceSelection all(*trace_, {.piece_queries = 100, .window_queries = 1000});
  EXPECT_EQ(all.size(), trace_->queries());
  std::vector<std::uint8_t> cut, whole;
  std::uint64_t nodes = 0;
  for (const Window window : all.windows()) {
    std::uint64_t inside = 0;
    for (const TraceBlock& piece : window) {
      nodes += piece.nodes;
      inside += piece.queries;
      cut.insert(cut.end(), piece.squares, piece.squares + piece.queries);
    }
    EXPECT_GE(inside, 1000u);
  }
  for (const TraceBlock& block : trace_->blocks()) {
    whole.insert(whole.end(), block.squares, block.squares + block.queries);
  }
  EXPECT_EQ(nodes, trace_->nodes());
  EXPECT_EQ(cut, whole);
}

TEST_F(WorkTest, KindsAddUpToTheWhole) {
  std::uint64_t queries = 0, sum = 0;
  const Arm walker = arm("ray_walk");
  const Workload& throughput = *find_workload("throughput");
  for (const char* name : {"bishop", "rook", "queen", "both"}) {
    const auto selection = std::make_shared<TraceSelection>(*trace_, SelectionOptions{.kind = parse_kind(name)});
    EXPECT_EQ(selection->size(), trace_->queries(*parse_kind(name)));
    queries += selection->size();
    ReplayWork work(throughput, selection, nullptr);
    for (std::size_t w = 0; w < work.windows(); ++w) sum += work.pass(walker, w);
  }
  EXPECT_EQ(queries, trace_->queries());
  ReplayWork whole(throughput, std::make_shared<TraceSelection>(*trace_, SelectionOptions{}), nullptr);
  std::uint64_t expected = 0;
  for (std::size_t w = 0; w < whole.windows(); ++w) expected += whole.pass(walker, w);
  EXPECT_EQ(sum, expected);
}

TEST_F(WorkTest, UnknownKindsAreRefused) {
  EXPECT_FALSE(parse_kind("all"));
  EXPECT_THROW(parse_kind("knight"), UserError);
}

TEST_F(WorkTest, EveryWorkloadOfAMethodWithStateGivesTheOraclesSum) {
  for (const Workload& workload : workloads) {
    const auto selection = std::make_shared<TraceSelection>(
        *trace_, SelectionOptions{.nodes_only = workload.unit != Workload::Unit::query, .piece_queries = 500});
    ReplayWork work(workload, selection, nullptr);
    for (const char* id : {"rotated_hyatt", "magic_fancy", "empty"}) {
      const Arm method = arm(id);
      EXPECT_EQ(work.pass(method, 0), work.expected(method, 0)) << id << " in " << workload.name;
    }
  }
}

TEST_F(WorkTest, PressureChangesNoAnswer) {
  const auto block = std::make_shared<PressureBlock>(parse_pressure("16@64K/eval"), 1, false);
  const auto selection = std::make_shared<TraceSelection>(*trace_, SelectionOptions{});
  const Arm method = arm("magic_fancy");
  for (const Workload& workload : workloads) {
    ReplayWork work(workload, selection, block);
    EXPECT_EQ(work.pass(method, 0), work.expected(method, 0)) << workload.name;
  }
}

TEST_F(WorkTest, TheControlAnswersLikeTheReference) {
  const Arm control = arm("magic_fancy", ModuleRole::control);
  EXPECT_EQ(control.name, "magic_fancy.control");
  ReplayWork work(*find_workload("latency"), std::make_shared<TraceSelection>(*trace_, SelectionOptions{}), nullptr);
  EXPECT_EQ(work.pass(control, 0), work.expected(control, 0));
}

TEST_F(WorkTest, ArmsThatTakeTurnsDoAllTheWork) {
  const auto selection = std::make_shared<TraceSelection>(*trace_, SelectionOptions{.piece_queries = 200});
  ReplayWork work(*find_workload("throughput"), selection, nullptr);
  ASSERT_GT(work.pieces(0), 10u);
  const Arm fancy = arm("magic_fancy"), empty = arm("empty"), clock = Arm::clock();
  Shuffler random(1);
  const std::vector<SliceTime> times = time_alternating({&fancy, &empty, &clock}, work, 0, 2, random);
  ASSERT_EQ(times.size(), 3u);
  EXPECT_EQ(times[0].checksum, 2 * work.expected(fancy, 0));
  EXPECT_EQ(times[1].checksum, 2 * work.expected(empty, 0));
  EXPECT_EQ(times[2].checksum, 2 * work.pieces(0) * clock_turn_additions);
  for (const SliceTime& time : times) EXPECT_GT(time.time_ns, 0);
}

/// Counts the touches of a pressure in a replay.
struct Touches {
  std::uint64_t count = 0;
  PressureHook hook(NodeTag mask, NodeTag wanted) {
    return {[](void* self) { ++static_cast<Touches*>(self)->count; }, this, mask, wanted};
  }
};

TEST_F(WorkTest, PressureComesAtItsEventsAndNoOthers) {
  const TraceBlock& block = trace_->blocks().front();
  const Arm method = arm("hyperbola");
  for (const char* specification : {"16@64K/eval", "16@64K/node"}) {
    const Pressure pressure = parse_pressure(specification);
    std::uint64_t events = 0;
    for (std::uint32_t n = 0; n < block.nodes; ++n) events += is_pressure_event(pressure, block.tags[n]) ? 1 : 0;
    ASSERT_GT(events, 0u);
    PressureBlock real(pressure, 1, false);
    Touches touches;
    const PressureHook hook = touches.hook(real.hook().mask, real.hook().wanted);
    for (const Workload& workload : workloads) {
      touches.count = 0;
      (method.plugin->descriptor().replay.*workload.kernels).pressed(block, hook);
      EXPECT_EQ(touches.count, events) << workload.name << " under " << specification;
    }
  }
}

constexpr const char* smaps =
    "7f0000000000-7f0000400000 rw-p 00000000 00:00 0 \n"
    "Size:               4096 kB\n"
    "AnonHugePages:      2048 kB\n"
    "7f0000400000-7f0000600000 rw-p 00000000 00:00 0 \n"
    "Size:               2048 kB\n"
    "AnonHugePages:         0 kB\n";

TEST(TablePages, AreReadFromSmaps) {
  EXPECT_EQ(bytes_on_large_pages(smaps, 0x7f0000000000, 4u << 20), 2u << 20);
  EXPECT_EQ(bytes_on_large_pages(smaps, 0x7f0000000000, 1u << 20), 1u << 20);
  EXPECT_EQ(bytes_on_large_pages(smaps, 0x7f0000400000, 2u << 20), 0u);
  EXPECT_EQ(bytes_on_large_pages(smaps, 0x7f1000000000, 2u << 20), 0u);
  EXPECT_EQ(bytes_on_large_pages("", 0x7f0000000000, 1), 0u);
}

TEST(TablePages, ARefusalIsExplained) {
  const test::TempFolder root;
  EXPECT_NE(large_pages_refused(root / ""), "");
  const std::string setting = root / "sys/kernel/mm/transparent_hugepage";
  std::filesystem::create_directories(setting);
  std::ofstream(setting + "/enabled") << "always madvise [never]\n";
  EXPECT_NE(large_pages_refused(root / "").find("madvise"), std::string::npos);
  std::ofstream(setting + "/enabled") << "always [madvise] never\n";
  EXPECT_EQ(large_pages_refused(root / ""), "");
}

TEST_F(WorkTest, TablesLieOnThePagesThatWereAskedFor) {
  if (!large_pages_refused().empty()) GTEST_SKIP() << large_pages_refused();
  for (const bool large : {false, true}) {
    for (Plugin& plugin : load_folder(TEST_PLUGIN_DIR, ModuleRole::timed, host_isa())) {
      if (plugin.id() != "magic_plain") continue;
      advise_table_pages(plugin, large);
      plugin.initialise();
      const TablePages pages = table_pages(plugin);
      EXPECT_EQ(pages.bytes, (2u << 20) + (256u << 10));
      if (!large) {
        EXPECT_EQ(pages.large_bytes, 0u);
      }
      // The kernel may be out of 2 MiB pages: then it gives none, and says so in smaps.
      if (large && pages.large_bytes == 0) GTEST_SKIP() << "no 2 MiB page to be had";
    }
  }
}

}  // namespace
}  // namespace slidebench
