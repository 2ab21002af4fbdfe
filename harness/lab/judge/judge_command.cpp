// SPDX-License-Identifier: MIT
//
// slidebench-lab judge: the statistics of `slidebench run` for samples that others took (scripts/slidebench.py wasm).
#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "harness/base/errors.hpp"
#include "harness/base/posix_file.hpp"
#include "harness/base/text_output.hpp"
#include "harness/lab/commands.hpp"
#include "harness/statistics/process_run_table.hpp"
#include "harness/statistics/summary_table.hpp"

namespace slidebench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::ifstream opened(const fs::path& path) {
  check_regular(path.string());
  std::ifstream file(path);
  if (!file) throw UserError(path.string() + ": cannot be read; give the folder of a run");
  return file;
}

std::vector<Sample> read_samples(const fs::path& path) {
  std::ifstream file = opened(path);
  std::string line;
  if (!std::getline(file, line) || line != sample_csv_header())
    throw UserError(path.string() + ": the first line is not that of samples.csv; slidebench help columns has it");
  std::vector<Sample> samples;
  for (std::size_t number = 2; std::getline(file, line); ++number) {
    try {
      samples.push_back(parse_sample(line));
    } catch (const UserError& error) {
      throw UserError(path.string() + ", line " + std::to_string(number) + ": " + error.what() + "; measure again");
    }
  }
  if (samples.empty()) throw UserError(path.string() + ": holds no samples; measure again");
  return samples;
}

/// What run.json says that the statistics need: the margin, and of each method what stands beside its figures.
class RunDescription {
 public:
  explicit RunDescription(const fs::path& path) {
    std::ifstream file = opened(path);
    try {
      const json run = json::parse(file);
      margin_ = run.at("inference").at("margin");
      for (const json& method : run.at("methods")) methods_[method.at("id")] = describe(method);
    } catch (const json::exception& error) {
      throw UserError(path.string() + ": does not describe a run: " + error.what());
    }
  }

  double margin() const { return margin_; }

  SummaryLine line(const SummaryRow& row) const {
    SummaryLine line{row, "", "", std::nullopt, margin_};
    if (const auto found = methods_.find(row.method); found != methods_.end()) {
      line.title = found->second.title;
      line.family = found->second.family;
      line.table_bytes = found->second.table_bytes;
    }
    return line;
  }

 private:
  struct Method {
    std::string title, family;
    std::optional<std::size_t> table_bytes;
  };

  static Method describe(const json& method) {
    const json& bytes = method.at("table_bytes");
    return {method.at("title"), method.at("family"),
            bytes.is_null() ? std::nullopt : std::optional(bytes.get<std::size_t>())};
  }

  double margin_ = 0;
  std::map<std::string, Method> methods_;
};

void judge(const fs::path& run) {
  const RunDescription description(run / "run.json");
  const Protocol protocol{.margin = description.margin()};
  const std::vector<CellSamples> cells = sort_into_cells(read_samples(run / "samples.csv"), protocol);
  std::vector<SummaryLine> lines;
  for (const SummaryRow& row : summarise(cells, protocol)) lines.push_back(description.line(row));
  write_file(run / "process_runs.csv", process_runs_csv(process_run_rows(cells)));
  write_file(run / "summary.csv", summary_csv(lines));
}

}  // namespace

void add_judge_command(CLI::App& program) {
  const auto run = std::make_shared<std::string>();
  CLI::App* command =
      program.add_subcommand("judge", "Internal: summary.csv and process_runs.csv of a folder's samples.csv");
  command->group("");
  command->add_option("run", *run, "A folder with samples.csv and run.json")->required();
  command->callback([run] { judge(*run); });
}

}  // namespace slidebench
