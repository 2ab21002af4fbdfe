// SPDX-License-Identifier: MIT
//
// Counters are tested before they are believed: some hypervisors let an event open and leave it at 0, and an event's
// name may promise what the processor does not count. Work whose counts are known is counted first.
#pragma once

#include <string>
#include <vector>

#include "harness/counters/event_counters.hpp"

namespace slidebench {

/// An event that did not count what it should.
struct CalibrationFault {
  std::string metric;
  std::string event;
  std::string what;  ///< "0.00 a read where 0.6 to 1.6 are known: dependent reads over 256 KiB"
};

/// "l1d_misses is left out: PAPI_L1_DCM counted 0.00 a read where ...".
inline std::string text_of(const CalibrationFault& fault) {
  return fault.metric + " is left out: " + fault.event + " counted " + fault.what;
}

/// Counts dependent reads over 16 KiB, 256 KiB and 8 MiB, a loop of known length and a random branch: about .1 s. A
/// metric without an expectation here passes.
std::vector<CalibrationFault> calibrate(EventCounters& counters);

/// What this machine counts of the metrics that were asked for.
struct Calibration {
  std::vector<Metric> believed;       ///< those whose events count what they should, each with its event alone
  std::vector<MetricChoice> choices;  ///< all
  std::vector<CalibrationFault> faults;
  std::string reason;  ///< why none is believed, one line; else empty
};

/// Opens metrics and has them count known work.
Calibration calibrated(const std::vector<Metric>& metrics);

}  // namespace slidebench
