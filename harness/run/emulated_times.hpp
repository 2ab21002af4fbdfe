// SPDX-License-Identifier: MIT
//
// Whether times can be measured here: those of an emulator say nothing of a processor.
#pragma once

#include <string>
#include <vector>

namespace slidebench {

/// @param emulator_allowed  go on under an emulator, with a word on standard error
/// @throws UserError  under an emulator that is not allowed, or where the clock stands still
void check_processor(bool emulator_allowed);

/// What a report has to say: a sentence under an emulator, else nothing.
std::vector<std::string> emulator_notes();

}  // namespace slidebench
