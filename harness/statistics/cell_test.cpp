// SPDX-License-Identifier: MIT
#include "harness/statistics/cell.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "harness/statistics/test_samples.hpp"
#include "harness/trace/test_support.hpp"

namespace slidebench {
namespace {

const CellText good[] = {
    {"throughput", "all", "search", "isolated", "4k", 0},
    {"latency", "both", "game", "768@8M/eval/rows+192/query", "2m", 3},
    {"batch", "1-slider", "search", "net1024", "4k", 0},
    {"batch", "6-sliders", "search", "lukewarm", "4k", 0},
    {"engine", "all", "net0", "isolated", "4k", 0},
    {"engine", "all", "net256-threats-batch", "isolated", "2m", 1},
    {"perft", "all", "positions", "isolated", "4k", 0},
    {"perft_cold", "all", "positions", "isolated", "4k", 0},
    {"duel", "all", "nodes1000", "isolated", "4k", 0},
};

TEST(Cell, NamesMakeItsPartsAndComeBack) {
  for (const CellText& text : good) {
    const Cell cell = cell_of(text);
    EXPECT_EQ(nlohmann::json(cell), nlohmann::json(text));
    EXPECT_EQ(nlohmann::json(text).get<Cell>(), cell);
    for (const CellText& other : good) EXPECT_EQ(cell_of(other) == cell, &other == &text);
  }
  EXPECT_EQ(cell_of(good[3]).replay()->sliders, 6u);
  EXPECT_EQ(cell_of(good[1]).replay()->kind, QueryKind::both);
  EXPECT_EQ(cell_of(good[1]).replay()->pressure.parts.front().lines, 768u);
  EXPECT_EQ(cell_of(good[5]).search()->form.net, 256u);
  EXPECT_TRUE(cell_of(good[5]).search()->form.threats);
  EXPECT_FALSE(cell_of(good[6]).perft()->cold);
  EXPECT_TRUE(cell_of(good[7]).perft()->cold);
}

TEST(Cell, OtherNamesAreRefused) {
  for (const char* kinds :
       {"", "sliders", "0-sliders", "33-sliders", "1-sliders", "2-sliders ", "-1-sliders", "bishop"})
    EXPECT_THROW(cell_of({.workload = "batch", .kinds = kinds, .trace = "search"}), UserError) << kinds;
  EXPECT_THROW(cell_of({.workload = "throughput", .kinds = "knight", .trace = "search"}), UserError);
  EXPECT_THROW(cell_of({.workload = "throughput", .trace = "search", .pressure = "some"}), UserError);
  EXPECT_THROW(cell_of({.workload = "thru", .trace = "search"}), UserError);
  EXPECT_THROW(cell_of({.workload = "engine", .kinds = "both", .trace = "net0"}), UserError);
  EXPECT_THROW(cell_of({.workload = "engine", .trace = "net0", .pressure = "nnue"}), UserError);
  EXPECT_THROW(cell_of({.workload = "perft", .trace = "search"}), UserError);
  for (const char* form : {"", "net", "net100", "net0-threats", "net256-", "net256-batch-threats", "net16384"})
    EXPECT_THROW(cell_of({.workload = "engine", .trace = form}), UserError) << form;
}

TEST(Sample, SurvivesTheCsv) {
  Sample s = sample_of("pext", ContenderRole::method, 2, 17, 2.4);
  s.position = 5;
  s.placement = 2;
  s.cell = cell_of({"latency", "both", "search", "768@8M/eval/rows", "2m", 3});
  s.nodes = 77;
  s.segment = 3;
  s.checksum = 0xFEDCBA9876543210;
  s.involuntary_switches = 4;
  s.steal_ticks = 1;
  const Sample back = parse_sample(to_csv(s));
  EXPECT_EQ(to_csv(back), to_csv(s));
  EXPECT_EQ(back.checksum, s.checksum);
  EXPECT_EQ(back.role, ContenderRole::method);
  EXPECT_EQ(back.cell, s.cell);
  s.steal_ticks.reset();
  EXPECT_FALSE(parse_sample(to_csv(s)).steal_ticks.has_value());
}

/// A row of samples.csv with one cell, named by its column, replaced.
std::string row_with(const std::string& column, const std::string& value) {
  Sample sample = sample_of("pext", ContenderRole::method, 0, 0, 1.2345);
  sample.steal_ticks = 0;
  std::istringstream names(sample_csv_header()), values(to_csv(sample));
  std::string row, name, cell;
  while (std::getline(names, name, ',') && std::getline(values, cell, ','))
    row += (row.empty() ? "" : ",") + (name == column ? value : cell);
  return row;
}

void expect_refused(const std::string& column, const std::vector<std::string>& values) {
  for (const std::string& value : values) {
    SCOPED_TRACE(column + " " + value);
    test::expect_complaint("not a sample", [&] { parse_sample(row_with(column, value)); });
  }
}

TEST(Sample, RefusesWhatIsNoWholeNumberInItsRangeAndWhatIsNoRow) {
  for (const char* column :
       {"process_run", "round", "position", "placement", "corunners", "segment", "queries", "nodes", "time_ns",
        "checksum", "involuntary_switches", "minor_faults", "major_faults", "steal_ticks"}) {
    expect_refused(column, {"-1", "nan", "12abc", "inf", "-0", "1e", " 1", "+1", "abc"});
    if (std::string(column) != "steal_ticks") expect_refused(column, {""});
  }
  EXPECT_EQ(parse_sample(row_with("queries", "18446744073709551615")).queries, UINT64_MAX);
  expect_refused("process_run", {"4294967296"});
  expect_refused("queries", {"18446744073709551616", "1.5"});
  expect_refused("time_ns", {"1" + std::string(400, '0'), "0.0"});
  expect_refused("checksum", {"0x", "0x-1", "0x12345678901234567"});
  for (const std::string& row : {std::string(), std::string("1,2,3"), sample_csv_header()})
    EXPECT_THROW(parse_sample(row), UserError) << row;
}

}  // namespace
}  // namespace slidebench
