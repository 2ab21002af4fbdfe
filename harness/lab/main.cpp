// SPDX-License-Identifier: MIT
//
// slidebench-lab: what is beside the main job. `slidebench duel` and the others start it.
#include <CLI/CLI.hpp>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/base/csv_table.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/lab_command.hpp"
#include "harness/cli/program.hpp"
#include "harness/lab/caches/caches_report.hpp"
#include "harness/lab/commands.hpp"
#include "harness/lab/ladder/latency_ladder.hpp"
#include "harness/lab/timemodel/predicted_table.hpp"

int main(int argc, char** argv) {
  using namespace slidebench;
  const std::vector<std::string> words(argv, argv + argc);
  return run_program(argc, argv, [&words](CLI::App& program) {
    add_caches_command(program);
    add_dose_command(program, words);
    add_duel_command(program, words);
    add_judge_command(program);
    add_ladder_command(program);
    add_magics_command(program);
    add_predict_command(program);
    add_uci_command(program);
    add_branches_command(program);
    program.add_subcommand(columns_command, "Internal: the columns of the files of this program")
        ->group("")
        ->callback([] {
          std::cout << to_json({caches_columns(), ladder_columns(), predicted_columns()}).dump() << "\n";
        });
  });
}
