// SPDX-License-Identifier: MIT
//
// What a report must say about the machine that it was measured on, and what disturbed a measurement.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace slidebench {

/// Describes the machine. Keys: cpu, vendor, microcode, hypervisor (its name, "" without one), governor, thp,
/// thp_defrag, kernel: strings; family, model, stepping, cores, threads_per_core, page_bytes, memory_bytes,
/// perf_event_paranoid: numbers; emulator: the file name of the program that executes this one, null for the processor
/// itself; turbo: whether boost clocks are allowed; caches: one entry for all caches of a kind
/// (level, type, bytes, line_bytes, ways, shared_by in hardware threads, count); mitigations: the kernel's word on each
/// vulnerability; load_average: over 1, 5 and 15 minutes; isa: the instruction-set features that attack generators
/// care about, in the kernel's spelling. What the machine does not tell is null. Names no host, no user and no path.
/// @param root  put in front of /proc and /sys, for tests ("" is the running system). Cores, caches, page size, kernel
///              and the hypervisor's name do not come from files: they are always the running machine's
nlohmann::json describe_machine(const std::string& root = "");

/// What the operating system did to the calling thread since it started. Take it before and after, and subtract.
struct ProcessNoise {
  std::int64_t involuntary_switches = 0;  ///< times the thread lost its core to another
  std::int64_t minor_faults = 0;          ///< page faults without I/O
  std::int64_t major_faults = 0;          ///< page faults that waited for I/O

  friend ProcessNoise operator-(const ProcessNoise& after, const ProcessNoise& before) {
    return {after.involuntary_switches - before.involuntary_switches, after.minor_faults - before.minor_faults,
            after.major_faults - before.major_faults};
  }
};

/// The calling thread's noise so far. Source: getrusage(RUSAGE_THREAD).
ProcessNoise process_noise();

/// Time that the hypervisor took since boot, in clock ticks (usually 10 ms); absent if the kernel does not say. Source:
/// /proc/stat. @param root  as for describe_machine
/// @param cpu  took from this one; from all together if absent, or if the kernel does not list it
std::optional<std::uint64_t> steal_ticks(const std::string& root = "", std::optional<unsigned> cpu = {});

/// All that is known to have disturbed a measurement.
struct Disturbance {
  ProcessNoise noise;                  ///< during the timed part
  std::optional<std::uint64_t> steal;  ///< ticks, from before the warm-up on: of the CPU that the thread is bound to
};

/// Watches one measurement: make it, warm up, start(), measure, stop(). For /proc/stat the kernel looks at every
/// CPU and every interrupt, which is no neighbour for a timed part: it is read before the warm-up and after the end.
class DisturbanceWatch {
 public:
  DisturbanceWatch();
  void start() { before_ = process_noise(); }
  Disturbance stop() const;

 private:
  std::optional<unsigned> cpu_;
  std::optional<std::uint64_t> steal_before_;
  ProcessNoise before_;
};

}  // namespace slidebench
