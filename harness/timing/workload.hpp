// SPDX-License-Identifier: MIT
//
// The workloads: which replay kernel of a module is timed, under which name.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "harness/plugin/abi.hpp"

namespace slidebench {

/// One workload: its name in options, CSV and figures, what it times, and the kernel.
struct Workload {
  std::string_view name;
  std::string_view what;
  ReplayKernel ReplayKernels::*kernel;
};

inline constexpr std::array workloads{
    Workload{"throughput", "queries in trace order, independent of each other", &ReplayKernels::throughput},
    Workload{"latency", "each query's occupancy depends on the answer before it", &ReplayKernels::latency},
};

/// The workload of this name, or nullptr.
constexpr const Workload* find_workload(std::string_view name) {
  for (const Workload& workload : workloads) {
    if (workload.name == name) return &workload;
  }
  return nullptr;
}

}  // namespace slidebench
