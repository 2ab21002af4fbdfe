// SPDX-License-Identifier: MIT
//
// A check that cannot fail is no check: modules are damaged in memory, one bit of one table, and must be caught.
#include "harness/plugin/verification.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <deque>
#include <random>
#include <string_view>

#include "harness/base/emulator.hpp"
#include "harness/plugin/test_modules.hpp"
#include "harness/plugin/test_support.hpp"
#include "methods/reference.hpp"

namespace slidebench {
namespace {

const VerificationOptions few_boards{.seed = 1, .random_boards = 2'000, .joint_every = 64};

TEST(Verification, PassesAndCountsEveryCase) {
  const VerificationResult result = verify_method(module_named("magic_fancy").descriptor(), few_boards);
  EXPECT_FALSE(result.counter_example.has_value()) << *result.counter_example;
  EXPECT_GE(result.answers, 3u * (1'048'576 + 71'168) + 3u * (6'946'816 / few_boards.joint_every));
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
    const VerificationResult result = verify_method(method.descriptor(), few_boards);
    ASSERT_TRUE(result.counter_example.has_value()) << "entry " << entry;
    EXPECT_NE(result.counter_example->find("magic_fancy: "), std::string::npos);
    EXPECT_NE(result.counter_example->find("occupied 0x"), std::string::npos);
    ++mutations;
  }
  EXPECT_FALSE(verify_method(method.descriptor(), few_boards).counter_example.has_value())
      << "the damage was not undone";
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

/// The methods whose damage is looked for. What verification asks does not depend on the processor; under an emulator,
/// which takes ten times as long, those that only such a processor has.
std::vector<Plugin> damaged_methods() {
  std::vector<Plugin> methods = runnable_modules(ModuleRole::timed);
  std::erase_if(methods, [](const Plugin& method) {
    return method.id() == "empty" || method.descriptor().group == MethodGroup::extension ||
           (emulator() && method.info().requires_isa == Isa::none);
  });
  return methods;
}

/// Every table of every method, at seeded places, one bit more and then twice as many: some entries are never used (98
/// of 100 of pre_school's sets of bishops), but a flip of one that is must show.
TEST(Verification, CatchesDamageInEveryTable) {
  for (const Plugin& method : damaged_methods()) {
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

/// Boards must be compared at every ply: a game whose second position is not what was toggled to is noticed.
TEST(Verification, FollowsTheGame) {
  const std::span<const Bitboard> game = verification_game_occupancies();
  ASSERT_EQ(game.size(), 46u);
  EXPECT_EQ(game.front(), 0xFFFF00000000FFFFu);
  const Plugin method = module_named("rotated_hyatt");
  const VerificationResult whole = verify_method(method.descriptor(), few_boards, game);
  const VerificationResult none = verify_method(method.descriptor(), few_boards, {});
  EXPECT_FALSE(whole.counter_example.has_value());
  EXPECT_EQ(whole.answers - none.answers, (46u + 46u + 45u) * 64 * 2);
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

TEST(Verification, CatchesAQueenThatIsWrongForOneJointOccupancy) {
  PluginDescriptor method = almost_right();
  method.queries.queen = [](Square s, Bitboard occupied) {
    return reference::queen(s, occupied) ^ (is_joint_occupancy_around_d4(s, occupied) ? 1u : 0u);
  };
  EXPECT_NE(fault_of(method).find("queen on d4"), std::string::npos);
  EXPECT_NE(fault_of(method, {.seed = 2, .random_boards = 0}).find("queen on d4"), std::string::npos);
}

TEST(Verification, CatchesBothThatAreWrongForOneJointOccupancy) {
  PluginDescriptor method = almost_right();
  method.queries.both = [](Square s, Bitboard occupied) {
    const Bitboard wrong = is_joint_occupancy_around_d4(s, occupied) ? 1u : 0u;
    return BishopRook{reference::bishop(s, occupied), reference::rook(s, occupied) ^ wrong};
  };
  EXPECT_NE(fault_of(method).find("both (rook set) on d4"), std::string::npos);
}

/// Of the board but the lines' ends empty: random noise has that once in thousands of boards.
TEST(Verification, CatchesABishopThatIsWrongOnAnEmptyBoard) {
  PluginDescriptor method = almost_right();
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
