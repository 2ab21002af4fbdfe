// SPDX-License-Identifier: MIT
//
// What the decoder says of instructions that are written out. Needs no tracing, and so runs under an emulator too.
#include "harness/counters/decoded_instruction.hpp"

#include <gtest/gtest.h>

#include <initializer_list>
#include <vector>

namespace slidebench {
namespace {

struct Expected {
  const char* text;
  bool reads, writes, stack, branches;
};

/// Compares the instructions that lie one behind another from `address` on.
void expect_instructions(std::uintptr_t address, std::initializer_list<Expected> all) {
  for (const Expected& expected : all) {
    const DecodedInstruction decoded = decode_instruction(address);
    EXPECT_EQ(decoded.reads_memory, expected.reads) << expected.text;
    EXPECT_EQ(decoded.writes_memory, expected.writes) << expected.text;
    EXPECT_EQ(decoded.uses_stack, expected.stack) << expected.text;
    EXPECT_EQ(decoded.is_conditional_branch, expected.branches) << expected.text;
    ASSERT_GT(decoded.length, 0u);
    address += decoded.length;
  }
}

#if defined(__x86_64__)
TEST(DecodedInstruction, SaysWhatAnInstructionDoes) {
  // add rax, 1; mov rax, [rbx]; mov [rbx], rax; push rax; pop rax; jnz; jmp; lea rax, [rbx]
  static const std::uint8_t code[] = {0x48, 0x83, 0xC0, 0x01, 0x48, 0x8B, 0x03, 0x48, 0x89, 0x03,
                                      0x50, 0x58, 0x75, 0x00, 0xEB, 0x00, 0x48, 0x8D, 0x03};
  expect_instructions(reinterpret_cast<std::uintptr_t>(code), {{"add", false, false, false, false},
                                                               {"mov load", true, false, false, false},
                                                               {"mov store", false, true, false, false},
                                                               {"push", false, true, true, false},
                                                               {"pop", true, false, true, false},
                                                               {"jnz", false, false, false, true},
                                                               {"jmp", false, false, false, false},
                                                               {"lea", false, false, false, false}});
}
#else
TEST(DecodedInstruction, SaysWhatAnInstructionDoes) {
  static const std::uint32_t code[] = {0x91000400, 0xF9400020, 0xF9000020, 0xA9BF7BFD, 0xA8C17BFD, 0x54000041,
                                       0x14000001, 0xB4000040, 0x36000040, 0x4C407000, 0x58000040, 0xD65F03C0};
  expect_instructions(reinterpret_cast<std::uintptr_t>(code), {{"add x0, x0, #1", false, false, false, false},
                                                               {"ldr x0, [x1]", true, false, false, false},
                                                               {"str x0, [x1]", false, true, false, false},
                                                               {"stp x29, x30, [sp, #-16]!", false, true, true, false},
                                                               {"ldp x29, x30, [sp], #16", true, false, true, false},
                                                               {"b.ne", false, false, false, true},
                                                               {"b", false, false, false, false},
                                                               {"cbz x0", false, false, false, true},
                                                               {"tbz w0, #0", false, false, false, true},
                                                               {"ld1 {v0.16b}, [x0]", true, false, false, false},
                                                               {"ldr x0, label", true, false, false, false},
                                                               {"ret", false, false, false, false}});
}

TEST(DecodedInstruction, KnowsScalableVectors) {
  static const std::uint32_t code[] = {0xA5E0A020, 0xE5E0E020, 0x04E00000, 0x45C0B420};
  expect_instructions(reinterpret_cast<std::uintptr_t>(code), {{"ld1d {z0.d}, p0/z, [x1]", true, false, false, false},
                                                               {"st1d {z0.d}, p0, [x1]", false, true, false, false},
                                                               {"add z0.d, z0.d, z0.d", false, false, false, false},
                                                               {"bdep z0.d, z1.d, z0.d", false, false, false, false}});
}
#endif

}  // namespace
}  // namespace slidebench
