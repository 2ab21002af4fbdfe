// SPDX-License-Identifier: MIT
//
// Counted instructions against code whose instructions are known, because they are written out.
#include "harness/counters/single_step.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <numeric>

#include "harness/counters/instruction_mix.hpp"
#include "harness/trace/errors.hpp"

namespace slidebench {
namespace {

InstructionMix mix_of(const std::function<void()>& work) { return instruction_mix(single_step(work)); }

/// `times` rounds of two additions, one load, one store, and the counting down: six instructions, one branch.
void known_loop(std::uint64_t times) {
  std::uint64_t memory = 1;
  std::uint64_t value = 0;
  asm volatile(
      "1: add $1, %0\n"
      "   add $1, %0\n"
      "   mov %2, %0\n"
      "   mov %0, %2\n"
      "   dec %1\n"
      "   jnz 1b\n"
      : "+r"(value), "+r"(times), "+m"(memory)
      :
      : "cc");
}

TEST(SingleStep, CountsEveryInstructionOnce) {
  const auto total = [](std::uint64_t times) {
    const ExecutionCounts counts = single_step([times] { known_loop(times); });
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const auto& entry) { return sum + entry.second; });
  };
  EXPECT_EQ(total(1000) - total(10), 990u * 6);
}

TEST(SingleStep, TellsWhatTheInstructionsDo) {
  const InstructionMix few = mix_of([] { known_loop(10); });
  const InstructionMix many = mix_of([] { known_loop(110); });
  EXPECT_EQ(many.instructions - few.instructions, 600u);
  EXPECT_EQ(many.loads - few.loads, 100u);
  EXPECT_EQ(many.stores - few.stores, 100u);
  EXPECT_EQ(many.branches - few.branches, 100u);
}

TEST(SingleStep, SeesPushesAndPopsAsMemoryOnTheStack) {
  const auto push_and_pop = [](unsigned times) {
    for (unsigned i = 0; i < times; ++i)
      asm volatile("sub $128, %%rsp; push %%rax; pop %%rax; add $128, %%rsp" ::: "memory", "cc");
  };
  const InstructionMix none = mix_of([&] { push_and_pop(1); });
  const InstructionMix some = mix_of([&] { push_and_pop(21); });
  EXPECT_GE(some.stack_loads - none.stack_loads, 20u);
  EXPECT_GE(some.stores - none.stores, 20u);
}

TEST(SingleStep, IsRepeatable) {
  EXPECT_EQ(mix_of([] { known_loop(50); }), mix_of([] { known_loop(50); }));
}

TEST(SingleStep, ReportsWorkThatDies) {
  EXPECT_THROW(single_step([] { raise(SIGKILL); }), UserError);
}

}  // namespace
}  // namespace slidebench
