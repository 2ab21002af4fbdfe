// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <sched.h>

#include <cstdlib>
#include <set>
#include <string>

#include "harness/base/emulator.hpp"
#include "harness/platform/arm_cores.hpp"
#include "harness/platform/assembly.hpp"
#include "harness/platform/cpu_binding.hpp"
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

// The CPU that is measured on, and those beside it

std::set<unsigned> cpus_now() {
  cpu_set_t set;
  EXPECT_EQ(sched_getaffinity(0, sizeof set, &set), 0);
  std::set<unsigned> cpus;
  for (unsigned cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &set)) cpus.insert(cpu);
  }
  return cpus;
}

/// Gives the test program its CPUs and its environment back.
class CpuBindingTest : public testing::Test {
 protected:
  CpuBindingTest() {
    unsetenv(allowed_cpus_variable);
    sched_getaffinity(0, sizeof before_, &before_);
  }
  ~CpuBindingTest() override {
    sched_setaffinity(0, sizeof before_, &before_);
    unsetenv(allowed_cpus_variable);
  }

 private:
  cpu_set_t before_;
};

TEST_F(CpuBindingTest, MeasuresOnOneCpu) {
  const std::set<unsigned> before = cpus_now();
  const CpuBinding binding = bind_to_measuring_cpu();
  if (!binding.cpu) GTEST_SKIP() << "binding is not allowed here";
  EXPECT_EQ(cpus_now(), std::set{*binding.cpu});
  EXPECT_EQ(bound_cpu(), binding.cpu);
  EXPECT_TRUE(before.contains(*binding.cpu));
  EXPECT_EQ(binding.others.empty(), before.size() == 1);
}

TEST_F(CpuBindingTest, OthersAreElsewhereAndTheirChildrenMayMeasureAllTheSame) {
  const std::set<unsigned> before = cpus_now();
  const CpuBinding parent = bind_elsewhere();
  if (!parent.cpu) GTEST_SKIP() << "binding is not allowed here";
  const std::set<unsigned> others = cpus_now();
  EXPECT_EQ(others.contains(*parent.cpu), before.size() == 1);
  for (const unsigned cpu : others) EXPECT_TRUE(before.contains(cpu));

  const CpuBinding child = bind_to_measuring_cpu();  // whose parent has left it this CPU, but not this binding
  EXPECT_EQ(child.cpu, parent.cpu);
  EXPECT_EQ(child.others, parent.others);
  EXPECT_EQ(cpus_now(), std::set{*parent.cpu});

  EXPECT_EQ(bind_elsewhere().cpu, parent.cpu) << "a co-runner of a bound process";
  EXPECT_EQ(cpus_now(), others);
  lift_binding();
  EXPECT_EQ(cpus_now(), before);
}

TEST_F(CpuBindingTest, StaysWithinWhatIsAllowed) {
  if (emulator()) GTEST_SKIP() << "under an emulator hwloc does not see what the process may use";
  const std::set<unsigned> before = cpus_now();
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(*before.begin(), &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(bound_cpu(), *before.begin());
  const CpuBinding binding = bind_elsewhere();
  EXPECT_EQ(binding.cpu, *before.begin());
  EXPECT_EQ(binding.others, "");
  EXPECT_EQ(cpus_now(), std::set{*before.begin()}) << "nothing is left, so everything allowed";
}

TEST_F(CpuBindingTest, SaysNothingOfSeveralCpus) {
  if (cpus_now().size() == 1) GTEST_SKIP() << "one CPU";
  EXPECT_FALSE(bound_cpu());
}

struct Choice {
  const char* machine;  ///< in hwloc's words; threads of a core side by side unless indexed
  const char* allowed;
  unsigned cpu;
  const char* others;
};

TEST(ChooseCpus, TakesTheLastCoresFirstThreadAndLeavesItsSiblingIdle) {
  for (const Choice& c :
       {Choice{"core:2 pu:1", "", 1, "0"}, Choice{"core:4 pu:2", "", 6, "0-5"},
        Choice{"core:4 pu:2(indexes=0,4,1,5,2,6,3,7)", "", 3, "0-2,4-6"}, Choice{"core:4 pu:2", "0-3", 2, "0-1"},
        Choice{"core:4 pu:2", "0-1", 1, "0"},            // one core: better its sibling than the same thread
        Choice{"core:2 pu:1(indexes=1,0)", "", 1, "0"},  // the last core has CPU 0
        Choice{"core:4 pu:1", "0", 0, ""}, Choice{"core:1 pu:1", "", 0, ""}, Choice{"core:2 pu:1", "7", 1, "0"},
        Choice{"core:2 pu:1", "nonsense", 1, "0"}}) {
    const CpuBinding binding = choose_cpus(c.allowed, c.machine);
    EXPECT_EQ(binding.cpu, c.cpu) << c.machine << ", allowed " << c.allowed;
    EXPECT_EQ(binding.others, c.others) << c.machine << ", allowed " << c.allowed;
  }
}

}  // namespace
}  // namespace slidebench
