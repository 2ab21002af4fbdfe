// SPDX-License-Identifier: MIT
//
// The network's inner loops for any x86-64 CPU.
#include "harness/engine/network_kernels.hpp"

namespace slidebench::engine {

const NetworkKernels baseline_network_kernels = network_kernels<16>;

}  // namespace slidebench::engine
