// SPDX-License-Identifier: MIT
//
// The network's inner loops for any CPU of the architecture: SSE2 on x86-64, Advanced SIMD (NEON) on AArch64.
#include "harness/engine/network_kernels.hpp"

namespace slidebench::engine {

const NetworkKernels baseline_network_kernels = network_kernels<16>;

}  // namespace slidebench::engine
