// SPDX-License-Identifier: MIT
#include "harness/run/journal.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "harness/base/errors.hpp"
#include "harness/base/json_schema.hpp"
#include "harness/base/text_output.hpp"
#include "harness/base/version.hpp"
#include "harness/platform/machine.hpp"
#include "harness/run/record.hpp"

namespace slidebench {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RunIdentity, command, folder, started, build, machine, traces)

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* journal_name = "unfinished.jsonl";
constexpr const char* finished_name = "finished.jsonl";
constexpr const char* goes_on = "until_decided";
constexpr const char* of_part = "part";

constexpr const char* identity_schema = R"({
  "command": ["text"], "folder": "text", "started": "text",
  "build": "any", "machine": "any", "traces": {"*": "text"}
})";

void append_line(const fs::path& path, const json& line) {
  std::ofstream file(path, std::ios::app);
  file << line.dump() << '\n' << std::flush;
  if (!file) throw CannotWrite("cannot write " + path.string() + ": is the disk full?");
  file.close();
  sync_file(path);
}

/// Lines that end; the last one of a killed run may not.
std::vector<std::string> whole_lines(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line) && !file.eof();) lines.push_back(line);
  return lines;
}

/// Throws UserError unless the rows of a process run are those that its record counts.
void check_rows(const fs::path& path, const ProcessRunRecord& record, RowDigest& found) {
  ProcessRunRecord now{record.process_run, 0, {}, {}, {}};
  found.close(now);
  if (now.samples == record.samples && now.sha256 == record.sha256) return;
  throw UserError(
      fmt::format("{}: the {} rows of process run {} are not the {} that were measured; the run cannot be continued, "
                  "start a new one",
                  path.string(), now.samples, record.process_run, record.samples));
}

}  // namespace

RunIdentity identity_here(const std::vector<std::string>& command) {
  const json machine = describe_machine();
  json same = json::object();  // the kernel or the load may have changed
  for (const char* key : {"cpu", "family", "model", "stepping", "cores", "caches", "memory_bytes"})
    same[key] = machine.at(key);
  return {.command = command,
          .folder = fs::current_path().string(),
          .started = utc_now(),
          .build = {{"commit", git_commit()}, {"compiler", compiler_name()}},
          .machine = same,
          .traces = json::object()};
}

bool RunJournal::is_in(const fs::path& out) {
  std::error_code error;
  return fs::exists(out / journal_name, error);
}

RunJournal::RunJournal(const fs::path& out, RunIdentity identity)
    : path_(out / journal_name), identity_(std::move(identity)) {
  write_file(path_, json(identity_).dump() + "\n", Durability::synced);
}

RunJournal RunJournal::open(const fs::path& out, const std::string& command, bool until_decided) {
  const auto refuse = [&out](const std::string& why) { throw UserError("--resume " + out.string() + ": " + why); };
  if (!fs::is_directory(out)) refuse("no such folder");
  const bool finished = !is_in(out) && fs::exists(out / "run.json");
  if (!is_in(out) && !finished) refuse("holds no run of slidebench");
  if (finished && !fs::exists(out / finished_name))
    refuse(std::string("has no ") + finished_name + ", which a run keeps to be measured on; start a new run");
  RunJournal journal;
  journal.path_ = out / (finished ? finished_name : journal_name);
  const std::vector<std::string> lines = whole_lines(journal.path_);
  const std::string whole = joined(lines, "", [](const std::string& line) { return line + "\n"; });
  if (whole.size() != fs::file_size(journal.path_))
    write_file(journal.path_, whole, Durability::synced);  // killed while it was writing
  const std::string damaged =
      journal.path_.string() + ": is damaged, the run cannot be continued; start it again elsewhere; line ";
  const json identity = parse_json(lines.empty() ? "" : lines.front(), damaged + "1");
  check_json(identity, json::parse(identity_schema), damaged + "1");
  identity.get_to(journal.identity_);
  const std::vector<std::string>& words = journal.identity_.command;
  const std::string begun_by = words.size() < 2 ? "another program" : "slidebench " + words[1];
  if (begun_by != "slidebench " + command) refuse("was not begun by slidebench " + command + ", but by " + begun_by);
  if (finished && !until_decided) refuse("this run is finished; --time 10m measures on");
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const json line = parse_json(lines[i], damaged + std::to_string(i + 1));
    if (line.contains(goes_on)) {
      journal.until_decided_ = true;
    } else if (line.contains(of_part)) {
      journal.parts_.push_back(line.at(of_part));
    } else {
      journal.process_runs_.push_back(read_process_run_record(lines[i], damaged + std::to_string(i + 1)));
    }
  }
  journal.until_decided_ = journal.until_decided_ || finished;
  return journal;
}

void RunJournal::append(ProcessRunRecord record) {
  append_line(path_, slidebench::to_json(record));
  process_runs_.push_back(std::move(record));
}

void RunJournal::add(const json& origin, std::vector<ProcessRunRecord> records) {
  append_line(path_, {{of_part, origin}});
  for (ProcessRunRecord& record : records) append(std::move(record));
  parts_.push_back(origin);
}

void RunJournal::reopen() {
  if (path_.filename() != finished_name) return;
  const fs::path unfinished = path_.parent_path() / journal_name;
  fs::rename(path_, unfinished);
  path_ = unfinished;
  append_line(path_, {{goes_on, true}});
}

void RunJournal::finish() {
  std::error_code ignored;
  fs::rename(path_, path_.parent_path() / finished_name, ignored);
  sync_file(path_.parent_path());
}

void RunJournal::abandon() {
  std::error_code ignored;
  fs::remove(path_, ignored);
}

void RunJournal::check_same(const RunIdentity& now) const {
  const auto refuse = [this](const char* what) {
    throw UserError("--resume " + path_.parent_path().string() + ": was begun " + what + "; start a new run");
  };
  if (identity_.build != now.build) refuse("by another build of slidebench");
  if (identity_.machine != now.machine) refuse("on another machine");
  if (identity_.traces != now.traces) refuse("on other traces than those that are at their places now");
}

std::vector<Sample> recover_samples(const fs::path& out, const RunJournal& journal) {
  const fs::path path = out / "samples.csv";
  std::vector<std::string> lines = whole_lines(path);
  if (lines.empty() && journal.process_runs().empty()) lines = {sample_csv_header()};  // killed before its first line
  if (lines.empty() || lines.front() != sample_csv_header()) {
    throw UserError(path.string() + ": is not this run's; it cannot be continued");
  }
  std::map<unsigned, RowDigest> found;
  for (const ProcessRunRecord& record : journal.process_runs()) found[record.process_run];
  std::vector<Sample> samples;
  std::string kept = lines.front() + "\n";
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const Sample sample = parse_sample(lines[i]);
    const auto of_process_run = found.find(sample.process_run);
    if (of_process_run == found.end()) continue;
    of_process_run->second.add(lines[i]);
    kept += lines[i] + "\n";
    samples.push_back(sample);
  }
  for (const ProcessRunRecord& record : journal.process_runs()) check_rows(path, record, found.at(record.process_run));
  write_file(path, kept, Durability::synced);
  return samples;
}

}  // namespace slidebench
