// SPDX-License-Identifier: MIT
//
// What is counted, and under which names a processor may offer it.
//
// No event exists everywhere: PAPI 7.0 has no presets for Zen 4, Zen 5 or Sapphire Rapids, the kernel's generic events
// have no L2, and vendors name the rest as they like. So every metric lists candidates, best known first, and the name
// that was really counted is written beside each value. The same metric from two vendors is not the same quantity: L1D
// misses may be line fills (prefetches included) or retired loads, data-TLB misses may or may not include hits in the
// second-level TLB. Compare methods on one machine, never machines with each other.
#pragma once

#include <string>
#include <vector>

namespace slidebench {

/// A quantity and the events that may stand for it.
struct Metric {
  std::string name;                     ///< as in counters.csv, snake_case
  std::vector<std::string> candidates;  ///< event names, tried in this order; the first that counts is used
};

/// The hardware metrics, user mode only. Source of the names: PAPI's preset list, the kernel's generic events as PAPI
/// spells them (perf::...) and as `perf list` does, and libpfm4's native event tables. Names without a PMU prefix mean
/// the running core's PMU.
inline std::vector<Metric> hardware_metrics() {
  return {
      {"cycles", {"PAPI_TOT_CYC", "perf::CYCLES", "CYCLES_NOT_IN_HALT", "CPU_CLK_UNHALTED:THREAD_P", "cycles"}},
      {"instructions",
       {"PAPI_TOT_INS", "perf::INSTRUCTIONS", "RETIRED_INSTRUCTIONS", "INST_RETIRED:ANY_P", "instructions"}},
      {"l1d_misses",
       {"PAPI_L1_DCM", "perf::L1-DCACHE-LOAD-MISSES", "REQUESTS_TO_L2_GROUP1:RD_BLK_L:RD_BLK_X:LS_RD_BLK_C_S",
        "L1D:REPLACEMENT", "MEM_LOAD_RETIRED:L1_MISS", "MEM_LOAD_UOPS_RETIRED:L1_MISS", "L1-dcache-load-misses"}},
      {"l2d_misses",
       {"PAPI_L2_DCM", "CORE_TO_L2_CACHEABLE_REQUEST_ACCESS_STATUS:LS_RD_BLK_C", "OFFCORE_REQUESTS:DATA_RD",
        "OFFCORE_REQUESTS:ALL_DATA_RD", "MEM_LOAD_RETIRED:L2_MISS", "MEM_LOAD_UOPS_RETIRED:L2_MISS"}},
      // perf::CACHE-MISSES is left out on purpose: AMD kernels map it to the L2. AMD's L3 counts per package, not per
      // thread, so there the metric is absent.
      {"l3_misses",
       {"PAPI_L3_TCM", "perf::LLC-LOAD-MISSES", "MEM_LOAD_RETIRED:L3_MISS", "MEM_LOAD_UOPS_RETIRED:L3_MISS",
        "LLC-load-misses"}},
      {"dtlb_misses",
       {"PAPI_TLB_DM", "perf::DTLB-LOAD-MISSES", "DTLB_LOAD_MISSES:WALK_COMPLETED",
        "DTLB_LOAD_MISSES:MISS_CAUSES_A_WALK", "dTLB-load-misses"}},
      {"branch_misses",
       {"PAPI_BR_MSP", "perf::BRANCH-MISSES", "RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED",
        "BR_MISP_RETIRED:ALL_BRANCHES", "branch-misses"}},
      {"frontend_stalls", {"PAPI_STL_ICY", "stalled-cycles-frontend"}},
  };
}

}  // namespace slidebench
