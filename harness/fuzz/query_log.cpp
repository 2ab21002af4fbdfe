// SPDX-License-Identifier: MIT
//
// Logs of queries, text and binary: refused in one line, or grouped into nodes that a trace can hold.
#include "harness/import/query_log.hpp"

#include "harness/base/errors.hpp"
#include "harness/fuzz/fuzz_input.hpp"
#include "harness/import/log_grouping.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace slidebench;
  std::uint64_t queries = 0;
  LogGrouping grouping(2, [&queries](Bitboard, NodeTag tag, std::span<const QueryCode> asked) {
    fuzz::require((tag & ~known_tag_bits) == 0);
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
  } catch (const UserError& error) {
    fuzz::require(std::string(error.what()).find('\n') == std::string::npos);
  }
  return 0;
}
