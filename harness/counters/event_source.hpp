// SPDX-License-Identifier: MIT
//
// Where counts come from: PAPI, the kernel's own interface, or a fake in a test. Nothing here knows about hardware.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace slidebench {

/// A few events that are counted together, over exactly the same interval. Stopped and released by its destructor.
class EventSet {
 public:
  virtual ~EventSet() = default;

  /// Zeroes the events and starts them, all or none. @return false if they could not be started
  virtual bool start() = 0;

  /// Stops the events. @return one count an event in the order of opening, negative where the source has no number
  /// for it (PAPI's answer to a misspelt software-defined event); nothing if the counts could not be read, or if the
  /// events did not run all the time
  virtual std::optional<std::vector<std::int64_t>> stop() = 0;
};

/// The outcome of EventSource::open.
struct OpenedSet {
  std::unique_ptr<EventSet> set;  ///< null if the events cannot be counted together
  bool source_disabled = false;   ///< no event of this source will ever open: do not try others
  std::string error;              ///< why `set` is null, one line; empty: the source has no such name
};

/// Opens event sets by event name.
class EventSource {
 public:
  virtual ~EventSource() = default;

  /// "PAPI 7.0.0.0", "the kernel".
  virtual std::string name() const = 0;

  /// Names that it may know, for a user who has mistyped one.
  virtual std::vector<std::string> names() const = 0;

  /// Prepares `events` (at least one) to be counted together, on the calling thread. Never multiplexes, never throws
  /// for want of an event or of a PMU.
  virtual OpenedSet open(const std::vector<std::string>& events) = 0;
};

}  // namespace slidebench
