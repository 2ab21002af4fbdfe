// SPDX-License-Identifier: MIT
//
// Options on which the verdicts of a run and of a duel rest, as people write them.
#pragma once

#include <string>

#include "harness/run/settings.hpp"

namespace slidebench {

/// A profile's name, or what it stands for: PROCESS_RUNSxROUNDS, and /SESSIONSxPAUSE where there are several, such as
/// 16x4 or 32x12/3x5m. Throws UserError; a session has two process runs at least, so that its own scatter is known.
Profile parse_profile(const std::string& text);

/// "1%" or "0.01" as a fraction. Throws UserError for what no margin can be.
double parse_margin(const std::string& text);

/// "90s", "30m", "2h" or plain seconds. Throws UserError, which names the option.
double parse_duration(const std::string& option, const std::string& text);

}  // namespace slidebench
