// SPDX-License-Identifier: MIT
//
// The commands of slidebench-model. Each adds its options to the program and runs itself when it is named.
#pragma once

namespace CLI {
class App;
}

namespace slidebench {

void add_ladder_command(CLI::App& program);
void add_predict_command(CLI::App& program);

}  // namespace slidebench
