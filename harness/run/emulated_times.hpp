// SPDX-License-Identifier: MIT
//
// The times of an emulator say nothing of a processor.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace slidebench {

/// --allow-emulator, for commands that do nothing but measure.
struct EmulatorOption {
  bool allowed = false;

  void add_to(CLI::App& command);

  /// @throws UserError  under an emulator, unless the option was given
  void check() const;
};

/// What a report has to say: a sentence under an emulator, else nothing.
std::vector<std::string> emulator_notes();

}  // namespace slidebench
