// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <utility>

#include "harness/counters/calibration.hpp"
#include "harness/counters/event_counters.hpp"
#include "harness/counters/hardware_counters.hpp"
#include "harness/counters/perf_source.hpp"

namespace slidebench {
namespace {

// A machine of paper: which events it has, what they count each time, and how starts fail.
struct FakeMachine {
  std::map<std::string, std::vector<std::int64_t>> events;  // the last count comes again
  std::size_t room = 100;                                   // counters that run together
  std::string disabled;                                     // non-empty: no event at all, and why
  std::set<std::string> broken;                             // events whose sets open, but do not start
  std::set<std::string> unreadable;                         // events whose sets start, but cannot be read
  int running = 0;                                          // sets started and not yet stopped
  std::vector<std::vector<std::string>> started;            // every start that succeeded
};

class FakeSet final : public EventSet {
 public:
  FakeSet(FakeMachine& machine, std::vector<std::string> events) : machine_(machine), events_(std::move(events)) {}

  bool start() override {
    if (any_of(machine_.broken)) return false;
    ++machine_.running;
    machine_.started.push_back(events_);
    return true;
  }

  std::optional<std::vector<std::int64_t>> stop() override {
    --machine_.running;
    if (any_of(machine_.unreadable)) return std::nullopt;
    std::vector<std::int64_t> counts;
    for (const std::string& event : events_) {
      const std::vector<std::int64_t>& all = machine_.events.at(event);
      counts.push_back(all[std::min(stops_, all.size() - 1)]);
    }
    ++stops_;
    return counts;
  }

 private:
  bool any_of(const std::set<std::string>& names) const {
    return std::any_of(events_.begin(), events_.end(), [&](const std::string& event) { return names.contains(event); });
  }

  FakeMachine& machine_;
  std::vector<std::string> events_;
  std::size_t stops_ = 0;
};

class FakeSource final : public EventSource {
 public:
  explicit FakeSource(FakeMachine& machine) : machine_(machine) {}
  std::string name() const override { return "fake"; }
  std::vector<std::string> names() const override { return {}; }
  OpenedSet open(const std::vector<std::string>& events) override {
    if (!machine_.disabled.empty()) return {nullptr, true, machine_.disabled};
    if (events.size() > machine_.room) return {nullptr, false, "does not fit"};
    for (const std::string& event : events) {
      if (machine_.events.count(event) == 0) return {nullptr, false, "no such event"};
    }
    return {std::make_unique<FakeSet>(machine_, events), false, ""};
  }

 private:
  FakeMachine& machine_;
};

// `count` metrics m0, m1, ..., each with one candidate e0, e1, ... that counts 100, 101, ...
std::vector<Metric> numbered_metrics(FakeMachine& machine, std::size_t count) {
  std::vector<Metric> metrics;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    machine.events["e" + number] = {static_cast<std::int64_t>(100 + i)};
    metrics.push_back({"m" + number, {"e" + number}});
  }
  return metrics;
}

EventCounters open_fake(std::initializer_list<FakeMachine*> machines, const std::vector<Metric>& metrics) {
  std::vector<std::unique_ptr<EventSource>> sources;
  for (FakeMachine* const machine : machines) sources.push_back(std::make_unique<FakeSource>(*machine));
  EventCounters counters = EventCounters::open(std::move(sources), metrics);
  for (FakeMachine* const machine : machines) machine->started.clear();  // the starts on trial
  return counters;
}

void nothing() {}

TEST(EventCounters, count_in_passes_of_at_most_four) {
  FakeMachine machine;
  EventCounters counters = open_fake({&machine}, numbered_metrics(machine, 7));
  ASSERT_TRUE(counters.available());
  EXPECT_EQ(counters.reason(), "");
  EXPECT_EQ(counters.passes(), 2u);

  int runs = 0;
  const auto readings = counters.count([&] {
    ++runs;
    EXPECT_EQ(machine.running, 1);
  });
  EXPECT_EQ(runs, 2);
  EXPECT_EQ(machine.running, 0);
  EXPECT_EQ(machine.started, (std::vector<std::vector<std::string>>{{"e0", "e1", "e2", "e3"}, {"e4", "e5", "e6"}}));
  ASSERT_EQ(readings.size(), 7u);
  for (std::size_t i = 0; i < readings.size(); ++i) {
    EXPECT_EQ(readings[i].metric, "m" + std::to_string(i));
    EXPECT_EQ(readings[i].event, "e" + std::to_string(i));
    EXPECT_EQ(readings[i].source, "measured");
    EXPECT_EQ(readings[i].value, 100 + i);
  }
}

TEST(EventCounters, take_more_passes_where_fewer_counters_fit) {
  FakeMachine machine;
  machine.room = 2;
  EventCounters counters = open_fake({&machine}, numbered_metrics(machine, 5));
  EXPECT_EQ(counters.passes(), 3u);
  for (const CounterReading& reading : counters.count(nothing)) EXPECT_TRUE(reading.value) << reading.metric;
}

TEST(EventCounters, fall_through_to_the_next_candidate_and_the_second_source) {
  FakeMachine first, second;
  first.events = {{"a", {1}}, {"b", {2}}, {"mute", {5}}};
  first.broken = {"mute"};
  second.events = {{"a", {10}}, {"c", {20}}};
  EventCounters counters = open_fake({&first, &second}, {{"one", {"missing", "mute", "a", "b"}}, {"two", {"c"}}});
  const auto readings = counters.count(nothing);
  EXPECT_EQ(readings.at(0).event, "a");
  EXPECT_EQ(readings.at(0).value, 1u);
  EXPECT_EQ(readings.at(1).value, 20u);
  first.disabled = "PAPI says little";
  EXPECT_EQ(open_fake({&first, &second}, {{"three", {"d"}}}).reason(), "no such event") << "the last source's";
}

TEST(EventCounters, leave_a_metric_without_event_absent) {
  FakeMachine machine;
  machine.events = {{"here", {0}}, {"placeholder", {-1}}};
  EventCounters counters =
      open_fake({&machine}, {{"gone", {"nowhere"}}, {"zero", {"here"}}, {"negative", {"placeholder"}}});
  ASSERT_TRUE(counters.available());
  EXPECT_EQ(counters.reason(), "");
  const auto readings = counters.count(nothing);
  EXPECT_EQ(readings.at(0).event, "");
  EXPECT_FALSE(readings.at(0).value);
  EXPECT_EQ(readings.at(1).value, 0u);  // a true zero stays one
  EXPECT_FALSE(readings.at(2).value);
}

TEST(EventCounters, survive_a_pass_that_no_longer_starts_and_one_that_cannot_be_read) {
  FakeMachine machine;
  EventCounters counters = open_fake({&machine}, numbered_metrics(machine, 13));
  machine.broken = {"e5"};
  machine.unreadable = {"e8"};
  int runs = 0;
  const auto readings = counters.count([&] { ++runs; });
  EXPECT_EQ(runs, 4);
  for (const std::size_t i : {3u, 12u}) EXPECT_EQ(readings.at(i).value, 100 + i);
  for (std::size_t i = 4; i < 12; ++i) EXPECT_FALSE(readings.at(i).value) << i;
}

TEST(EventCounters, stop_when_the_work_throws) {
  FakeMachine machine;
  EventCounters counters = open_fake({&machine}, numbered_metrics(machine, 2));
  EXPECT_THROW(counters.count([] { throw std::runtime_error("work"); }), std::runtime_error);
  EXPECT_EQ(machine.running, 0);
  EXPECT_EQ(counters.count(nothing).at(1).value, 101u);
}

TEST(EventCounters, run_the_work_once_if_nothing_can_be_counted_and_say_why_on_one_line) {
  FakeMachine machine;
  const std::vector<Metric> metrics{{"metric", {"missing", "also missing"}}};
  EventCounters counters = open_fake({&machine}, metrics);
  EXPECT_FALSE(counters.available());
  EXPECT_EQ(counters.reason(), "no such event");
  EXPECT_EQ(counters.passes(), 0u);
  int runs = 0;
  const auto readings = counters.count([&] { ++runs; });
  EXPECT_EQ(runs, 1);
  ASSERT_EQ(readings.size(), 1u);
  EXPECT_FALSE(readings[0].value);
  machine.disabled = "no PMU,\nsays the fake";
  EXPECT_EQ(open_fake({&machine}, metrics).reason(), "no PMU, says the fake");
  EXPECT_EQ(open_fake({&machine}, {}).reason(), "there is nothing to count");
}

TEST(PerQuery, subtracts_the_empty_loop) {
  EXPECT_DOUBLE_EQ(per_query({1500, 1000}, {500, 1000}).value(), 1.0);
  EXPECT_DOUBLE_EQ(per_query({1500, 1000}, {1000, 2000}).value(), 1.0) << "of another length";
  EXPECT_DOUBLE_EQ(per_query({400, 1000}, {500, 1000}).value(), -0.1) << "a negative difference is kept";
  // Absent is not zero.
  EXPECT_FALSE(per_query({std::nullopt, 10}, {1, 10}));
  EXPECT_FALSE(per_query({1, 10}, {std::nullopt, 10}));
  EXPECT_FALSE(per_query({2, 0}, {1, 10}));
  EXPECT_FALSE(per_query({2, 10}, {1, 0}));
}

/// The metrics at fault, where one event has these counts in the five pieces of known work, in their order.
std::vector<CalibrationFault> faults_of(const std::string& metric, std::vector<std::int64_t> counts) {
  counts.insert(counts.begin(), counts.front());  // of the trial
  FakeMachine machine;
  machine.events = {{"event", counts}};
  EventCounters counters = open_fake({&machine}, {{metric, {"event"}}});
  return calibrate(counters);
}

TEST(Calibration, BelievesWhatCountsWhatIsKnownAndNamesWhatDoesNot) {
  EXPECT_TRUE(faults_of("l1d_misses", {900, 199'000, 201'000, 0, 0}).empty());
  EXPECT_TRUE(faults_of("instructions", {0, 0, 0, 3'000'100, 0}).empty());
  EXPECT_TRUE(faults_of("cycles", {0, 0, 0, 3'010'000, 0}).empty());
  EXPECT_TRUE(faults_of("branch_misses", {0, 0, 0, 12, 99'000}).empty());
  EXPECT_TRUE(faults_of("something_else", {1, 2, 3, 4, 5}).empty()) << "nothing is known of it";

  const std::vector<CalibrationFault> faults = faults_of("l1d_misses", {0, 0, 0, 0, 0});
  ASSERT_EQ(faults.size(), 2u);
  EXPECT_EQ(faults[0].what, "0.00 a read where 0.6 to 1.6 are known: dependent reads over 256 KiB");
  EXPECT_FALSE(faults_of("instructions", {0, 0, 0, 0, 0}).empty());
  EXPECT_FALSE(faults_of("branch_misses", {0, 0, 0, 0, 0}).empty());

  EXPECT_FALSE(faults_of("l1d_misses", {200'000, 200'000, 200'000, 0, 0}).empty()) << "accesses";
  EXPECT_FALSE(faults_of("branch_misses", {0, 0, 0, 1'000'000, 400'000}).empty()) << "branches";
  EXPECT_FALSE(faults_of("dtlb_misses", {200'000, 0, 0, 0, 0}).empty());
}

TEST(HardwareMetrics, have_unique_names_and_candidates) {
  std::set<std::string> names;
  for (const Metric& metric : hardware_metrics()) {
    EXPECT_TRUE(names.insert(metric.name).second) << metric.name;
    EXPECT_FALSE(metric.candidates.empty()) << metric.name;
  }
  EXPECT_EQ(names.size(), 8u);
}

// Holds on every machine: with a PMU, without one, and in a build without PAPI.
TEST(HardwareCounters, count_or_say_why_not) {
  EventCounters counters = open_hardware_counters();
  EXPECT_NE(counters.available(), !counters.reason().empty());
  EXPECT_EQ(counters.reason().find('\n'), std::string::npos);
  std::size_t runs = 0;
  const auto readings = counters.count([&] {
    ++runs;
    volatile int sum = 0;
    for (int i = 0; i < 1'000'000; ++i) sum = sum + i % 7;
  });
  EXPECT_EQ(runs, std::max(counters.passes(), std::size_t{1}));
  ASSERT_EQ(readings.size(), hardware_metrics().size());
  for (const CounterReading& reading : readings) {
    EXPECT_EQ(reading.source, "measured");
    EXPECT_FALSE(reading.event.empty() && reading.value) << reading.metric;
    if (!reading.value) continue;
    EXPECT_TRUE(reading.metric != "cycles" || *reading.value > 0);
    EXPECT_TRUE(reading.metric != "instructions" || *reading.value > 1'000'000);
    std::cout << reading.metric << ' ' << *reading.value << " (" << reading.event << ")\n";
  }
  if (!counters.available()) std::cout << "no hardware counters: " << counters.reason() << '\n';
}

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

std::string refusal_of(const FakeKernel& kernel, const char* event = "cycles") {
  const OpenedSet opened = perf_source(std::make_shared<FakeKernel>(kernel))->open({event});
  EXPECT_EQ(opened.set, nullptr);
  EXPECT_EQ(opened.error.find('\n'), std::string::npos);
  return opened.error;
}

TEST(PerfSource, counts_a_group_in_the_order_of_opening_but_not_what_did_not_run_all_the_time) {
  const auto kernel = std::make_shared<FakeKernel>();
  {
    const OpenedSet opened = perf_source(kernel)->open({"cycles", "branch-misses"});
    ASSERT_TRUE(opened.set->start());
    EXPECT_EQ(opened.set->stop(), (std::vector<std::int64_t>{7, 8}));
    kernel->running = 999;
    EXPECT_FALSE(opened.set->stop());
    kernel->running = 1000;
    kernel->read_bytes = 0;  // a pinned group that found no room
    EXPECT_FALSE(opened.set->stop());
  }
  EXPECT_EQ(kernel->opened, kernel->closed);
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
  EXPECT_EQ(refusal_of(FakeKernel(), "PAPI_TOT_CYC"), "") << "a name of other sources";
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

#ifdef SLIDEBENCH_TEST_EXPECTS_PAPI
// The kernel counts page faults itself, so that this goes through PAPI even where there is no PMU.
TEST(HardwareCounters, count_through_papi) {
  EventCounters counters =
      open_hardware_counters({{"faults", {"no::such_event", "perf::PAGE-FAULTS"}}, {"time", {"perf::TASK-CLOCK"}}});
  if (!counters.available()) GTEST_SKIP() << counters.reason();
  const auto touch_fresh_pages = [] {
    const std::size_t bytes = std::size_t{4} << 20;  // from the kernel, since the heap would hand out used pages again
    void* const block = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(block, MAP_FAILED);
    for (std::size_t i = 0; i < bytes; i += 4096) static_cast<volatile char*>(block)[i] = 1;
    munmap(block, bytes);
  };
  for (int again = 0; again < 2; ++again) {
    const auto readings = counters.count(touch_fresh_pages);
    EXPECT_EQ(readings.at(0).event, "perf::PAGE-FAULTS");
    EXPECT_GT(readings.at(0).value.value_or(0), 0u);
    EXPECT_GT(readings.at(1).value.value_or(0), 0u);
  }
}

TEST(HardwareCounters, leave_nested_counting_absent) {
  EventCounters outer = open_hardware_counters({{"time", {"perf::TASK-CLOCK"}}});
  EventCounters inner = open_hardware_counters({{"time", {"perf::TASK-CLOCK"}}});
  if (!outer.available() || !inner.available()) GTEST_SKIP() << outer.reason();
  const auto readings = outer.count([&] { EXPECT_FALSE(inner.count(nothing).at(0).value); });
  EXPECT_TRUE(readings.at(0).value);
}

TEST(HardwareCounters, know_their_library) {
  const std::string name = papi_source()->name();
  EXPECT_TRUE(name.starts_with("PAPI ") && name.size() > 5) << name;
  EXPECT_EQ(name.find_first_not_of("0123456789.", 5), std::string::npos) << name;
  const std::vector<std::string> names = papi_source()->names();
  EXPECT_NE(std::find(names.begin(), names.end(), "PAPI_BR_MSP"), names.end());
}
#endif

}  // namespace
}  // namespace slidebench
