// SPDX-License-Identifier: MIT
#include "extras/model/predict/predicted_table.hpp"

#include "harness/base/csv_table.hpp"

namespace slidebench {
namespace {

using enum CellKind;
using enum Need;

template <auto member>
constexpr Column<PredictedRow> figure(const char* name, Need need, const char* meaning) {
  return {name, any, need, meaning, [](const PredictedRow& r) { return significant(r.*member); }};
}

constexpr CsvTable predicted{
    "predicted.csv", "a method in a cell: what the time model says, of `slidebench predict`",
    std::to_array<Column<PredictedRow>>({
        {"method", text, needed, "the method's id", [](const PredictedRow& r) { return r.method; }},
        {"trace", text, needed, "which queries", [](const PredictedRow& r) { return r.trace; }},
        {"workload", text, needed, "throughput or latency", [](const PredictedRow& r) { return r.workload; }},
        {"kinds", text, optional, "of the queries", [](const PredictedRow&) { return std::string("all"); }},
        {"pressure", text, needed, "what is done between two queries",
         [](const PredictedRow& r) { return r.pressure; }},
        {"pages", text, needed, "under the large tables: 4k or 2m", [](const PredictedRow& r) { return r.pages; }},
        {"corunners", any, optional, "none", [](const PredictedRow&) { return std::string("0"); }},
        figure<&PredictedRow::median>("predicted_ns", needed, "time per query"),
        figure<&PredictedRow::low>("predicted_low", needed, "the same with the ladder's first quartiles"),
        figure<&PredictedRow::high>("predicted_high", needed, "the same with its third quartiles"),
        figure<&PredictedRow::ahead_ns>("ahead_ns", optional, "reads that do not wait for the occupancy"),
        figure<&PredictedRow::chain_ns>("chain_ns", optional, "reads that do"),
        figure<&PredictedRow::missing_reads>("missing_reads", optional, "a query, beyond the first level"),
        figure<&PredictedRow::computed_ns>("computed_ns", needed,
                                           "time per query with everything in the first level, measured"),
        figure<&PredictedRow::instructions>("instructions_per_query", optional, "executed"),
        figure<&PredictedRow::mispredicted>("mispredicted_per_query", optional, "branches, by a simulated predictor"),
        figure<&PredictedRow::misprediction_ns>("misprediction_ns", optional, "what one costs, measured"),
        figure<&PredictedRow::reads_in_flight>("reads_in_flight", optional, "at once beyond the first level"),
        figure<&PredictedRow::window_instructions>("window_instructions", optional, "in flight"),
    })};

}  // namespace

std::string predicted_csv(const std::vector<PredictedRow>& rows) { return predicted.lines(rows); }

TableText predicted_columns() { return predicted.describe(); }

}  // namespace slidebench
