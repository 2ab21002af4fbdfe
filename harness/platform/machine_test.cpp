// SPDX-License-Identifier: MIT
#include "harness/platform/machine.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/trace/test_support.hpp"

namespace slidebench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

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

TEST_F(MachineTest, reads_steal_time_of_all_and_of_one_cpu) {
  write("/proc/stat", "cpu  1 2 3 4 5 6 7 89 0 0\ncpu1 1 1 1 1 1 1 1 10 0 0\ncpu12 1 1 1 1 1 1 1 30 0 0\nintr 1 2\n");
  EXPECT_EQ(steal_ticks(root_), 89u);
  EXPECT_EQ(steal_ticks(root_, 1), 10u);
  EXPECT_EQ(steal_ticks(root_, 12), 30u);
  EXPECT_EQ(steal_ticks(root_, 2), 89u) << "a container may list other CPUs than it has: all of them then";
}

TEST_F(MachineTest, has_no_steal_time_where_the_kernel_does_not_say) {
  EXPECT_FALSE(steal_ticks(root_));
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
