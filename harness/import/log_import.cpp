// SPDX-License-Identifier: MIT
#include "harness/import/log_import.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "harness/base/errors.hpp"
#include "harness/base/text.hpp"
#include "harness/base/text_output.hpp"
#include "harness/trace/writer.hpp"

namespace slidebench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t longest_name = 64;

bool fits_a_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}

/// Refuses what can be refused before anything is written.
void check(const std::vector<std::string>& logs, const std::string& out, const LogImportOptions& options) {
  for (const std::string& log : logs) {
    std::error_code error;
    if (fs::is_directory(log, error)) throw UserError(log + " is a directory; name the logs in it");
    if (fs::equivalent(log, out, error)) throw UserError(log + " is both input and output; choose another output");
  }
  if (!options.name.empty() && !is_trace_name(options.name)) {
    throw UserError(fmt::format("'{}' is no name for a trace; use letters, digits, _, - and ., at most {}",
                                options.name, longest_name));
  }
}

class LogImporter {
 public:
  LogImporter(const std::vector<std::string>& logs, const std::string& out, const LogImportOptions& options,
              const ImportProgressFn& progress)
      : logs_(logs),
        options_(options),
        progress_(progress),
        writer_(out),
        grouping_(options.merge_both, [this](Bitboard occupied, NodeTag tag, const SliderSets& sliders,
                                             std::span<const QueryCode> queries, const PieceEvent& pieces) {
          writer_.add_node(occupied, tag, sliders, queries, pieces);
          report_.nodes += (tag & continued_flag) == 0;
        }) {
    report_.name = options.name.empty() ? trace_name_of(out) : options.name;
  }

  ImportReport run() {
    for (const std::string& log : logs_) {
      if (report_.limit_reached) break;
      read(log);
    }
    report_.counts = grouping_.counts();
    report_.has_pieces = grouping_.has_pieces();
    report_.queries = writer_.queries();
    if (report_.queries == 0) {
      throw UserError("no query in " + joined(report_.logs, ", ", &ImportedLog::name) + "; record one that searches");
    }
    writer_.finish(provenance());
    return report_;
  }

 private:
  void read(const std::string& path) {
    QueryLog log(path);
    const std::uint64_t before = grouping_.counts().queries;
    while (const auto record = log.next()) {
      const bool is_full = options_.limit != 0 && grouping_.counts().queries >= options_.limit;
      if (is_full && is_query(record->event)) {
        report_.limit_reached = true;
        break;
      }
      add(log, *record);
      if (is_query(record->event)) show_progress();
    }
    grouping_.end_log();
    report_.logs.push_back({.name = source_name(path),
                            .sha256 = report_.limit_reached ? "" : log.sha256(),
                            .bytes = log.bytes(),
                            .queries = grouping_.counts().queries - before,
                            .cut_off = log.cut_off()});
  }

  void add(const QueryLog& log, const LogRecord& record) {
    if (!options_.pieces && tells_pieces(record.event)) return;
    try {
      grouping_.add(record);
    } catch (const PieceFault& fault) {
      log.refuse(std::string(fault.what()) + "; record it again, or import it with --no-pieces");
    }
  }

  void show_progress() const {
    constexpr std::uint64_t queries_between_reports = 1 << 20;
    const std::uint64_t queries = grouping_.counts().queries;
    if (progress_ && queries % queries_between_reports == 0) progress_(queries);
  }

  std::string recipe() const {
    std::string command = "slidebench trace import";
    if (options_.limit != 0) command += " --limit " + std::to_string(options_.limit);
    if (!options_.pieces) command += " --no-pieces";
    command += " --merge-both " + std::to_string(options_.merge_both) + " --name " + report_.name;
    for (const std::string& log : logs_) command += " " + (log == "-" ? log : source_name(log));
    return command;
  }

  json sources() const {
    json list = json::array();
    for (const ImportedLog& log : report_.logs) {
      list.push_back({{"name", log.name},
                      {"sha256", log.sha256.empty() ? json(nullptr) : json(log.sha256)},
                      {"bytes", log.sha256.empty() ? json(nullptr) : json(log.bytes)},
                      {"queries", log.queries},
                      {"cut_off", log.cut_off}});
    }
    return list;
  }

  json provenance() const {
    const GroupingCounts& counts = report_.counts;
    return {{"kind", "import"},
            {"name", report_.name},
            {"sources", sources()},
            {"pieces", report_.has_pieces},
            {"limit", options_.limit == 0 ? json(nullptr) : json(options_.limit)},
            {"merge_both", options_.merge_both},
            {"merged", counts.merged},
            {"dropped", counts.dropped},
            {"occupancy_changes", counts.occupancy_changes},
            {"unknown_occupancies", counts.unknown_occupancies},
            {"search",
             {{"evaluations", counts.evaluations},
              {"visits", grouping_.calls_per_visit().size()},
              {"calls_per_visit", quantiles_of(grouping_.calls_per_visit())}}},
            {"recipe", recipe()},
            {"slidebench", SLIDEBENCH_VERSION}};
  }

  const std::vector<std::string>& logs_;
  const LogImportOptions& options_;
  const ImportProgressFn& progress_;
  TraceWriter writer_;
  LogGrouping grouping_;
  ImportReport report_;
};

}  // namespace

ImportReport import_logs(const std::vector<std::string>& logs, const std::string& out, const LogImportOptions& options,
                         const ImportProgressFn& progress) {
  check(logs, out, options);
  return LogImporter(logs, out, options, progress).run();
}

std::string trace_name_of(const std::string& path) {
  const std::string file = fs::path(path).filename().native();
  std::string_view stem = file;
  for (const std::string_view ending : {".zst", ".trace"}) {
    if (stem.size() > ending.size() && stem.ends_with(ending)) stem.remove_suffix(ending.size());
  }
  std::string name(stem.substr(0, longest_name));
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !fits_a_name(c); }, '_');
  return name.empty() ? "import" : name;
}

bool is_trace_name(std::string_view name) {
  return !name.empty() && name.size() <= longest_name && std::all_of(name.begin(), name.end(), fits_a_name);
}

}  // namespace slidebench
