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
  std::string source;                  ///< "measured", or "simulated" by a model
  std::optional<std::uint64_t> value;  ///< events in one run of the work; absent if not counted (never 0 for absent)
};

/// A metric that was asked for, and what became of it.
struct MetricChoice {
  std::string metric;
  std::string event;   ///< empty: none of its candidates can be counted
  std::string source;  ///< EventSource::name of the one that counts it
  std::string error;   ///< why it cannot be counted
};

/// A count, and the queries in which it was counted.
struct Counted {
  std::optional<std::uint64_t> value;
  std::uint64_t queries = 0;
};

/// Events a query that the method itself caused: those of its replay less those of the empty loop, which replays the
/// same trace under the same pressure, though not always as much of it.
/// @return events a query. Signed: below zero the method's replay counted less than the empty loop's, which is noise
///         when small and a mistake when large; it is not cut off at 0, because that would bias every mean. Nothing if
///         either count is absent or has no queries
std::optional<double> per_query(const Counted& method, const Counted& empty);

/// Metrics ready to be counted. Movable. Open and use it on one thread.
class EventCounters {
 public:
  /// Most cores have four general counters a thread to give, and some machines lose one to the kernel's watchdog.
  static constexpr std::size_t max_events_per_pass = 4;

  /// Chooses an event for each metric, of the first source that counts one of its candidates, and packs the events of a
  /// source into passes; each is started once, on trial. Does not throw for want of events: see available().
  static EventCounters open(std::vector<std::unique_ptr<EventSource>> sources, const std::vector<Metric>& metrics);

  /// Whether at least one metric can be counted.
  bool available() const { return !passes_.empty(); }

  /// Why nothing can be counted, in one line; empty if available(). It is the last source's reason, which is the
  /// kernel's own.
  const std::string& reason() const { return reason_; }

  /// One a metric, in the order of open().
  const std::vector<MetricChoice>& choices() const { return choices_; }

  std::size_t passes() const { return passes_.size(); }

  /// Begins to count the events of a pass. @return false if they did not start; then stop() has no values
  bool start(std::size_t pass);

  /// The readings of a pass, values absent where they could not be had.
  std::vector<CounterReading> stop(std::size_t pass);

  /// Runs `work` once a pass and counts around it; once if there is nothing to count. An exception of `work` stops the
  /// counters and goes on to the caller.
  /// @return one reading a metric, in the order of open()
  std::vector<CounterReading> count(const std::function<void()>& work);

 private:
  struct Pass {
    std::unique_ptr<EventSet> set;
    std::vector<std::size_t> metrics;  // indices into choices_
    bool started = false;
  };

  bool joins(Pass& pass, std::size_t metric, EventSource& source);

  std::vector<std::unique_ptr<EventSource>> sources_;
  std::vector<MetricChoice> choices_;
  std::string reason_;
  std::vector<Pass> passes_;  // last, so that the sets go before their source
};

}  // namespace slidebench
