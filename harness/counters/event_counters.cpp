// SPDX-License-Identifier: MIT
#include "harness/counters/event_counters.hpp"

#include <algorithm>
#include <span>
#include <utility>

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
    if (!error.empty() && choice.errors.find(error) == std::string::npos)
      choice.errors += (choice.errors.empty() ? "" : "; ") + error;
  }
  return choice;
}

std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

}  // namespace

std::optional<double> per_query(const Counted& method, const Counted& empty) {
  if (!method.value || !empty.value || method.queries == 0 || empty.queries == 0) return std::nullopt;
  return static_cast<double>(*method.value) / static_cast<double>(method.queries) -
         static_cast<double>(*empty.value) / static_cast<double>(empty.queries);
}

EventCounters EventCounters::open(std::vector<std::unique_ptr<EventSource>> sources,
                                  const std::vector<Metric>& metrics) {
  EventCounters counters;
  counters.sources_ = std::move(sources);
  for (const Metric& metric : metrics) counters.choices_.push_back({metric.name, "", "", ""});
  for (const std::unique_ptr<EventSource>& source : counters.sources_) {
    const std::size_t first = counters.passes_.size();
    bool disabled = false;
    for (std::size_t i = 0; i < metrics.size() && !disabled; ++i) {
      MetricChoice& choice = counters.choices_[i];
      if (!choice.event.empty()) continue;
      const Choice chosen = choose_event(*source, metrics[i]);
      if (!chosen.errors.empty()) choice.error = one_line(chosen.errors);
      disabled = chosen.source_disabled;
      if (chosen.event.empty()) continue;
      choice.event = chosen.event;
      choice.source = source->name();
      const auto takes = [&](Pass& pass) { return counters.joins(pass, i, *source); };
      if (std::ranges::any_of(std::span(counters.passes_).subspan(first), takes)) continue;
      if (Pass alone; takes(alone)) counters.passes_.push_back(std::move(alone));
    }
  }
  if (counters.available()) return counters;
  const auto told = std::find_if(counters.choices_.begin(), counters.choices_.end(),
                                 [](const MetricChoice& choice) { return !choice.error.empty(); });
  counters.reason_ = told != counters.choices_.end() ? told->error
                     : metrics.empty()               ? "there is nothing to count"
                                                     : "the events do not start a second time";
  return counters;
}

/// Puts a metric into a pass, if its event can be counted together with those that are there.
bool EventCounters::joins(Pass& pass, std::size_t metric, EventSource& source) {
  if (pass.metrics.size() >= max_events_per_pass) return false;
  std::vector<std::string> events;
  for (const std::size_t member : pass.metrics) events.push_back(choices_[member].event);
  events.push_back(choices_[metric].event);
  OpenedSet opened = source.open(events);
  if (!opened.set || !runs_on_trial(*opened.set)) return false;
  pass.set = std::move(opened.set);
  pass.metrics.push_back(metric);
  return true;
}

bool EventCounters::start(std::size_t pass) { return passes_[pass].started = passes_[pass].set->start(); }

std::vector<CounterReading> EventCounters::stop(std::size_t pass) {
  Pass& counted = passes_[pass];
  const auto values = counted.started ? counted.set->stop() : std::nullopt;
  std::vector<CounterReading> readings;
  for (std::size_t i = 0; i < counted.metrics.size(); ++i) {
    const MetricChoice& choice = choices_[counted.metrics[i]];
    readings.push_back({choice.metric, choice.event, "measured", std::nullopt});
    if (values && i < values->size() && (*values)[i] >= 0)
      readings.back().value = static_cast<std::uint64_t>((*values)[i]);
  }
  return readings;
}

std::vector<CounterReading> EventCounters::count(const std::function<void()>& work) {
  std::vector<CounterReading> readings;
  for (const MetricChoice& choice : choices_)
    readings.push_back({choice.metric, choice.event, "measured", std::nullopt});
  if (passes_.empty()) work();
  for (std::size_t pass = 0; pass < passes_.size(); ++pass) {
    start(pass);
    try {
      work();
    } catch (...) {
      stop(pass);
      throw;
    }
    const std::vector<CounterReading> of_pass = stop(pass);
    for (std::size_t i = 0; i < of_pass.size(); ++i) readings[passes_[pass].metrics[i]].value = of_pass[i].value;
  }
  return readings;
}

}  // namespace slidebench
