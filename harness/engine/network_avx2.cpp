// SPDX-License-Identifier: MIT
//
// The network's inner loops for AVX2.
#include "harness/engine/network_kernels.hpp"

namespace slidebench::engine {

const NetworkKernels avx2_network_kernels = network_kernels<32>;

}  // namespace slidebench::engine
