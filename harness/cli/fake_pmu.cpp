// SPDX-License-Identifier: MIT
//
// A processor of paper with a PMU, for tests of all that follows from counted events on machines that have none. Linked
// into the program slidebench_fake_pmu in place of hardware_counters.cpp; nothing it counts is true.
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "harness/counters/hardware_counters.hpp"

namespace slidebench {
namespace {

std::int64_t cpu_nanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::int64_t{1'000'000'000} * now.tv_sec + now.tv_nsec;
}

/// Every event "counts" the nanoseconds of processor time of the work, times the length of its name.
class FakeSet final : public EventSet {
 public:
  explicit FakeSet(std::vector<std::string> events) : events_(std::move(events)) {}

  bool start() override {
    start_ = cpu_nanoseconds();
    return true;
  }

  std::optional<std::vector<std::int64_t>> stop() override {
    const std::int64_t spent = cpu_nanoseconds() - start_;
    std::vector<std::int64_t> counts;
    for (const std::string& event : events_) counts.push_back(spent * static_cast<std::int64_t>(event.size()));
    return counts;
  }

 private:
  std::vector<std::string> events_;
  std::int64_t start_ = 0;
};

class FakeHardware final : public EventSource {
 public:
  std::string name() const override { return "papi"; }

  OpenedSet open(const std::vector<std::string>& events) override {
    return {std::make_unique<FakeSet>(events), false, ""};
  }
};

}  // namespace

EventCounters open_hardware_counters(const std::vector<Metric>& metrics) {
  return EventCounters::open(std::make_unique<FakeHardware>(), metrics);
}

}  // namespace slidebench
