// SPDX-License-Identifier: MIT
#include "harness/answer/views.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "harness/base/errors.hpp"
#include "harness/base/suggestion.hpp"
#include "harness/base/text_output.hpp"
#include "harness/plugin/known_methods.hpp"
#include "harness/statistics/reference.hpp"

namespace slidebench {
namespace {

namespace fs = std::filesystem;

/// What the rows of the summary are against.
std::string reference_of(const RunFolder& run) {
  const auto found = std::ranges::find(run.rows, ContenderRole::reference, &SummaryRow::role);
  return found == run.rows.end() ? reference_method : found->contender;
}

std::set<std::string> compared_in(const RunFolder& run) {
  std::set<std::string> names;
  for (const SummaryRow& row : run.rows) {
    if (row.role == ContenderRole::method || row.role == ContenderRole::reference) names.insert(row.contender);
  }
  return names;
}

std::vector<SummaryRow> rows_from(const RunFolder& run, const std::string& reference) {
  if (reference == reference_of(run)) return run.rows;
  return seen_from(reference, run.rows, run.process_runs, protocol_of(run), run.widenings);
}

}  // namespace

RunViews::RunViews(RunFolder own, const std::vector<std::string>& more) : own_(std::move(own)) {
  for (const fs::directory_entry& entry : fs::directory_iterator(own_.path)) {
    if (!entry.is_directory() || !holds_run(entry.path())) continue;
    inside_.emplace(entry.path().filename().string(), read_run_folder(entry.path()));
  }
  for (const std::string& other : more) inside_.emplace(other, read_run_folder(other));
}

std::string RunViews::usual_reference() const {
  const nlohmann::json said = own_.record.value("reference", nlohmann::json());
  return said.is_string() ? said.get<std::string>() : reference_of(own_);
}

void RunViews::check(const std::string& reference) const {
  const std::set<std::string> there = compared_in(own_);
  const std::string where = own_.path.empty() ? "this run" : own_.path;
  if (there.empty()) return;  // a run without comparisons says so itself
  if (!there.contains(reference)) {
    throw UserError("--reference " + reference + ": not measured in " + where +
                    did_you_mean(reference, {there.begin(), there.end()}) + "; there are " +
                    joined(std::vector<std::string>(there.begin(), there.end()), ", "));
  }
  if (reference != reference_of(own_) && own_.process_runs.empty()) {
    throw UserError("--reference " + reference + ": " + where +
                    " has no process_runs.csv, from which other references follow; it has " + reference_of(own_) +
                    " alone");
  }
}

std::vector<SummaryRow> RunViews::rows(const std::string& reference) const {
  check(reference);
  return rows_from(own_, reference);
}

Answer RunViews::answer(const std::string& reference) const {
  const std::vector<SummaryRow> own = rows(reference);
  std::map<std::string, std::vector<SummaryRow>> seen;
  std::map<std::string, Evidence> inside;
  for (const auto& [folder, run] : inside_) {
    const auto& of = seen.emplace(folder, rows_from(run, reference)).first->second;
    inside.emplace(folder, Evidence{of, run.record});
  }
  return make_answer({own, own_.record}, inside);
}

}  // namespace slidebench
