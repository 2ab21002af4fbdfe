// SPDX-License-Identifier: MIT
//
// The network's inner loops for AVX-512BW.
#include "harness/engine/network_kernels.hpp"

namespace slidebench::engine {

const NetworkKernels avx512_network_kernels = network_kernels<64>;

}  // namespace slidebench::engine
