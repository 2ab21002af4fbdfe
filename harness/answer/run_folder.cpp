// SPDX-License-Identifier: MIT
#include "harness/answer/run_folder.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>
#include <string>

#include "harness/base/errors.hpp"
#include "harness/base/json_schema.hpp"
#include "harness/base/posix_file.hpp"
#include "harness/base/suggestion.hpp"
#include "harness/base/text.hpp"
#include "harness/base/text_output.hpp"
#include "harness/plugin/known_methods.hpp"
#include "harness/statistics/reference.hpp"
#include "harness/statistics/results_json.hpp"
#include "harness/statistics/summary_table.hpp"
#include "harness/trace/packed_source.hpp"
#include "harness/trace/reader.hpp"

namespace slidebench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// What run.json must be like to be shown, whatever else it says. An end that is not known is null.
constexpr const char* record_schema = R"({
  "@cell": {"workload": "text", "kinds": "text", "trace": "text", "pressure": "text", "pages": "text",
            "corunners": "count"},
  "@caches": [{"level?": "count", "type?": "text|null", "bytes?": "whole|null"}],
  "@result": "=passed|=imprecise|=failed",
  "checks": {"valid?": "boolean",
             "twin": [{"cell": "@cell", "ratio": "number|null", "low": "number|null", "high": "number|null",
                       "margin": "number", "result": "@result"}],
             "control": [{"cell": "@cell", "expected_ratio?": "number", "measured_ratio?": "number",
                          "low": "number|null", "high": "number|null", "result": "@result"}]},
  "correlations?": [{"a": "@cell", "b": "@cell", "methods": "whole", "spearman": "number", "low": "number|null",
                     "high": "number|null", "bound": "number|null"}],
  "reliabilities?": [{"cell": "@cell", "methods": "whole", "split_half": "number"}],
  "bests?": [{"cell": "@cell", "limit_bytes": "whole|null", "compared": "whole", "contenders": ["text"],
              "sure?": "boolean", "lead?": "any"}],
  "parts?": [{"cells": ["@cell"]}],
  "methods?": [{"id": "text", "table_bytes": "whole|null", "family?": "text", "title?": "text"}],
  "traces?": [{"name?": "text", "file?": "text", "provenance?": "@provenance"}],
  "machine?": {"cpu?": "text|null", "vendor?": "text|null", "emulator?": "text|null", "hypervisor?": "text|null",
               "family?": "number|null", "model?": "number|null",
               "caches?": "@caches|null"},
  "skipped?": [{"id": "text", "why": "text"}], "session_widenings?": [{"cell": "@cell", "factor": "number"}], "reference?": "text|null",
  "inference?": {"margin?": "number", "interval?": "text"}, "measured_seconds?": "number|null",
  "missing_process_runs?": [{"process_run": "count", "why": "text"}],
  "counters?": {"status?": "text", "reason?": "text", "left_out?": [{"metric": "text", "event": "text", "why": "text"}]}, "warnings?": ["text"], "complete?": "boolean",
  "protocol?": {"layouts?": "whole", "placements?": "whole", "sessions?": "whole", "process_runs?": "whole", "until_decided?": "boolean"}, "kind?": "text", "duel?": "any"
})";

/// What goes to a terminal later: every text of a record in the form in which it may.
void make_printable(json& value) {
  if (value.is_string()) value = printable(value.get_ref<const std::string&>());
  if (value.is_structured()) {
    for (json& part : value) make_printable(part);
  }
}

/// The same of a text of several lines.
std::string printable_lines(const std::string& text) {
  std::istringstream all(text);
  std::string lines;
  for (std::string line; std::getline(all, line);) lines += printable(line) + (all.eof() ? "" : "\n");
  return lines;
}

/// The text of a file, plain or compressed. Throws UserError.
std::string read_text(const fs::path& path) {
  check_regular(path.string());
  std::string text;
  PackedSource file(path.string());
  for (auto piece = file.next(); !piece.empty(); piece = file.next()) text.append(piece.data(), piece.size());
  return text;
}

json read_record(const fs::path& folder) {
  const fs::path path = file_of_run(folder, "run.json");
  std::error_code error;
  if (!fs::is_directory(folder, error)) throw UserError(folder.string() + ": no such folder");
  if (!fs::exists(path, error))
    throw UserError(folder.string() + " holds no run: it has no run.json; name the folder given to --out");
  const std::string what = path.string() + " is damaged, or of another version";
  json record = parse_json(read_text(path), what);
  if (record.is_object() && record.contains("kind") && record.at("kind") == "simulation") {
    throw UserError(folder.string() +
                    " holds a simulation, which has no times to show; its counts are in counters.csv");
  }
  json schema = json::parse(record_schema);
  schema["@provenance"] = json::parse(provenance_schema);
  check_json(record, schema, what);
  make_printable(record);
  return record;
}

/// The record, and its figures that are more than text.
RunFolder read_figures_in(const fs::path& folder) {
  RunFolder run;
  run.path = folder.string();
  run.record = read_record(folder);
  try {
    run.record.at("checks").get_to(run.checks);
    run.record.value("correlations", json::array()).get_to(run.correlations);
    run.record.value("reliabilities", json::array()).get_to(run.reliabilities);
    for (const json& widening : run.record.value("session_widenings", json::array()))
      run.widenings[widening.at("cell").get<Cell>()] = widening.at("factor").get<double>();
    return run;
  } catch (const UserError& fault) {
    throw UserError(file_of_run(folder, "run.json").string() + " is of another version: " + fault.what());
  }
}

/// The rows of a file. Throws UserError for one that is no such table.
template <class Read>
auto read_table(const fs::path& path, const char* what, Read read) {
  try {
    return read(path.string(), printable_lines(read_text(path)));
  } catch (const std::exception& fault) {
    throw UserError(path.string() + ": no " + what + " of a run: " + fault.what());
  }
}

/// How many process runs each of the pages and co-runners took turns for.
std::size_t circumstances_of(const std::vector<SummaryRow>& rows) {
  std::set<std::pair<std::string, unsigned>> found;
  for (const SummaryRow& row : rows) found.insert({row.cell.pages, row.cell.corunners});
  return std::max<std::size_t>(1, found.size());
}

/// What the rows of the summary are against.
std::string reference_of(const RunFolder& run) {
  const auto found = std::ranges::find(run.rows, ContenderRole::reference, &SummaryRow::role);
  return found == run.rows.end() ? reference_method : found->contender;
}

/// Throws UserError for a reference that was not measured, unless nothing was compared: that run says so itself.
void check_reference(const RunFolder& run, const std::string& reference) {
  std::set<std::string> there;
  for (const SummaryRow& row : run.rows) {
    if (row.role == ContenderRole::method || row.role == ContenderRole::reference) there.insert(row.contender);
  }
  if (there.empty()) return;
  const std::string asked = "--reference " + reference + ": ", where = run.path.empty() ? "this run" : run.path;
  if (!there.contains(reference))
    throw UserError(asked + "not measured in " + where + did_you_mean(reference, {there.begin(), there.end()}) +
                    "; there are " + joined(there, ", "));
  if (reference != reference_of(run) && run.process_runs.empty())
    throw UserError(asked + where + " has no process_runs.csv, from which other references follow; it has " +
                    reference_of(run) + " alone");
}

}  // namespace

std::string usual_reference(const RunFolder& run) {
  const json said = run.record.value("reference", json());
  return said.is_string() ? said.get<std::string>() : reference_of(run);
}

std::vector<SummaryRow> rows_against(const RunFolder& run, const std::string& reference) {
  check_reference(run, reference);
  if (reference == reference_of(run)) return run.rows;
  return seen_from(reference, run.rows, run.process_runs, protocol_of(run), run.widenings);
}

Answer answer_against(const RunFolder& run, const std::string& reference) {
  return make_answer(rows_against(run, reference), run.record);
}

fs::path file_of_run(const fs::path& folder, const std::string& name) {
  std::error_code error;
  const fs::path plain = folder / name;
  const fs::path packed = folder / (name + ".gz");
  return fs::exists(packed, error) && !fs::exists(plain, error) ? packed : plain;
}

bool holds_run(const fs::path& folder) {
  std::error_code error;
  return fs::exists(file_of_run(folder, "run.json"), error) && fs::exists(file_of_run(folder, "summary.csv"), error);
}

bool is_duel(const RunFolder& run) { return !run.record.value("duel", json()).is_null(); }

Protocol protocol_of(const RunFolder& run) {
  const json inference = run.record.value("inference", json::object());
  const json said = run.record.value("protocol", json::object());
  Protocol protocol;
  protocol.margin = inference.value("margin", protocol.margin);
  if (inference.value("interval", "") == "confidence-sequence") protocol.inference = Inference::sequential;
  const json duel = run.record.value("duel", json());
  // An earlier version's process runs drew links, whose variance its intervals did not hold.
  protocol.draws_builds = duel.is_object() ? duel.value("draws_builds", false) : said.contains("layouts");
  const auto sessions = said.value("sessions", std::size_t{1});
  const auto process_runs = said.value("process_runs", std::size_t{0});
  if (sessions > 1) {
    const std::size_t each = (process_runs + sessions - 1) / sessions;
    protocol.process_runs_a_session = static_cast<unsigned>(each * circumstances_of(run.rows));
  }
  return protocol;
}

RunFolder read_run_folder(const fs::path& folder) {
  RunFolder run = read_figures_in(folder);
  std::error_code error;
  const fs::path process_runs = file_of_run(folder, "process_runs.csv");
  run.rows = read_table(file_of_run(folder, "summary.csv"), "summary", read_summary);
  if (fs::exists(process_runs, error)) run.process_runs = read_table(process_runs, "process runs", read_process_runs);
  run.resumable = fs::exists(folder / "finished.jsonl", error) || fs::exists(folder / "unfinished.jsonl", error);
  return run;
}

}  // namespace slidebench
