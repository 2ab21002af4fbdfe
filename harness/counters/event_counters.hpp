// SPDX-License-Identifier: MIT
//
// Counts metrics around a piece of work: several passes, each over a few events that really run together, instead of
// multiplexing. The work must be deterministic, as a replayed trace is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/counters/event_source.hpp"
#include "harness/counters/metrics.hpp"

namespace slidebench {

/// One metric of one piece of work.
struct CounterReading {
  std::string metric;                  ///< Metric::name
  std::string event;                   ///< the event that was really counted; empty if none of the candidates can be
  std::string source;                  ///< EventSource::name
  std::optional<std::uint64_t> value;  ///< events in one run of the work; absent if not counted (never 0 for absent)
};

/// Metrics of one event source, ready to be counted. Movable. Open and use it on one thread.
class EventCounters {
 public:
  /// Most cores have four general counters a thread to give, and some machines lose one to the kernel's watchdog.
  static constexpr std::size_t max_events_per_pass = 4;

  /// Chooses an event for each metric and packs them into passes; each is started once, on trial. Does not throw for
  /// want of events: see available().
  static EventCounters open(std::unique_ptr<EventSource> source, const std::vector<Metric>& metrics);

  /// Whether at least one metric can be counted.
  bool available() const { return !passes_.empty(); }

  /// Why nothing can be counted, in one line; empty if available().
  const std::string& reason() const { return reason_; }

  /// How often count() runs the work: once a pass, and once if there is nothing to count.
  std::size_t runs() const { return passes_.empty() ? 1 : passes_.size(); }

  /// Runs `work` runs() times and counts around it. A pass that cannot be started or read still runs the work and
  /// leaves its metrics absent. An exception of `work` stops the counters and goes on to the caller.
  /// @return one reading a metric, in the order of open()
  std::vector<CounterReading> count(const std::function<void()>& work);

 private:
  struct Pass {
    std::unique_ptr<EventSet> set;
    std::vector<std::size_t> metrics;  // indices into blank_
  };

  void plan(const std::vector<std::size_t>& counted);

  std::unique_ptr<EventSource> source_;
  std::vector<CounterReading> blank_;  // the readings, values absent
  std::string reason_;
  std::vector<Pass> passes_;  // last, so that the sets go before their source
};

}  // namespace slidebench
