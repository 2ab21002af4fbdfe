// SPDX-License-Identifier: MIT
//
// Whether times can be measured here: those of an emulator say nothing of a processor.
#pragma once

#include <string>
#include <vector>

namespace slidebench {

/// Under an emulator only with the environment variable SLIDEBENCH_ALLOW_EMULATOR, and with a word on standard error.
/// @throws UserError  under an emulator that is not allowed
void check_processor();

/// What a report has to say: a sentence under an emulator, else nothing.
std::vector<std::string> emulator_notes();

}  // namespace slidebench
