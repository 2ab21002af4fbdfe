// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "harness/base/emulator.hpp"
#include "harness/platform/arm_cores.hpp"
#include "harness/platform/assembly.hpp"
#include "harness/plugin/features.hpp"

namespace slidebench {
namespace {

bool contains(Isa set, Isa part) { return (part & ~set) == Isa::none; }

TEST(Platform, EachLevelHasAllOfTheOneBelow) {
  ASSERT_FALSE(isa_levels().empty());
  Isa below = Isa::none;
  std::uint32_t number = 0;
  for (const IsaLevel& level : isa_levels()) {
    EXPECT_EQ(level.number, ++number) << level.name;
    EXPECT_TRUE(contains(level.isa, below)) << level.name;
    below = level.isa;
  }
  EXPECT_TRUE(contains(machine_isa(), isa_levels().front().isa));
}

TEST(Platform, ZeroIsZero) {
  for (const std::uint64_t answer : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}}) {
    EXPECT_EQ(opaque_zero(answer), 0u);
  }
  std::uint64_t sum = 1, two = 2;
  asm volatile(SLIDEBENCH_ADD_ONE(0) SLIDEBENCH_ADD(0, 1) : "+r"(sum) : "r"(two));
  EXPECT_EQ(sum, 4u);
}

TEST(ArmCores, AreNamedByTheirNumbers) {
  ASSERT_NE(arm_core("0x41", "0xd0c"), nullptr);
  EXPECT_EQ(arm_core("0x41", "0xd0c")->preset, "neoverse-n1");
  EXPECT_EQ(arm_core_text("0x61", "0x023"), "Apple M1 Firestorm");
  EXPECT_EQ(arm_core_text("0x41", "0xfff"), "implementer 0x41, part 0xfff");
  for (const char* const part : {"", "0x", "d0c", "0xd0cg", "0xd0c "})
    EXPECT_EQ(arm_core("0x41", part), nullptr) << part;
}

TEST(Emulator, IsToldFromAProcessor) {
#if defined(SLIDEBENCH_TEST_EXPECTS_EMULATOR)
  ASSERT_TRUE(emulator().has_value()) << "cross-compiled tests run under one";
  EXPECT_TRUE(emulator()->starts_with("qemu-")) << *emulator();
  ASSERT_FALSE(emulator_command().empty());
  EXPECT_TRUE(emulator_command().front().ends_with(*emulator()));
#else
  EXPECT_FALSE(emulator().has_value()) << *emulator();
  EXPECT_TRUE(emulator_command().empty());
#endif
  EXPECT_TRUE(own_file().ends_with("platform_test")) << own_file();
}

#if defined(SLIDEBENCH_TEST_EXPECTS_EMULATOR)
/// What qemu plays is what its documentation says of the processor.
TEST(Emulator, ItsProcessorDecidesWhatRuns) {
  const char* processor = std::getenv("QEMU_CPU");
  if (processor == nullptr) GTEST_SKIP() << "QEMU_CPU is not set";
  const std::string name = processor;
  const bool has_all = contains(machine_isa(), Isa::sve2 | Isa::sve2_bitperm);
  EXPECT_TRUE(has_all || name != "max");
  EXPECT_FALSE(contains(machine_isa(), Isa::sve2) && name == "cortex-a72");
}
#endif

}  // namespace
}  // namespace slidebench
