// SPDX-License-Identifier: MIT
#include "harness/run/joined_run.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

#include "harness/base/errors.hpp"
#include "harness/base/text_output.hpp"
#include "harness/run/inputs.hpp"

namespace slidebench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char *part_name = "part", *joined_name = "joined";

json record_in(const fs::path& folder) { return json::parse(std::ifstream(folder / "run.json")); }

/// A row whose process run is counted on by so many. Nothing is quoted before that column.
std::string counted_on(const std::string& row, std::size_t place, std::size_t by) {
  std::size_t begin = 0;
  for (; place > 0; --place) begin = row.find(',', begin) + 1;
  const std::size_t end = row.find(',', begin);
  return row.substr(0, begin) + std::to_string(std::stoul(row.substr(begin, end - begin)) + by) + row.substr(end);
}

/// Writes, into the part's folder joined/, the rows of the part's file below those of the whole's.
/// @param place  of the process run in a row; absent in a table whose rows are of no single one
/// @param on_row  gets each row that is added
void join_table(const fs::path& whole, const char* name, std::optional<std::size_t> place, std::size_t by,
                const std::function<void(const std::string&)>& on_row = {}) {
  std::ifstream above(whole / name), below(part_folder(whole) / name);
  std::stringstream text;
  text << above.rdbuf();
  std::string row;
  std::getline(below, row);
  if (!text.str().starts_with(row + "\n")) throw UserError((whole / name).string() + ": is of another version");
  while (std::getline(below, row)) {
    if (place) row = counted_on(row, *place, by);
    if (on_row) on_row(row);
    text << row << "\n";
  }
  write_file(part_folder(whole) / joined_name / name, text.str(), Durability::synced);
}

/// Adds the entries of a list of run.json that are not there, by their names where they have one.
void add_new(json& to, const json& from) {
  const auto name = [](const json& e) { return e.is_object() ? e.value("id", e.value("name", e)) : e; };
  for (const json& entry : from) {
    const auto is_same = [&](const json& other) { return name(other) == name(entry); };
    if (std::none_of(to.begin(), to.end(), is_same)) to.push_back(entry);
  }
}

/// What is to be known of a part beside what its rows say.
json origin_of(const json& part) {
  json origin = json::object();
  for (const char* key :
       {"command", "profile", "protocol", "engine", "seed", "started", "finished", "measured_seconds", "cells"})
    origin[key] = part.at(key);
  return origin;
}

json joined_records(json whole, const json& part, std::size_t by) {
  for (const char* list : {"cells", "bests", "decisions", "correlations", "reliabilities", "session_widenings", "pages",
                           "traces", "methods", "skipped", "warnings"})
    add_new(whole.at(list), part.at(list));
  for (json missing : part.at("missing_process_runs")) {
    missing.at("process_run") = missing.at("process_run").get<std::size_t>() + by;
    whole.at("missing_process_runs").push_back(missing);
  }
  json& checks = whole.at("checks");
  for (const char* kind : {"twin", "control"}) add_new(checks.at(kind), part.at("checks").at(kind));
  checks["valid"] = checks.at("valid").get<bool>() && part.at("checks").at("valid").get<bool>();
  whole.at("pressures").update(part.at("pressures"));
  whole["finished"] = part.at("finished");
  whole["parts"].push_back(origin_of(part));
  return whole;
}

}  // namespace

fs::path part_folder(const fs::path& whole) { return whole / part_name; }

std::optional<fs::path> run_added_to(const fs::path& out, bool resumed) {
  if (resumed && out.filename() != part_name) return std::nullopt;
  const fs::path whole = resumed ? out.parent_path() : out;
  std::error_code error;
  return fs::exists(whole / "finished.jsonl", error) ? std::optional(whole) : std::nullopt;
}

void check_addable(const fs::path& whole, const std::vector<Cell>& cells, const RunIdentity& now) {
  const auto refuse = [&whole](const std::string& why) {
    throw UserError(whole.string() + " holds a run already, " + why + "; give another --out");
  };
  const RunJournal journal = RunJournal::open(whole, "run", true);
  const json record = record_in(whole), there = record.value("cells", json::array());
  for (const Cell& cell : cells) {
    if (std::ranges::find(there, json(cell)) != there.end()) refuse("which has measured " + to_string(cell));
  }
  for (const auto& [name, digest] : now.traces.items())
    if (journal.identity().traces.value(name, digest) != digest) refuse("with another trace that is called " + name);
  if (journal.identity().machine != now.machine) refuse("of another machine");
  if (record.at("commit") != now.build.at("commit")) refuse("by another commit of slidebench");
}

void join_part(const fs::path& whole) {
  const FolderLock lock(whole);
  const fs::path folder = part_folder(whole);
  RunJournal journal = RunJournal::open(whole, "run", true);
  const RunJournal added = RunJournal::open(folder, "run", true);
  const auto by = static_cast<unsigned>(journal.process_runs().size());
  fs::create_directory(folder / joined_name);  // a full disk is met there, with nothing changed
  std::map<unsigned, RowDigest> digests;
  join_table(whole, "summary.csv", std::nullopt, by);
  join_table(whole, "correlations.csv", std::nullopt, by);
  join_table(whole, "process_runs.csv", 8, by);
  join_table(whole, "counters.csv", 0, by);
  join_table(whole, "samples.csv", 0, by,
             [&digests](const std::string& row) { digests[parse_sample(row).process_run].add(row); });
  const json part = record_in(folder);
  write_file(folder / joined_name / "run.json", joined_records(record_in(whole), part, by).dump(2) + "\n",
             Durability::synced);
  std::vector<ProcessRunRecord> records = added.process_runs();
  for (ProcessRunRecord& record : records) {
    record.process_run += by;
    for (EventCount& count : record.counts) count.process_run += by;
    digests[record.process_run].close(record);
  }
  journal.add(origin_of(part), std::move(records));
  for (const fs::directory_entry& file : fs::directory_iterator(folder / joined_name))
    fs::rename(file.path(), whole / file.path().filename());
  fs::remove_all(folder);
}

}  // namespace slidebench
