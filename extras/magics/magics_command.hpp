// SPDX-License-Identifier: MIT
#pragma once

namespace CLI {
class App;
}

namespace slidebench {

/// slidebench magics find, merge and check.
void add_magics_command(CLI::App& program);

}  // namespace slidebench
