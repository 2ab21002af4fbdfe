// SPDX-License-Identifier: MIT
//
// Lines touched between attack queries.
#include "harness/import/calibration.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/engine/fen.hpp"
#include "harness/engine/network.hpp"
#include "harness/engine/run_engine.hpp"
#include "harness/engine/search_memory.hpp"
#include "harness/engine/test_positions.hpp"
#include "methods/calculation/hyperbola.hpp"

namespace slidebench::engine {
namespace {

enum LineKind : std::size_t { hash, board, moves, history, tables, accumulators, rows, layers };

const std::vector<PositionState> three_positions{parse_fen(rich_fen), parse_fen(promotion_fen),
                                                 parse_fen(start_position)};
const CalibrationOptions small{.depth = 5, .max_nodes = 500, .hash_clusters = 1 << 10};

CalibrationRow row_of(unsigned network, bool threats) {
  return calibrate(three_positions, {"row", network, threats}, small);
}

TEST(calibration, counts_what_the_search_does) {
  for (const unsigned width : {0u, 128u}) {
    const CalibrationRow row = row_of(width, false);
    const SearchMemory memory(width, false, small.hash_clusters);
    SearchRequest request = memory.request(small.depth, small.max_nodes);
    request.positions = three_positions.data();
    request.count = three_positions.size();
    const SearchResult result = run_search<Hyperbola>(request);
    EXPECT_EQ(row.evaluations, result.evaluations);
    EXPECT_LE(row.nodes, result.nodes);  // drawn nodes are not probed
    EXPECT_GT(row.nodes, result.nodes * 9 / 10);
    EXPECT_GT(row.queries, row.nodes);
  }
}

TEST(calibration, lines_have_the_sizes_of_their_structures) {
  const CalibrationRow row = row_of(256, true);
  EXPECT_LE(row.kinds[hash].distinct, small.hash_clusters);
  EXPECT_LE(row.kinds[history].distinct, 2u * 64 * 64 * 2 / 64);
  EXPECT_LE(row.kinds[accumulators].distinct, accumulator_bytes(256) / 64);
  EXPECT_LE(row.kinds[layers].distinct, 2u * 256 * 16 / 64 + 12);
  EXPECT_LE(row.kinds[rows].distinct, std::uint64_t{piece_rows} * 256 * 2 / 64 + std::uint64_t{threat_rows} * 256 / 64);
  EXPECT_EQ(row.kinds[tables].distinct, 0u);
  // Both accumulators are read at every evaluation: eight lines each.
  EXPECT_GE(row.kinds[accumulators].per_interval, 16);
  std::uint64_t distinct = 0;
  for (const CalibrationRow::Kind& kind : row.kinds) distinct += kind.distinct;
  EXPECT_EQ(row.distinct, distinct);
}

TEST(calibration, the_classical_evaluation_has_no_network) {
  const CalibrationRow row = row_of(0, false);
  for (const LineKind kind : {accumulators, rows, layers}) EXPECT_EQ(row.kinds[kind].distinct, 0u);
  EXPECT_EQ(row.network_evaluation.max, 0u);
  EXPECT_GT(row.kinds[tables].per_interval, 1);
  EXPECT_GT(row.per_node.mean, 4);  // the board alone
  EXPECT_GT(row.kinds[history].distinct, 0u);
}

TEST(calibration, agrees_with_what_the_search_reports_of_its_network) {
  const CalibrationRow row = row_of(1024, false);
  double lines = 0;
  for (const LineKind kind : {accumulators, rows, layers}) lines += row.kinds[kind].per_interval;
  // The search counts touches, the calibration different lines: fewer, but not many fewer without threats.
  EXPECT_LE(lines, row.network_evaluation.mean * 1.1);
  EXPECT_GE(lines, row.network_evaluation.mean * 0.8);
}

TEST(calibration, wider_networks_and_threats_touch_more) {
  const CalibrationRow narrow = row_of(256, false);
  const CalibrationRow wide = row_of(1024, false);
  const CalibrationRow threats = row_of(1024, true);
  EXPECT_GT(wide.per_interval.mean, 3 * narrow.per_interval.mean);
  EXPECT_GT(threats.per_interval.mean, wide.per_interval.mean);
  EXPECT_GT(threats.queries, wide.queries);
  EXPECT_EQ(to_json(row_of(1024, true)), to_json(threats));
}

TEST(calibration, the_table_names_forms_and_presets) {
  const std::string text = calibration_text({row_of(0, false)});
  for (const char* word : {"row", "light", "768@8M/eval", "median", "layers"}) {
    EXPECT_NE(text.find(word), std::string::npos) << word;
  }
}

}  // namespace
}  // namespace slidebench::engine
