// SPDX-License-Identifier: MIT
#include "harness/counters/perf_source.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cerrno>
#include <map>

#include "harness/counters/event_counters.hpp"

namespace slidebench {
namespace {

/// A kernel of paper: what it answers, and which events are open.
struct FakeKernel : PerfKernel {
  explicit FakeKernel(int of_open = 0) : error(of_open) {}

  int error;  ///< of each open(); 0: it opens
  std::string paranoid = "2\n", status = "Seccomp:\t0\n", cpuinfo = "flags\t\t: fpu sse2\n";
  std::uint64_t running = 1000;  ///< of 1000
  long read_bytes = -1;          ///< -1: all
  int opened = 0, closed = 0;

  int open(std::uint32_t, std::uint64_t, int) override { return error != 0 ? -error : 100 + opened++; }
  bool start(int) override { return true; }
  bool stop(int) override { return true; }
  long read(int, std::uint64_t* to, std::size_t bytes) override {
    const std::size_t events = bytes / 8 - 3;
    to[0] = events, to[1] = 1000, to[2] = running;
    for (std::size_t i = 0; i < events; ++i) to[3 + i] = 7 + i;
    return read_bytes >= 0 ? read_bytes : static_cast<long>(bytes);
  }
  void close(int) override { ++closed; }
  std::string text_of(const std::string& path) override {
    return path.ends_with("paranoid") ? paranoid : path.ends_with("status") ? status : cpuinfo;
  }
};

std::string refusal_of(const FakeKernel& kernel) {
  const OpenedSet opened = perf_source(std::make_shared<FakeKernel>(kernel))->open({"cycles"});
  EXPECT_EQ(opened.set, nullptr);
  EXPECT_EQ(opened.error.find('\n'), std::string::npos);
  return opened.error;
}

TEST(PerfSource, counts_a_group_in_the_order_of_opening) {
  const auto kernel = std::make_shared<FakeKernel>();
  {
    const OpenedSet opened = perf_source(kernel)->open({"cycles", "branch-misses"});
    ASSERT_TRUE(opened.set->start());
    EXPECT_EQ(opened.set->stop(), (std::vector<std::int64_t>{7, 8}));
  }
  EXPECT_EQ(kernel->opened, kernel->closed);
}

TEST(PerfSource, has_no_number_for_what_did_not_run_all_the_time) {
  const auto kernel = std::make_shared<FakeKernel>();
  kernel->running = 999;
  const OpenedSet shared = perf_source(kernel)->open({"cycles"});
  EXPECT_FALSE(shared.set->start() && shared.set->stop());
  kernel->running = 1000;
  kernel->read_bytes = 0;  // a pinned group that found no room
  EXPECT_FALSE(shared.set->stop());
}

/// The true cause, and what helps.
TEST(PerfSource, says_why_nothing_is_counted) {
  for (const int level : {3, 4}) {
    FakeKernel kernel(EACCES);
    kernel.paranoid = std::to_string(level) + "\n";
    EXPECT_EQ(refusal_of(kernel), "kernel.perf_event_paranoid is " + std::to_string(level) +
                                      ", which lets nobody but root count; sudo sysctl kernel.perf_event_paranoid=2");
  }
  FakeKernel container(EPERM);
  container.status = "Seccomp:\t2\n";
  EXPECT_NE(refusal_of(container).find("a seccomp filter forbids"), std::string::npos);
  EXPECT_NE(refusal_of(FakeKernel(EACCES)).find("although kernel.perf_event_paranoid is 2"), std::string::npos);
  EXPECT_NE(refusal_of(FakeKernel(ENOSYS)).find("built without perf events"), std::string::npos);
  EXPECT_EQ(refusal_of(FakeKernel(ENOENT)), "the kernel does not count cycles on this processor");
  FakeKernel guest(ENOENT);
  guest.cpuinfo = "model name\t: one\nflags\t\t: fpu hypervisor lahf_lm\n";
  EXPECT_EQ(refusal_of(guest), "the host of this virtual machine gives it no PMU, or only a part of one");
  EXPECT_NE(refusal_of(FakeKernel(EMFILE)).find("ulimit -n"), std::string::npos);
  EXPECT_NE(refusal_of(FakeKernel(EIO)).find("perf_event_open: "), std::string::npos);
}

TEST(PerfSource, leaves_unknown_names_to_others) {
  const OpenedSet opened = perf_source(std::make_shared<FakeKernel>())->open({"PAPI_TOT_CYC"});
  EXPECT_EQ(opened.set, nullptr);
  EXPECT_EQ(opened.error, "");
}

/// Writes into each page. A sanitizer would touch pages of its own.
__attribute__((no_sanitize("address"))) void touch(volatile char* block, std::size_t pages) {
  for (std::size_t i = 0; i < pages; ++i) block[i * 4096] = 1;
}

/// The kernel counts page faults itself, so that the way is true even without a PMU: N pages, N faults.
TEST(PerfSource, counts_page_faults_exactly) {
  std::vector<std::unique_ptr<EventSource>> sources;
  sources.push_back(perf_source());
  EventCounters counters = EventCounters::open(std::move(sources), {{"faults", {"page-faults"}}});
  if (!counters.available()) GTEST_SKIP() << counters.reason();
  for (const std::size_t pages : {1u, 100u, 1000u}) {
    void* const block = mmap(nullptr, pages * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(block, MAP_FAILED);
    madvise(block, pages * 4096, MADV_NOHUGEPAGE);
    const auto readings = counters.count([&] { touch(static_cast<char*>(block), pages); });
    EXPECT_EQ(readings.at(0).value, pages);
    munmap(block, pages * 4096);
  }
}

}  // namespace
}  // namespace slidebench
