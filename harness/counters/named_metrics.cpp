// SPDX-License-Identifier: MIT
#include <algorithm>

#include "harness/base/errors.hpp"
#include "harness/base/suggestion.hpp"
#include "harness/counters/hardware_counters.hpp"

namespace slidebench {

EventCounters open_hardware_counters(const std::vector<Metric>& metrics) {
  return EventCounters::open(hardware_sources(), metrics);
}

std::vector<Metric> metrics_named(const std::vector<std::string>& names) {
  const std::vector<Metric> usual = hardware_metrics();
  std::vector<std::string> known;
  for (const Metric& metric : usual) known.push_back(metric.name);
  for (const std::unique_ptr<EventSource>& source : hardware_sources()) {
    for (std::string& name : source->names()) known.push_back(std::move(name));
  }
  std::vector<Metric> metrics;
  for (const std::string& name : names) {
    const auto same = [&](const Metric& metric) { return metric.name == name; };
    if (std::any_of(metrics.begin(), metrics.end(), same)) continue;
    const auto found = std::find_if(usual.begin(), usual.end(), same);
    metrics.push_back(found != usual.end() ? *found : Metric{name, {name}});
    const MetricChoice choice = open_hardware_counters({metrics.back()}).choices().front();
    if (!choice.event.empty()) continue;
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw UserError("--events " + name + ": no event of PAPI or of the kernel" + did_you_mean(name, known) +
                      "; slidebench list --events shows those of this machine");
    throw UserError("--events " + name + ": cannot be counted here: " + choice.error);
  }
  return metrics;
}

}  // namespace slidebench
