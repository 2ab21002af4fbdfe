// SPDX-License-Identifier: MIT
#include "harness/run/process.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <iostream>
#include <iterator>
#include <random>

#include "harness/base/errors.hpp"
#include "harness/base/json_schema.hpp"
#include "harness/base/self_process.hpp"
#include "harness/platform/cpu_binding.hpp"
#include "harness/plugin/crash_report.hpp"
#include "harness/plugin/loader.hpp"
#include "harness/run/corunner.hpp"

namespace slidebench {

using nlohmann::json;

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(NamedTrace, name, path)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Metric, name, candidates)
inline void to_json(json& to, const RunModule& module) {
  to = {{"path", module.path}, {"role", to_string(module.role)}};
}
inline void from_json(const json& from, RunModule& module) { module = {from.at("path"), parse_role(from.at("role"))}; }
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ProcessRunPlan, process_run, rounds, first_round, methods_per_round, sample_ms,
                                   warm_up_ms, seed, segment_queries, modules, traces, cells, without, engine, events)

// What comes back, in the forms that the pipe and the journal share.
static void to_json(json& to, const EventCount& c) {
  to = {{"process_run", c.process_run}, {"contender", c.contender},   {"role", to_string(c.role)},
        {"method", c.method},           {"level", c.level},           {"cell", c.cell},
        {"queries", c.queries},         {"nodes", c.nodes},           {"metric", c.reading.metric},
        {"event", c.reading.event},     {"source", c.reading.source}, {"value", c.reading.value.value_or(0)}};
}

static void from_json(const json& from, EventCount& c) {
  c = {.process_run = from.at("process_run"),
       .contender = from.at("contender"),
       .role = parse_role(from.at("role")),
       .method = from.at("method"),
       .level = from.at("level"),
       .cell = from.at("cell").get<CellText>(),
       .queries = from.at("queries"),
       .nodes = from.at("nodes"),
       .reading = {from.at("metric"), from.at("event"), from.at("source"), from.at("value").get<std::uint64_t>()}};
}

void to_json(json& to, const PageReport& report) {
  to = {{"contender", report.contender},
        {"pages", report.pages},
        {"bytes", report.tables.bytes},
        {"large_page_bytes", report.tables.large_bytes}};
}

static void from_json(const json& from, PageReport& report) {
  report = {from.at("contender"), from.at("pages"), {from.at("bytes"), from.at("large_page_bytes")}};
}

void RowDigest::add(const std::string& row) {
  digest_.add(row.data(), row.size());
  digest_.add("\n", 1);
  ++rows_;
}

void RowDigest::close(ProcessRunRecord& record) {
  record.samples = rows_;
  record.sha256 = digest_.hex();
}

json to_json(const ProcessRunRecord& record) {
  json line = {{"process_run", record.process_run},
               {"seconds", record.seconds},
               {"counts", record.counts},
               {"pages", record.pages}};
  if (!record.missing.empty()) line["missing"] = record.missing;
  if (!record.turns.empty()) line["turns"] = record.turns;
  line["samples"] = record.samples;
  line["sha256"] = record.sha256;
  return line;
}

/// What the pipe and the journal may hold.
constexpr const char* record_schema = R"({
  "@count": {"process_run": "count", "contender": "text",
             "role": "=method|=reference|=twin|=second_twin|=empty|=control|=twice|=clock", "method": "text", "level": "text",
             "cell": {"workload": "text", "kinds": "text", "trace": "text", "pressure": "text", "pages": "text", "corunners": "count"},
             "queries": "whole", "nodes": "whole", "metric": "text", "event": "text", "source": "text", "value": "whole"},
  "@pages": {"contender": "text", "pages": "text", "bytes": "whole", "large_page_bytes": "whole"},
  "process_run": "count", "seconds": "number", "counts": ["@count"], "pages": ["@pages"], "missing?": "text",
  "turns?": {"*": {"*": "count"}}, "samples": "whole", "sha256": "text"
})";

ProcessRunRecord read_process_run_record(const std::string& text, const std::string& what) {
  const json line = parse_json(text, what);
  check_json(line, json::parse(record_schema), what);
  return {line.at("process_run"),
          line.at("seconds"),
          line.at("counts").get<std::vector<EventCount>>(),
          line.at("pages").get<std::vector<PageReport>>(),
          line.value("missing", ""),
          line.value("turns", TurnCounts{}),
          line.at("samples"),
          line.at("sha256")};
}

/// A line of the pipe, into which a method may have printed too.
static json read_line(const std::string& text, const char* kind) {
  const std::string what = "what a measuring process printed is no result of it";
  json line = parse_json(text, what);
  check_json(line, json::parse(record_schema).at(kind), what);
  return line;
}

ProcessRunRecord run_process(const ProcessRunPlan& plan, double limit_seconds,
                             const std::function<void(const Sample&, const std::string& row)>& on_sample,
                             const std::atomic<bool>& stop) {
  ProcessRunRecord record{plan.process_run, 0, {}, {}, {}};
  const auto start = std::chrono::steady_clock::now();
  const auto beside = start_corunners(plan.cells.front().corunners);
  std::mt19937_64 random(plan.seed * 77 + plan.process_run);
  const std::string padding = "SLIDEBENCH_PADDING=" + std::string(random() % 4096, 'x');
  RowDigest rows;
  std::string failure;
  int failure_status = 0;
  bool done = false;
  const auto take_line = [&](const std::string& line) {
    const std::size_t space = line.find(' ');
    const std::string kind = line.substr(0, space);
    const std::string rest = space == std::string::npos ? "" : line.substr(space + 1);
    if (kind == "sample") {
      on_sample(parse_sample(rest), rest);
      rows.add(rest);
    }
    if (kind == "count") record.counts.push_back(read_line(rest, "@count").get<EventCount>());
    if (kind == "pages") record.pages.push_back(read_line(rest, "@pages").get<PageReport>());
    if (kind == "done") done = true;
    if (kind == "failed") {
      failure_status = rest[0] - '0';
      failure = rest.substr(2);
    }
  };
  const ChildEnd end = run_self({"run-process"}, padding, json(plan).dump(), take_line, stop, limit_seconds);
  if (failure_status == 1) throw CheckFailed(failure);
  if (failure_status != 0) throw UserError(failure);
  if (end.status != 0 || !done) record.missing = describe_end(end, limit_seconds);
  rows.close(record);
  record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return record;
}

namespace {

/// The last line of a measuring process that crashed. Calls nothing that a signal handler must not call.
void report_crash(int signal, siginfo_t* info, void*) {
  if (const char* file = cut_off_file(signal, info)) {
    write_parts(STDOUT_FILENO, {"failed 2 trace ", file, cut_off_text, "\n"});
    _exit(2);
  }
  const char* contender = contender_under_way();
  const char* name = sigdescr_np(signal);
  write_parts(STDOUT_FILENO, {"failed 1 ", contender != nullptr ? contender : "the measuring process",
                              " crashed while it was measured: ", name != nullptr ? name : "signal", "\n"});
  _exit(1);
}

void print_failure(int status, std::string what) {
  std::replace(what.begin(), what.end(), '\n', ' ');
  std::cout << "failed " << status << ' ' << what << std::endl;
}

}  // namespace

void serve_process() {
  bind_to_measuring_cpu();
  on_crash(report_crash);
  limit_loading(0);  // a process run has a limit of its own
  const std::atomic<bool>& stop = stop_on_interrupt();
  const std::string input{std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
  const ProcessRunSink sink{
      .sample = [](const Sample& sample) { std::cout << "sample " << to_csv(sample) << std::endl; },
      .count = [](const EventCount& count) { std::cout << "count " << json(count).dump() << std::endl; },
      .pages = [](const PageReport& report) { std::cout << "pages " << json(report).dump() << std::endl; }};
  try {
    measure_process_run(json::parse(input).get<ProcessRunPlan>(), sink, stop);
    // A method may have ended the process by exit(), and a signal the measuring: neither is the end of the last round.
    if (!stop) std::cout << "done" << std::endl;
  } catch (const CheckFailed& error) {
    print_failure(1, error.what());
  } catch (const std::exception& error) {
    print_failure(2, error.what());
  }
}

}  // namespace slidebench
