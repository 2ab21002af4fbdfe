// SPDX-License-Identifier: MIT
#include "extras/model/ladder/latency_ladder.hpp"
#include "harness/base/csv_table.hpp"

namespace slidebench {
namespace {

using enum CellKind;
using enum Need;

constexpr CsvTable ladder{
    "ladder.csv", "a size and kind of page, of `slidebench ladder --format csv`",
    std::to_array<Column<LadderStep>>({
        {"bytes", positive, needed, "read between two reads of a line",
         [](const LadderStep& s) { return std::to_string(s.bytes); }},
        {"pages", text, needed, "4k or 2m", [](const LadderStep& s) { return s.pages; }},
        {"large_page_share", count, needed, "of the memory that lay on 2 MiB pages, as the kernel says",
         [](const LadderStep& s) { return decimals(s.large_share, 3); }},
        {"chases", any, optional, "passes that were timed",
         [](const LadderStep& s) { return std::to_string(s.chases); }},
        {"loads_per_chase", any, optional, "loads of a pass",
         [](const LadderStep& s) { return std::to_string(s.loads); }},
        {"lines_between", any, optional, "lines read between two reads of one",
         [](const LadderStep& s) { return std::to_string(s.lines_between); }},
        {"pages_between", any, optional, "pages read between two reads of one",
         [](const LadderStep& s) { return std::to_string(s.pages_between); }},
        {"ns_per_load", positive, needed, "median over passes",
         [](const LadderStep& s) { return decimals(s.median_ns, 4); }},
        {"ns_per_load_q1", positive, needed, "first quartile",
         [](const LadderStep& s) { return decimals(s.low_ns, 4); }},
        {"ns_per_load_q3", positive, needed, "third quartile",
         [](const LadderStep& s) { return decimals(s.high_ns, 4); }},
    })};

}  // namespace

std::string ladder_csv(const std::vector<LadderStep>& steps) { return ladder.lines(steps); }

TableText ladder_columns() { return ladder.describe(); }

}  // namespace slidebench
