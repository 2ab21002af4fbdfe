// SPDX-License-Identifier: MIT
#include "harness/run/emulated_times.hpp"

#include <CLI/CLI.hpp>
#include <iostream>

#include "harness/base/emulator.hpp"
#include "harness/base/errors.hpp"

namespace slidebench {

void EmulatorOption::add_to(CLI::App& command) {
  command.add_flag("--allow-emulator", allowed, "Go on under an emulator, whose times are no processor's");
}

void EmulatorOption::check() const {
  const std::optional<std::string> name = emulator();
  if (!name) return;
  if (allowed) {
    std::cerr << "slidebench: " << emulator_notes().front() << "\n";
    return;
  }
  throw UserError("this program runs under " + *name +
                  ": its times say nothing of any processor; run it on one, or try its working with --allow-emulator");
}

std::vector<std::string> emulator_notes() {
  const std::optional<std::string> name = emulator();
  if (!name) return {};
  return {"run under the emulator " + *name + ": the times are the emulator's, and say nothing of any processor"};
}

}  // namespace slidebench
