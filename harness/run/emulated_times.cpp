// SPDX-License-Identifier: MIT
#include "harness/run/emulated_times.hpp"

#include <cstdlib>
#include <iostream>

#include "harness/base/emulator.hpp"
#include "harness/base/errors.hpp"

namespace slidebench {

void check_processor() {
  const std::optional<std::string> name = emulator();
  if (!name) return;
  if (std::getenv("SLIDEBENCH_ALLOW_EMULATOR") != nullptr) {
    std::cerr << "slidebench: " << emulator_notes().front() << "\n";
    return;
  }
  throw UserError("this program runs under " + *name +
                  ": its times say nothing of any processor; run it on one, or try its working with "
                  "SLIDEBENCH_ALLOW_EMULATOR=1 in the environment");
}

std::vector<std::string> emulator_notes() {
  const std::optional<std::string> name = emulator();
  if (!name) return {};
  return {"run under the emulator " + *name + ": the times are the emulator's, and say nothing of any processor"};
}

}  // namespace slidebench
