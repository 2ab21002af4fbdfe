// SPDX-License-Identifier: MIT
//
// The kernel's own counters as a source of events, by perf_event_open(2): the generic events under the names that
// `perf list` gives them. It works where PAPI disables itself: on a core that libpfm4 does not know, or as root where
// kernel.perf_event_paranoid is 3.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "harness/counters/event_source.hpp"

namespace slidebench {

/// What the source asks of the kernel. A test puts refusals and counts of its own in the place of the answers.
class PerfKernel {
 public:
  virtual ~PerfKernel() = default;

  /// An event of the calling thread in user mode, not started; the group's leader (-1: itself) is pinned to the PMU.
  /// @return a descriptor, or -errno
  virtual int open(std::uint32_t type, std::uint64_t config, int leader);
  /// Zeroes and starts, or stops, the events of a leader. @return whether it did
  virtual bool start(int leader);
  virtual bool stop(int leader);
  /// How many bytes of the group's counts were read: number of events, time enabled, time running, a value an event.
  virtual long read(int leader, std::uint64_t* to, std::size_t bytes);
  virtual void close(int descriptor);
  /// A short file of /proc; empty if it cannot be read.
  virtual std::string text_of(const std::string& path);
};

std::unique_ptr<EventSource> perf_source(std::shared_ptr<PerfKernel> kernel = std::make_shared<PerfKernel>());

}  // namespace slidebench
