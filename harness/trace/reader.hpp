// SPDX-License-Identifier: MIT
//
// Opens a trace for replay. What has been opened has been checked, so replay needs no checks.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "harness/trace/block.hpp"
#include "harness/trace/trace_file.hpp"

namespace slidebench {

/// The members of a trace's provenance that are read somewhere, as check_json() takes them. Each kind of trace has
/// some.
inline constexpr const char* provenance_schema = R"({
  "kind?": "text", "name?": "text", "recipe?": "text", "slidebench?": "text", "pgn_extract?": "text",
  "sources?": [{"name": "text", "sha256?": "text|null", "bytes?": "whole|null"}],
  "games?": "whole", "plies?": "whole", "rejected?": "whole", "empty?": "whole", "positions?": "whole",
  "nodes?": "whole", "seed?": "whole|null", "depth?": "whole",
  "search?": {"nodes?": "whole", "evaluations?": "whole", "visits?": "whole", "callers?": {"*": "whole"}}
})";

/// A trace in memory. Moving it leaves the views that blocks() has given valid; destroying it ends them.
class Trace {
 public:
  /// Maps a raw trace file, or decompresses a Zstandard one, and verifies it: size, version, digest, and then every
  /// block, so that no file, not even one with a forged digest, can lead a replay out of bounds.
  /// @throws UserError  one line on what is wrong with the file
  static Trace open(const std::string& path);

  /// To be asked once its blocks have been used: a file that somebody has written into meanwhile is not what was
  /// checked.
  /// @throws UserError
  void check_unchanged() const;

  /// The blocks in order; each has at least one node.
  std::span<const TraceBlock> blocks() const { return blocks_; }

  std::uint64_t nodes() const { return file_.header.nodes; }
  std::uint64_t queries() const { return file_.header.all_queries(); }
  std::uint64_t queries(QueryKind kind) const { return file_.header.queries[static_cast<std::size_t>(kind)]; }

  /// Whether any node has sliders: without them there is nothing to replay set-wise.
  bool has_sliders() const { return has_sliders_; }

  /// Whether it tells the pieces: what workloads of stores need.
  bool has_pieces() const { return has_pieces_; }

  /// The digest as 16 hexadecimal digits: what a result names as the trace it was measured on.
  std::string digest_hex() const;

  /// Where the trace comes from: a JSON object, see game_trace.hpp, random_trace.hpp and log_import.hpp.
  const nlohmann::json& provenance() const { return provenance_; }

  /// Bytes of the whole trace, uncompressed.
  std::uint64_t bytes() const { return file_.bytes.bytes().size(); }

 private:
  Trace() = default;

  std::string path_;
  TraceFile file_;
  std::vector<TraceBlock> blocks_;
  bool has_sliders_ = false;
  bool has_pieces_ = false;
  nlohmann::json provenance_;
};

}  // namespace slidebench
