// SPDX-License-Identifier: MIT
//
// What the decoders' tests expect of an instruction that is written out. Needs no tracing, and so runs anywhere.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>

#include "harness/counters/decoded_instruction.hpp"

namespace slidebench {

/// Sums of: reads 1, writes 2, at the stack 4, branches 8.
enum class Does : unsigned { nothing_else, read, write, both, read_stack = 5, write_stack, branch = 8 };

struct ExpectedInstruction {
  const char* text;  ///< as a disassembler writes it
  Does does;
};

/// Compares what decode_instruction() says of the instruction there. Returns its length.
inline unsigned expect_instruction(std::uintptr_t address, const ExpectedInstruction& expected) {
  const DecodedInstruction decoded = decode_instruction(address);
  const unsigned does = (decoded.reads_memory ? 1u : 0u) + (decoded.writes_memory ? 2u : 0u) +
                        (decoded.uses_stack ? 4u : 0u) + (decoded.is_conditional_branch ? 8u : 0u);
  EXPECT_EQ(does, static_cast<unsigned>(expected.does)) << expected.text;
  EXPECT_GT(decoded.length, 0u) << expected.text;
  return decoded.length;
}

}  // namespace slidebench
