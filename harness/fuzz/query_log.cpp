// SPDX-License-Identifier: MIT
//
// Logs of queries: refused in one line, or grouped into nodes that a trace can hold, with their pieces if the log tells
// them.
#include "harness/import/query_log.hpp"

#include <nlohmann/json.hpp>

#include "harness/fuzz/fuzz_input.hpp"
#include "harness/import/log_grouping.hpp"
#include "harness/trace/writer.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace slidebench;
  std::uint64_t queries = 0;
  TraceWriter writer("/dev/null");
  LogGrouping grouping(2, [&](Bitboard occupied, NodeTag tag, const SliderSets& sliders,
                              std::span<const QueryCode> asked, const PieceEvent& pieces) {
    writer.add_node(occupied, tag, sliders, asked, pieces);
    queries += asked.size();
  });
  try {
    const fuzz::MemoryFile file(fuzz::text_of(data, size));
    QueryLog log(file.path());
    // A small file can unpack to more than anyone would wait for.
    constexpr int enough_records = 1 << 20;
    for (int i = 0; i < enough_records; ++i) {
      const auto record = log.next();
      if (!record) break;
      grouping.add(*record);
    }
    grouping.end_log();
    fuzz::require(queries + grouping.counts().merged == grouping.counts().queries);
    writer.finish(nlohmann::json::object());
  } catch (const std::runtime_error& error) {  // a UserError or a PieceFault
    fuzz::require(std::string(error.what()).find('\n') == std::string::npos);
  }
  return 0;
}
