// SPDX-License-Identifier: MIT
//
// The modules of stores as the program sees them: their kernels against the oracle's, and their verification against
// damage in memory.
#include <gtest/gtest.h>

#include "extras/stores/ask_anew.hpp"
#include "extras/stores/replay_keep.hpp"
#include "harness/plugin/extension.hpp"
#include "harness/plugin/test_modules.hpp"
#include "methods/calculation/ray_walk.hpp"

namespace slidebench {
namespace {

const Workload& keep() { return *find_workload("keep"); }

std::vector<Plugin> store_modules() {
  std::vector<Plugin> modules = load_folder(TEST_PLUGIN_DIR, ModuleRole::timed, host_isa());
  std::erase_if(modules,
                [](const Plugin& p) { return extension_of(p.descriptor()) == nullptr || !p.runs_on(host_isa()); });
  for (Plugin& module : modules) module.initialise();
  return modules;
}

TEST(StoreModules, GiveTheOraclesSums) {
  const BlockOfPieces block;
  const std::uint64_t moves = replay_moves<MethodLine<RayWalk>>(block.view());
  const std::vector<Plugin> modules = store_modules();
  ASSERT_GT(modules.size(), 2u);
  for (const Plugin& module : modules) {
    EXPECT_EQ(find_workload("moves")->of(module.descriptor()).alone(block.view()), moves) << module.id();
    EXPECT_EQ(keep().of(module.descriptor()).alone(block.view()), keep().oracle(block.view())) << module.id();
    EXPECT_EQ(module.descriptor().replay.throughput.alone, nullptr) << module.id();
  }
}

TEST(StoreModules, TheSumTellsQuestionsApart) {
  BlockOfPieces block;
  const std::uint64_t answers = keep().oracle(block.view());
  block.squares.back() ^= 1;
  EXPECT_NE(keep().oracle(block.view()), answers);
}

TEST(StoreModules, OfAnotherVersionAreNotKnown) {
  const std::uint64_t other = StoreModule::current_id + 1;
  PluginDescriptor module{};
  EXPECT_EQ(extension_of(module), nullptr) << "a method";
  module.extension = &other;
  EXPECT_EQ(extension_of(module), nullptr);
  EXPECT_EQ(keep().of(PluginDescriptor{}).alone, nullptr) << "a method has no such kernel";
}

TEST(StoreModules, DamageInWhatTheyReadIsCaught) {
  const Plugin store = module_named("attack_table");
  const Extension& extension = *extension_of(store.descriptor());
  const VerificationOptions few_boards{.seed = 1, .random_boards = 2'000};
  EXPECT_FALSE(extension.verify(store, few_boards).failure);
  std::mt19937_64 random(7);
  bool caught = false;
  for (int attempt = 0; attempt < 100 && !caught; ++attempt) {
    const FlippedBit wrong(store.tables().front(), random() % (8 * store.tables().front().bytes));
    caught = extension.verify(store, few_boards).failure.has_value();
  }
  EXPECT_TRUE(caught);
}

}  // namespace
}  // namespace slidebench
