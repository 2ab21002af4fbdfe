// SPDX-License-Identifier: MIT
//
// Built where there is no decoder.
#include "harness/base/errors.hpp"
#include "harness/counters/decoded_instruction.hpp"

namespace slidebench {

DecodedInstruction decode_instruction(std::uintptr_t) {
  throw UserError("cannot count instructions: this build has no decoder; install libcapstone-dev and build again");
}

}  // namespace slidebench
