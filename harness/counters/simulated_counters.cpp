// SPDX-License-Identifier: MIT
#include "harness/counters/simulated_counters.hpp"

#include <algorithm>
#include <utility>

#include "harness/counters/papi_source.hpp"

namespace slidebench {
namespace {

bool is_published(const std::string& event) {
  return std::any_of(published_counts.begin(), published_counts.end(),
                     [&event](const PublishedCount& count) { return event == published_event_name(count.event); });
}

/// PAPI takes any name of this component for an event that will be published one day, and counts -1 until then. Here a
/// name that is not published is an error.
class PublishedSource final : public EventSource {
 public:
  std::string name() const override { return papi_->name(); }

  OpenedSet open(const std::vector<std::string>& events) override {
    for (const std::string& event : events) {
      if (!is_published(event)) return {nullptr, false, "no event '" + event + "' is published"};
    }
    return papi_->open(events);
  }

 private:
  std::unique_ptr<EventSource> papi_ = papi_source("sde", "simulated");
};

}  // namespace

PublishedValues& published_values() {
  static PublishedValues values{};
  return values;
}

std::string count_name(const std::string& event) { return "slidebench::" + event; }

std::string published_event_name(const std::string& event) { return "sde:::" + count_name(event); }

EventCounters open_simulated_counters() {
  std::vector<Metric> metrics;
  for (const PublishedCount& count : published_counts) {
    metrics.push_back({count.metric, {published_event_name(count.event)}});
  }
  return open_simulated_counters(metrics);
}

EventCounters open_simulated_counters(const std::vector<Metric>& metrics) {
  return EventCounters::open(std::make_unique<PublishedSource>(), metrics);
}

}  // namespace slidebench
