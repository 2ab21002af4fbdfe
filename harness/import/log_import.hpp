// SPDX-License-Identifier: MIT
//
// The `import` trace: what an engine asked, from the logs that it wrote (extras/engines/README.md).
//
// The logs come one after the other; how their records become nodes: log_grouping.hpp. Without boards a log knows no
// sliders, so the slider sets of all nodes are empty, and the set-wise workload has nothing to replay.
//
// Provenance: {"kind": "import", "name", "sources": [{"name", "sha256"|null, "bytes"|null, "queries", "cut_off"}],
// "pieces", "limit"|null, "merge_both", "merged", "dropped", "occupancy_changes", "unknown_occupancies", "search":
// {"evaluations", "visits", "calls_per_visit": {"mean", "median", "p90", "p99", "max"}}, "recipe", "slidebench"}. A
// source that was not read to its end has no checksum and no size; "pieces" says whether they are told. A visit:
// log_grouping.hpp.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/import/log_grouping.hpp"

namespace slidebench {

struct LogImportOptions {
  std::uint64_t limit = 0;  ///< stop after so many recorded queries; 0 means no limit
  unsigned merge_both = 1;  ///< bishop and rook queries of a node and square, so far apart at most, become `both`
  bool pieces = true;       ///< take boards and moves over; else they count for nothing
  std::string name = {};    ///< of the trace; empty: the output file's
};

/// What was read of a log.
struct ImportedLog {
  std::string name;
  std::string sha256;  ///< empty if it was not read to its end
  std::uint64_t bytes = 0;
  std::uint64_t queries = 0;
  std::uint64_t cut_off = 0;  ///< bytes behind its last whole line
};

struct ImportReport {
  std::vector<ImportedLog> logs;
  GroupingCounts counts;
  std::uint64_t nodes = 0;     ///< without those that only continue the one before
  std::uint64_t queries = 0;   ///< in the trace
  bool has_pieces = false;     ///< the logs told them
  bool limit_reached = false;  ///< and something was left
  std::string name;            ///< of the trace
};

/// Called now and then with the queries so far. May be empty.
using ImportProgressFn = std::function<void(std::uint64_t queries)>;

/// Imports logs. The same logs and options give the same bytes. Memory does not grow with the logs.
/// @param logs  files, or "-" for standard input; plain or compressed, by content
/// @param out   the trace; compressed if the name ends in .zst; appears complete or not at all
/// @throws UserError  bad input, options or output, in one line
ImportReport import_logs(const std::vector<std::string>& logs, const std::string& out,
                         const LogImportOptions& options = {}, const ImportProgressFn& progress = {});

/// The name of a file without folder and ending, fit for tables and file names: letters, digits, '_', '-' and '.'.
std::string trace_name_of(const std::string& path);

/// Whether a name is fit for tables and file names: such characters, at most 64.
bool is_trace_name(std::string_view name);

}  // namespace slidebench
