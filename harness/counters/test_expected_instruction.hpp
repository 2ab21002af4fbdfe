// SPDX-License-Identifier: MIT
//
// What the decoders' tests expect of an instruction that is written out. Needs no tracing, and so runs anywhere.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>

#include "harness/counters/decoded_instruction.hpp"

namespace slidebench {

enum class Does : unsigned {
  nothing_else = 0,
  read = 1,
  write = 2,
  stack = 4,
  branch = 8,
  read_stack = 5,
  write_stack = 6,
  both = 3
};

struct ExpectedInstruction {
  const char* text;  ///< as a disassembler writes it
  Does does;
};

/// Compares what decode_instruction() says of the instruction there. Returns its length.
inline unsigned expect_instruction(std::uintptr_t address, const ExpectedInstruction& expected) {
  const auto has = [&expected](Does part) {
    return (static_cast<unsigned>(expected.does) & static_cast<unsigned>(part)) != 0;
  };
  const DecodedInstruction decoded = decode_instruction(address);
  EXPECT_EQ(decoded.reads_memory, has(Does::read)) << expected.text;
  EXPECT_EQ(decoded.writes_memory, has(Does::write)) << expected.text;
  EXPECT_EQ(decoded.uses_stack, has(Does::stack)) << expected.text;
  EXPECT_EQ(decoded.is_conditional_branch, has(Does::branch)) << expected.text;
  EXPECT_GT(decoded.length, 0u) << expected.text;
  return decoded.length;
}

}  // namespace slidebench
