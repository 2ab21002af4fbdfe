// SPDX-License-Identifier: MIT
#include "harness/statistics/cell.hpp"

#include <gtest/gtest.h>

#include "harness/base/errors.hpp"

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

TEST(Cell, NamesMakeItAndComeBack) {
  for (const CellText& text : good) {
    const Cell cell = cell_of(text);
    EXPECT_EQ(nlohmann::json(cell), nlohmann::json(text));
    EXPECT_EQ(nlohmann::json(text).get<Cell>(), cell);
    for (const CellText& other : good) EXPECT_EQ(cell_of(other) == cell, &other == &text);
  }
}

TEST(Cell, HasPartsOfItsOwn) {
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

}  // namespace
}  // namespace slidebench
