// SPDX-License-Identifier: MIT
//
// Counted instructions against code whose instructions are known, because they are written out.
#include "harness/counters/instruction_mix.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <random>
#include <vector>

#include "harness/base/errors.hpp"
#include "harness/counters/test_expected_instruction.hpp"

namespace slidebench {
namespace {

class SingleStep : public testing::Test {
 protected:
  void SetUp() override {
    try {
      instruction_mix([] {});
    } catch (const UserError& error) {
      GTEST_SKIP() << error.what();
    }
  }
};

/// `times` rounds of two additions, one load, one store, and the counting down: six instructions, one branch.
void known_loop(std::uint64_t times) {
  std::uint64_t memory = 1, value = 0;
#if defined(__x86_64__)
  asm volatile("1: add $1, %0; add $1, %0; mov %2, %0; mov %0, %2; dec %1; jnz 1b"
               : "+r"(value), "+r"(times), "+m"(memory)
               :
               : "cc");
#else
  asm volatile("1: add %0, %0, #1; add %0, %0, #1; ldr %0, %2; str %0, %2; subs %1, %1, #1; b.ne 1b"
               : "+r"(value), "+r"(times), "+m"(memory)
               :
               : "cc");
#endif
}

TEST_F(SingleStep, TellsWhatTheInstructionsDoEachTimeAgain) {
  const auto work = [] { known_loop(10); };  // one function: the simulated predictor goes by addresses
  const InstructionMix few = instruction_mix(work);
  const InstructionMix many = instruction_mix([] { known_loop(110); });
  EXPECT_EQ(instruction_mix(work), few);
  EXPECT_EQ(many.instructions - few.instructions, 600u);
  EXPECT_EQ(many.loads - few.loads, 100u);
  EXPECT_EQ(many.stores - few.stores, 100u);
  EXPECT_EQ(many.branches - few.branches, 100u);
  EXPECT_EQ(many.code_bytes, few.code_bytes) << "a loop's code counts once, however often it runs";
}

#if defined(__x86_64__)
TEST_F(SingleStep, CountsTheBytesOfCodeOncePerInstruction) {
  const auto work = [](bool more) {
    return instruction_mix([more] {
      // Both ways execute the same but for one instruction of six bytes, a nop that is written out.
      asm volatile("test %0, %0; jz 1f; .byte 0x66, 0x0f, 0x1f, 0x44, 0, 0; 1:" : : "r"(std::uint64_t{more}) : "cc");
    });
  };
  EXPECT_EQ(work(true).code_bytes - work(false).code_bytes, 6u);
}

TEST_F(SingleStep, SeesPushesAndPopsAsMemoryOnTheStack) {
  const auto push_and_pop = [](unsigned times) {
    for (unsigned i = 0; i < times; ++i)
      asm volatile("sub $128, %%rsp; push %%rax; pop %%rax; add $128, %%rsp" ::: "memory", "cc");
  };
  const InstructionMix none = instruction_mix([&] { push_and_pop(1); });
  const InstructionMix some = instruction_mix([&] { push_and_pop(21); });
  EXPECT_GE(some.stack_loads - none.stack_loads, 20u);
  EXPECT_GE(some.stores - none.stores, 20u);
}

TEST(DecodedInstruction, SaysWhatAnInstructionDoes) {
  static const std::uint8_t code[] = {0x48, 0x83, 0xC0, 0x01, 0x48, 0x8B, 0x03, 0x48, 0x89, 0x03, 0x50,
                                      0x58, 0x75, 0x00, 0xEB, 0x00, 0x48, 0x8D, 0x03, 0x0F, 0x1F, 0x00};
  std::uintptr_t address = reinterpret_cast<std::uintptr_t>(code);
  for (const ExpectedInstruction& expected : {ExpectedInstruction{"add rax, 1", Does::nothing_else},
                                              {"mov rax, [rbx]", Does::read},
                                              {"mov [rbx], rax", Does::write},
                                              {"push rax", Does::write_stack},
                                              {"pop rax", Does::read_stack},
                                              {"jnz", Does::branch},
                                              {"jmp", Does::nothing_else},
                                              {"lea rax, [rbx]", Does::nothing_else},
                                              {"nop [rax]", Does::nothing_else}}) {
    address += expect_instruction(address, expected);
  }
}

#endif

/// Walks over bits and branches on each.
[[gnu::noinline]] std::uint64_t branch_on(const std::vector<std::uint8_t>& bits) {
  std::uint64_t sum = 0;
  for (const std::uint8_t bit : bits) {
#if defined(__x86_64__)
    asm volatile("test %1, %1; jz 1f; add $1, %0; 1:" : "+r"(sum) : "q"(bit) : "cc");
#else
    asm volatile("cbz %w1, 1f; add %0, %0, #1; 1:" : "+r"(sum) : "r"(bit) : "cc");
#endif
  }
  return sum;
}

TEST_F(SingleStep, TellsBranchesThatCanBeForeseenFromThoseThatCannot) {
  std::mt19937_64 random(1);
  std::vector<std::uint8_t> same(3000, 1), in_turn(3000), at_random(3000);
  for (std::size_t i = 0; i < in_turn.size(); ++i) {
    in_turn[i] = i % 3 == 0;
    at_random[i] = random() % 2;
  }
  const auto counted = [](const std::vector<std::uint8_t>& bits) {
    return instruction_mix([&] { branch_on(bits); }).mispredicted;
  };
  // The first call also steps through the dynamic linker and, under a sanitizer, through its checks.
  const std::uint64_t of_the_call = counted({});
  const auto mispredicted = [&](const std::vector<std::uint8_t>& bits) { return counted(bits) - of_the_call; };
  EXPECT_LT(mispredicted(same) + 30, 60u);
  EXPECT_LT(mispredicted(in_turn) + 30, 130u);
  const std::uint64_t unforeseen = mispredicted(at_random);
  EXPECT_GT(unforeseen, 1200u);
  EXPECT_LT(unforeseen, 1800u);
}

TEST_F(SingleStep, ReportsWorkThatDies) {
  EXPECT_THROW(instruction_mix([] { raise(SIGKILL); }), UserError);
}

}  // namespace
}  // namespace slidebench
