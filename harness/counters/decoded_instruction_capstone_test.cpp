// SPDX-License-Identifier: MIT
//
// Capstone decodes AArch64 on any machine, and so this runs wherever the library is. The words are what GNU as makes of
// the texts beside them (-march=armv8.5-a+sve2-bitperm).
#include <gtest/gtest.h>

#include "harness/base/errors.hpp"
#include "harness/counters/test_expected_instruction.hpp"

namespace slidebench {
namespace {

struct Word {
  std::uint32_t word;
  ExpectedInstruction expected;
};

std::uintptr_t address_of(const std::uint32_t& word) { return reinterpret_cast<std::uintptr_t>(&word); }

void expect_words(std::initializer_list<Word> words) {
  for (const auto& [word, expected] : words) {
    EXPECT_EQ(expect_instruction(address_of(word), expected), sizeof word) << expected.text;
  }
}

TEST(CapstoneInstruction, SaysWhatAnInstructionDoes) {
  expect_words({{0xF9400020, {"ldr x0, [x1]", Does::read}},
                {0xF8627820, {"ldr x0, [x1, x2, lsl #3]", Does::read}},
                {0x38401420, {"ldrb w0, [x1], #1", Does::read}},
                {0xB8A2D820, {"ldrsw x0, [x1, w2, sxtw #2]", Does::read}},
                {0x3CDF0020, {"ldur q0, [x1, #-16]", Does::read}},
                {0x3DC00065, {"ldr q5, [x3]", Does::read}},
                {0x58000000, {"ldr x0, label", Does::read}},
                {0xC8DFFC20, {"ldar x0, [x1]", Does::read}},
                {0xB9400FE3, {"ldr w3, [sp, #12]", Does::read_stack}},
                {0xA9410440, {"ldp x0, x1, [x2, #16]", Does::read}},
                {0xAD400440, {"ldp q0, q1, [x2]", Does::read}},
                {0x69400440, {"ldpsw x0, x1, [x2]", Does::read}},
                {0xA8C17BFD, {"ldp x29, x30, [sp], #16", Does::read_stack}},
                {0x4C407000, {"ld1 {v0.16b}, [x0]", Does::read}},
                {0x4CDFAC00, {"ld1 {v0.2d, v1.2d}, [x0], #32", Does::read}},
                {0x4D40CC00, {"ld1r {v0.2d}, [x0]", Does::read}},
                {0x4D408400, {"ld1 {v0.d}[1], [x0]", Does::read}},
                {0x0C400000, {"ld4 {v0.8b-v3.8b}, [x0]", Does::read}},
                {0xF9000020, {"str x0, [x1]", Does::write}},
                {0x3900001F, {"strb wzr, [x0]", Does::write}},
                {0xF81F8020, {"stur x0, [x1, #-8]", Does::write}},
                {0x4C007C00, {"st1 {v0.2d}, [x0]", Does::write}},
                {0x3D800BE0, {"str q0, [sp, #32]", Does::write_stack}},
                {0xA9BF7BFD, {"stp x29, x30, [sp, #-16]!", Does::write_stack}},
                {0x4C008BE0, {"st2 {v0.4s, v1.4s}, [sp]", Does::write_stack}},
                {0x54000000, {"b.eq", Does::branch}},
                {0xB4000000, {"cbz x0", Does::branch}},
                {0x35000000, {"cbnz w0", Does::branch}},
                {0xB6F80000, {"tbz x0, #63", Does::branch}},
                {0x37180000, {"tbnz w0, #3", Does::branch}},
                {0x5400000E, {"b.al", Does::nothing_else}},
                {0x14000000, {"b", Does::nothing_else}},
                {0x94000000, {"bl", Does::nothing_else}},
                {0xD61F0000, {"br x0", Does::nothing_else}},
                {0xD63F0000, {"blr x0", Does::nothing_else}},
                {0xD65F03C0, {"ret", Does::nothing_else}},
                {0x91000400, {"add x0, x0, #1", Does::nothing_else}},
                {0x9B027C20, {"mul x0, x1, x2", Does::nothing_else}},
                {0xDAC00020, {"rbit x0, x1", Does::nothing_else}},
                {0xDAC01020, {"clz x0, x1", Does::nothing_else}},
                {0x9A821020, {"csel x0, x1, x2, ne", Does::nothing_else}},
                {0x90000000, {"adrp x0", Does::nothing_else}},
                {0x10000000, {"adr x0", Does::nothing_else}},
                {0xF9800000, {"prfm pldl1keep, [x0]", Does::nothing_else}},
                {0x4EE28420, {"add v0.2d, v1.2d, v2.2d", Does::nothing_else}},
                {0x6E605820, {"rbit v0.16b, v1.16b", Does::nothing_else}},
                {0x4E020020, {"tbl v0.16b, {v1.16b}, v2.16b", Does::nothing_else}},
                {0x0E205820, {"cnt v0.8b, v1.8b", Does::nothing_else}},
                {0x9E660000, {"fmov x0, d0", Does::nothing_else}},
                {0xA5E0A020, {"ld1d {z0.d}, p0/z, [x1]", Does::read}},
                {0x85C0E020, {"ld1rd {z0.d}, p0/z, [x1]", Does::read}},
                {0xC5C2C020, {"ld1d {z0.d}, p0/z, [x1, z2.d]", Does::read}},
                {0x85804000, {"ldr z0, [x0]", Does::read}},
                {0xA5E1A3E0, {"ld1d {z0.d}, p0/z, [sp, #1, mul vl]", Does::read_stack}},
                {0xE5E0E020, {"st1d {z0.d}, p0, [x1]", Does::write}},
                {0xE58043E0, {"str z0, [sp]", Does::write_stack}},
                {0x04E00000, {"add z0.d, z0.d, z0.d", Does::nothing_else}},
                {0x45C0B420, {"bdep z0.d, z1.d, z0.d", Does::nothing_else}},
                {0x45C0B020, {"bext z0.d, z1.d, z0.d", Does::nothing_else}},
                {0x25E11C00, {"whilelo p0.d, x0, x1", Does::nothing_else}},
                {0xF8200041, {"ldadd x0, x1, [x2]", Does::both}},
                {0xF8203041, {"ldset x0, x1, [x2]", Does::both}},
                {0xF8208041, {"swp x0, x1, [x2]", Does::both}},
                {0xF820005F, {"stadd x0, [x2]", Does::both}},
                {0xC8A07C41, {"cas x0, x1, [x2]", Does::both}},
                {0x88E0FC41, {"casal w0, w1, [x2]", Does::both}},
                {0xC85F7C20, {"ldxr x0, [x1]", Does::read}},
                {0xC8027C20, {"stxr w2, x0, [x1]", Does::write}}});
}

TEST(CapstoneInstruction, RefusesWhatIsNone) {
  static const std::uint32_t nothing = 0;  // udf #0
  EXPECT_THROW(decode_instruction(address_of(nothing)), UserError);
}

}  // namespace
}  // namespace slidebench
