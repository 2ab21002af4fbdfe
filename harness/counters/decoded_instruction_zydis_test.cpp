// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "harness/counters/test_expected_instruction.hpp"

namespace slidebench {
namespace {

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

}  // namespace
}  // namespace slidebench
