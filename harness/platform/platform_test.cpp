// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "harness/base/emulator.hpp"
#include "harness/platform/arm_cores.hpp"
#include "harness/platform/assembly.hpp"
#include "harness/platform/cpu_binding.hpp"
#include "harness/platform/machine.hpp"
#include "harness/plugin/features.hpp"
#include "harness/trace/test_support.hpp"

namespace slidebench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

bool contains(Isa set, Isa part) { return (part & ~set) == Isa::none; }

TEST(Platform, EachLevelHasAllOfTheOneBelow) {
  ASSERT_FALSE(isa_levels().empty());
  Isa below = Isa::none;
  for (const IsaLevel& level : isa_levels()) {
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

TEST(Emulator, IsToldFromAProcessorWhichDecidesWhatRuns) {
#if defined(SLIDEBENCH_TEST_EXPECTS_EMULATOR)
  ASSERT_TRUE(emulator().has_value()) << "cross-compiled tests run under one";
  EXPECT_TRUE(emulator()->starts_with("qemu-")) << *emulator();
  ASSERT_FALSE(emulator_command().empty());
  EXPECT_TRUE(emulator_command().front().ends_with(*emulator()));
  // What qemu plays is what its documentation says of the processor.
  const char* processor = std::getenv("QEMU_CPU");
  const std::string name = processor == nullptr ? "" : processor;
  EXPECT_TRUE(contains(machine_isa(), Isa::sve2 | Isa::sve2_bitperm) || name != "max");
  EXPECT_FALSE(contains(machine_isa(), Isa::sve2) && name == "cortex-a72");
#else
  EXPECT_FALSE(emulator().has_value()) << *emulator();
  EXPECT_TRUE(emulator_command().empty());
#endif
  EXPECT_TRUE(own_file().ends_with("platform_test")) << own_file();
}

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

TEST_F(CpuBindingTest, MeasuresOnOneCpuOfThoseItHas) {
  const std::set<unsigned> before = cpus_now();
  EXPECT_EQ(bound_cpu().has_value(), before.size() == 1);
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

// What a machine says of itself

// A folder that stands in for the root of a machine's file system.
class MachineTest : public testing::Test {
 protected:
  void write(const std::string& path, const std::string& text) {
    fs::create_directories(fs::path(root_ + path).parent_path());
    test::write_file(root_ + path, text);
  }

  const test::TempFolder folder_;
  const std::string root_ = folder_ / "root";
};

/// What can be missing, and what is always there.
const std::vector<std::string> missing_keys{"cpu",          "vendor",      "family",       "model",
                                            "stepping",     "microcode",   "hypervisor",   "governor",
                                            "turbo",        "thp",         "thp_defrag",   "perf_event_paranoid",
                                            "memory_bytes", "mitigations", "load_average", "isa"};
const std::vector<std::string> other_keys{"cores", "threads_per_core", "caches", "page_bytes", "kernel", "emulator"};

TEST_F(MachineTest, reads_an_x86_machine) {
  write("/proc/cpuinfo",
        "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 158\n"
        "model name\t: Some CPU @ 3.00GHz\nstepping\t: 9\nmicrocode\t: 0xf4\nflags\t\t: fpu popcnt bmi2 avx2\n\n"
        "processor\t: 1\nvendor_id\t: SecondOne\n");
  write("/proc/loadavg", "0.25 0.50 1.75 1/200 4242\n");
  write("/proc/meminfo", "MemTotal:       1024 kB\nMemFree: 1 kB\n");
  write("/proc/sys/kernel/perf_event_paranoid", "-1\n");
  write("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
  write("/sys/devices/system/cpu/intel_pstate/no_turbo", "1\n");
  write("/sys/devices/system/cpu/vulnerabilities/meltdown", "Mitigation: PTI\n");
  write("/sys/devices/system/cpu/vulnerabilities/spectre_v2", "Mitigation: Retpolines; STIBP: disabled\n");
  write("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
  write("/sys/kernel/mm/transparent_hugepage/defrag", "[always] defer madvise never\n");

  const json machine = describe_machine(root_);
  const json expected = json::parse(R"({
    "cpu": "Some CPU @ 3.00GHz", "vendor": "GenuineIntel", "family": 6, "model": 158, "stepping": 9, "microcode": "0xf4",
    "hypervisor": "", "governor": "performance", "turbo": false, "thp": "madvise", "thp_defrag": "always",
    "perf_event_paranoid": -1, "memory_bytes": 1048576, "load_average": [0.25, 0.5, 1.75], "isa": ["popcnt", "avx2", "bmi2"],
    "mitigations": {"meltdown": "Mitigation: PTI", "spectre_v2": "Mitigation: Retpolines"}})");
  for (const auto& [key, value] : expected.items()) EXPECT_EQ(machine[key], value) << key;
}

TEST_F(MachineTest, reads_an_arm_machine) {
  write("/proc/cpuinfo",
        "processor\t: 0\nBogoMIPS\t: 50.00\nFeatures\t: fp asimd sve\nCPU implementer\t: 0x41\nCPU part\t: 0xd40\n");
  const json machine = describe_machine(root_);
  EXPECT_EQ(machine["isa"], (json{"asimd", "sve"}));
  EXPECT_EQ(machine["cpu"], "Neoverse V1");
  EXPECT_TRUE(machine["family"].is_null());
  EXPECT_TRUE(machine["hypervisor"].is_null());
}

TEST_F(MachineTest, reads_turbo_of_either_driver_and_a_hypervisor_of_the_flags) {
  write("/proc/cpuinfo", "flags\t: fpu hypervisor\n");
  EXPECT_NE(describe_machine(root_)["hypervisor"], "");
  write("/sys/devices/system/cpu/cpufreq/boost", "1\n");
  EXPECT_EQ(describe_machine(root_)["turbo"], true);
  write("/sys/devices/system/cpu/cpufreq/boost", "0\n");
  EXPECT_EQ(describe_machine(root_)["turbo"], false);
  write("/sys/devices/system/cpu/intel_pstate/no_turbo", "0\n");
  EXPECT_EQ(describe_machine(root_)["turbo"], true);
}

TEST_F(MachineTest, says_null_for_what_is_missing) {
  const json machine = describe_machine(root_);
  for (const std::string& key : missing_keys) EXPECT_TRUE(machine.contains(key) && machine[key].is_null()) << key;
  for (const std::string& key : other_keys) EXPECT_TRUE(machine.contains(key)) << key;
}

TEST_F(MachineTest, says_null_for_what_makes_no_sense) {
  write("/proc/cpuinfo", "no colon here\ncpu family\t: six\nmodel name\t:\n");
  write("/proc/loadavg", "much\n");
  write("/proc/meminfo", "Something: 5 kB\n");
  write("/proc/sys/kernel/perf_event_paranoid", "2 or so\n");
  write("/sys/devices/system/cpu/intel_pstate/no_turbo", "\n");
  write("/sys/kernel/mm/transparent_hugepage/enabled", "always madvise] [never\n");
  const json machine = describe_machine(root_);
  for (const char* key : {"cpu", "family", "load_average", "memory_bytes", "perf_event_paranoid", "turbo", "thp"})
    EXPECT_TRUE(machine[key].is_null()) << key;
}

TEST_F(MachineTest, reads_steal_time_of_all_and_of_one_cpu_where_the_kernel_says_it) {
  EXPECT_FALSE(steal_ticks(root_));
  write("/proc/stat", "cpu  1 2 3 4 5 6 7 89 0 0\ncpu1 1 1 1 1 1 1 1 10 0 0\ncpu12 1 1 1 1 1 1 1 30 0 0\nintr 1 2\n");
  EXPECT_EQ(steal_ticks(root_), 89u);
  EXPECT_EQ(steal_ticks(root_, 1), 10u);
  EXPECT_EQ(steal_ticks(root_, 12), 30u);
  EXPECT_EQ(steal_ticks(root_, 2), 89u) << "a container may list other CPUs than it has: all of them then";
  for (const char* text : {"cpu  1 2 3 4\n", "intr 1 2 3 4 5 6 7 8 9\n"}) {
    write("/proc/stat", text);
    EXPECT_FALSE(steal_ticks(root_)) << text;
  }
}

TEST(Machine, describes_the_running_one_and_names_the_kernel_but_not_the_host) {
  const json machine = describe_machine();
  EXPECT_EQ(machine.size(), missing_keys.size() + other_keys.size());
  EXPECT_GT(machine["page_bytes"], 0);
  for (const json& cache : machine["caches"]) {
    EXPECT_GE(cache["level"], 1);
    EXPECT_GE(cache["count"], 1);
    EXPECT_TRUE(cache["type"] == "data" || cache["type"] == "unified" || cache["type"] == "instruction");
  }
  utsname names{};
  ASSERT_EQ(uname(&names), 0);
  EXPECT_EQ(machine["kernel"], std::string(names.sysname) + " " + names.release);
}

/// Writes to pages that the process has not had before. Not from the heap, which keeps what it once had.
void touch_fresh_pages() {
  const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t bytes = 4096 * page;
  void* const block = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(block, MAP_FAILED);
  for (std::size_t i = 0; i < bytes; i += page) static_cast<volatile char*>(block)[i] = 1;
  munmap(block, bytes);
}

TEST(DisturbanceWatch, leaves_the_warm_up_out) {
  DisturbanceWatch watch;
  touch_fresh_pages();
  watch.start();
  EXPECT_LT(watch.stop().noise.minor_faults, 100);
  watch.start();
  touch_fresh_pages();
  EXPECT_GT(watch.stop().noise.minor_faults, 0);
}

}  // namespace
}  // namespace slidebench
