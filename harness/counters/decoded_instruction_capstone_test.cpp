// SPDX-License-Identifier: MIT
//
// Capstone decodes AArch64 on any machine, and so this runs wherever the library is. The words are what GNU as makes of
// the texts behind them (-march=armv8.5-a+sve2-bitperm).
#include <gtest/gtest.h>

#include <string>

#include "harness/base/errors.hpp"
#include "harness/counters/test_expected_instruction.hpp"

namespace slidebench {
namespace {

/// Of instructions that do the same: each its word and its text, as a disassembler prints them.
void expect_all(Does does, std::initializer_list<std::string> instructions) {
  for (const std::string& instruction : instructions) {
    const auto word = static_cast<std::uint32_t>(std::stoul(instruction, nullptr, 16));
    const auto address = reinterpret_cast<std::uintptr_t>(&word);
    EXPECT_EQ(expect_instruction(address, {instruction.c_str(), does}), sizeof word) << instruction;
  }
}

TEST(CapstoneInstruction, SaysWhatAnInstructionDoes) {
  expect_all(Does::read,
             {"F9400020 ldr x0, [x1]", "F8627820 ldr x0, [x1, x2, lsl #3]", "38401420 ldrb w0, [x1], #1",
              "B8A2D820 ldrsw x0, [x1, w2, sxtw #2]", "3CDF0020 ldur q0, [x1, #-16]", "3DC00065 ldr q5, [x3]"});
  expect_all(Does::read, {"58000000 ldr x0, label", "C8DFFC20 ldar x0, [x1]", "A9410440 ldp x0, x1, [x2, #16]",
                          "AD400440 ldp q0, q1, [x2]", "69400440 ldpsw x0, x1, [x2]", "C85F7C20 ldxr x0, [x1]"});
  expect_all(Does::read,
             {"4C407000 ld1 {v0.16b}, [x0]", "4CDFAC00 ld1 {v0.2d, v1.2d}, [x0], #32", "4D40CC00 ld1r {v0.2d}, [x0]",
              "4D408400 ld1 {v0.d}[1], [x0]", "0C400000 ld4 {v0.8b-v3.8b}, [x0]"});
  expect_all(Does::read, {"A5E0A020 ld1d {z0.d}, p0/z, [x1]", "85C0E020 ld1rd {z0.d}, p0/z, [x1]",
                          "C5C2C020 ld1d {z0.d}, p0/z, [x1, z2.d]", "85804000 ldr z0, [x0]"});
  expect_all(Does::read_stack, {"B9400FE3 ldr w3, [sp, #12]", "A8C17BFD ldp x29, x30, [sp], #16",
                                "A5E1A3E0 ld1d {z0.d}, p0/z, [sp, #1, mul vl]"});
  expect_all(Does::write,
             {"F9000020 str x0, [x1]", "3900001F strb wzr, [x0]", "F81F8020 stur x0, [x1, #-8]",
              "4C007C00 st1 {v0.2d}, [x0]", "E5E0E020 st1d {z0.d}, p0, [x1]", "C8027C20 stxr w2, x0, [x1]"});
  expect_all(Does::write_stack, {"3D800BE0 str q0, [sp, #32]", "A9BF7BFD stp x29, x30, [sp, #-16]!",
                                 "4C008BE0 st2 {v0.4s, v1.4s}, [sp]", "E58043E0 str z0, [sp]"});
  expect_all(Does::branch,
             {"54000000 b.eq", "B4000000 cbz x0", "35000000 cbnz w0", "B6F80000 tbz x0, #63", "37180000 tbnz w0, #3"});
  expect_all(Does::nothing_else,
             {"5400000E b.al", "14000000 b", "94000000 bl", "D61F0000 br x0", "D63F0000 blr x0", "D65F03C0 ret"});
  expect_all(Does::nothing_else, {"91000400 add x0, x0, #1", "9B027C20 mul x0, x1, x2", "DAC00020 rbit x0, x1",
                                  "DAC01020 clz x0, x1", "9A821020 csel x0, x1, x2, ne"});
  expect_all(Does::nothing_else,
             {"90000000 adrp x0", "10000000 adr x0", "F9800000 prfm pldl1keep, [x0]", "9E660000 fmov x0, d0"});
  expect_all(Does::nothing_else, {"4EE28420 add v0.2d, v1.2d, v2.2d", "6E605820 rbit v0.16b, v1.16b",
                                  "4E020020 tbl v0.16b, {v1.16b}, v2.16b", "0E205820 cnt v0.8b, v1.8b"});
  expect_all(Does::nothing_else, {"04E00000 add z0.d, z0.d, z0.d", "45C0B420 bdep z0.d, z1.d, z0.d",
                                  "45C0B020 bext z0.d, z1.d, z0.d", "25E11C00 whilelo p0.d, x0, x1"});
  expect_all(Does::both, {"F8200041 ldadd x0, x1, [x2]", "F8203041 ldset x0, x1, [x2]", "F8208041 swp x0, x1, [x2]",
                          "F820005F stadd x0, [x2]", "C8A07C41 cas x0, x1, [x2]", "88E0FC41 casal w0, w1, [x2]"});
}

TEST(CapstoneInstruction, RefusesWhatIsNone) {
  static const std::uint32_t nothing = 0;  // udf #0
  EXPECT_THROW(decode_instruction(reinterpret_cast<std::uintptr_t>(&nothing)), UserError);
}

}  // namespace
}  // namespace slidebench
