// SPDX-License-Identifier: MIT
#include "harness/counters/event_counters.hpp"

#include <algorithm>
#include <utility>

#include "harness/counters/counter_math.hpp"

namespace slidebench {
namespace {

// Some conflicts show only when the events start, so a set counts as usable when it has run once.
bool runs_on_trial(EventSet& set) { return set.start() && set.stop().has_value(); }

struct Choice {
  std::string event;   // empty: none
  std::string errors;  // every different reason why candidates do not count
  bool source_disabled = false;
};

Choice choose_event(EventSource& source, const Metric& metric) {
  Choice choice;
  for (const std::string& candidate : metric.candidates) {
    OpenedSet opened = source.open({candidate});
    if (opened.set && runs_on_trial(*opened.set)) return {candidate, "", false};
    if (opened.source_disabled) return {"", opened.error, true};
    const std::string error = opened.set ? "opens, but does not start" : opened.error;
    if (choice.errors.find(error) == std::string::npos) choice.errors += (choice.errors.empty() ? "" : "; ") + error;
  }
  return choice;
}

std::optional<std::vector<std::int64_t>> count_once(EventSet& set, const std::function<void()>& work) {
  if (!set.start()) {
    work();
    return std::nullopt;
  }
  try {
    work();
  } catch (...) {
    set.stop();
    throw;
  }
  return set.stop();
}

std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

}  // namespace

EventCounters EventCounters::open(std::unique_ptr<EventSource> source, const std::vector<Metric>& metrics) {
  EventCounters counters;
  counters.source_ = std::move(source);
  std::vector<std::size_t> counted;
  std::string why;
  bool disabled = false;
  for (const Metric& metric : metrics) {
    const Choice choice = disabled ? Choice{} : choose_event(*counters.source_, metric);
    disabled = disabled || choice.source_disabled;
    if (choice.source_disabled) why = choice.errors;
    const bool first_failure = why.empty() && choice.event.empty();
    if (first_failure) why = "no event can be counted here (" + metric.name + ": " + choice.errors + ")";
    if (!choice.event.empty()) counted.push_back(counters.blank_.size());
    counters.blank_.push_back({metric.name, choice.event, counters.source_->name(), std::nullopt});
  }
  counters.plan(counted);
  if (why.empty()) why = metrics.empty() ? "there is nothing to count" : "the events do not start a second time";
  if (!counters.available()) counters.reason_ = one_line(why);
  return counters;
}

void EventCounters::plan(const std::vector<std::size_t>& counted) {
  const auto open_set = [&](const std::vector<std::size_t>& members) {
    std::vector<std::string> events;
    for (const std::size_t member : members) events.push_back(blank_[counted[member]].event);
    OpenedSet opened = source_->open(events);
    return opened.set && runs_on_trial(*opened.set) ? std::move(opened.set) : nullptr;
  };
  const auto fit = [&](const std::vector<std::size_t>& members) { return open_set(members) != nullptr; };
  for (const std::vector<std::size_t>& members : plan_passes(counted.size(), max_events_per_pass, fit)) {
    Pass pass{open_set(members), {}};
    for (const std::size_t member : members) pass.metrics.push_back(counted[member]);
    if (pass.set) passes_.push_back(std::move(pass));
  }
}

std::vector<CounterReading> EventCounters::count(const std::function<void()>& work) {
  std::vector<CounterReading> readings = blank_;
  if (passes_.empty()) work();
  for (const Pass& pass : passes_) {
    const auto values = count_once(*pass.set, work);
    if (!values) continue;
    for (std::size_t i = 0; i < std::min(values->size(), pass.metrics.size()); ++i) {
      const std::int64_t value = (*values)[i];
      if (value >= 0) readings[pass.metrics[i]].value = static_cast<std::uint64_t>(value);
    }
  }
  return readings;
}

}  // namespace slidebench
