// SPDX-License-Identifier: MIT
#include "harness/statistics/sample.hpp"

#include <fmt/core.h>

#include <cmath>
#include <sstream>
#include <string_view>
#include <vector>

#include "harness/base/enum_names.hpp"
#include "harness/base/errors.hpp"
#include "harness/statistics/cell_columns.hpp"

namespace slidebench {
namespace {

constexpr EnumName<ContenderRole> role_names[] = {
    {ContenderRole::method, "method"}, {ContenderRole::reference, "reference"},
    {ContenderRole::twin, "twin"},     {ContenderRole::second_twin, "second_twin"},
    {ContenderRole::empty, "empty"},   {ContenderRole::control, "control"},
    {ContenderRole::twice, "twice"},   {ContenderRole::clock, "clock"}};

/// Plain decimals, as they are written. Ratios are of logarithms, which 0 has none of.
double time_from(std::string_view cell) {
  const double time = whole_cell<double>(cell, std::chars_format::fixed);
  if (!std::isfinite(time) || time <= 0) throw UserError("a time of '" + std::string(cell) + "'");
  return time;
}

/// "0x" and hexadecimal digits.
std::uint64_t checksum_from(std::string_view cell) {
  if (!cell.starts_with("0x")) throw UserError("a checksum of '" + std::string(cell) + "'");
  return whole_cell<std::uint64_t>(cell.substr(2), 16);
}

using enum CellKind;
using enum Need;

constexpr CsvTable samples{
    "samples.csv", "a sample: a timed stretch of a contender",
    columns_of(
        std::array{
            whole_column<Sample, &Sample::process_run>("process_run", needed, any, "the process run"),
            whole_column<Sample, &Sample::round>("round", needed, any, "within it"),
            whole_column<Sample, &Sample::position>("position", optional, any,
                                                    "of the sample in its round; the order is drawn"),
            text_column<Sample, &Sample::contender>(
                "contender",
                "what was timed: a method's id (`method@level` at several levels), its `.twin`, `empty`, `clock`"),
            text_column<Sample, &Sample::method>("method", "the method's id; empty for the clock"),
            text_column<Sample, &Sample::level>("level", "the instruction set that its module was compiled for"),
            Column<Sample>{"role", text, needed,
                           "method, reference, twin, second_twin (the A/A control), empty (the loop without a method), "
                           "control, twice or clock",
                           [](const Sample& s) { return to_string(s.role); },
                           [](Sample& s, const std::string& cell) { s.role = parse_role(cell); }},
            whole_column<Sample, &Sample::placement>("placement", needed, any, "which layout of the module it drew")},
        cell_columns<Sample, &Sample::cell>(),
        std::array{
            whole_column<Sample, &Sample::segment>("segment", optional, any, "part of the trace"),
            whole_column<Sample, &Sample::queries>("queries", needed, positive, "answered in the sample"),
            whole_column<Sample, &Sample::nodes>("nodes", optional, any, "passed in the sample"),
            Column<Sample>{"time_ns", positive, needed,
                           "CPU time of the sample; wall time in lukewarm cells, whose turns are too short",
                           [](const Sample& s) { return decimals(s.time_ns, 1); },
                           [](Sample& s, const std::string& cell) { s.time_ns = time_from(cell); }},
            Column<Sample>{"wall_ns", positive, optional, "wall time of the sample",
                           [](const Sample& s) { return s.wall_ns > 0 ? decimals(s.wall_ns, 1) : ""; },
                           [](Sample& s, const std::string& cell) {
                             if (!cell.empty()) s.wall_ns = time_from(cell);
                           }},
            Column<Sample>{"checksum", text, optional, "of the answers: equal for all contenders of a segment",
                           [](const Sample& s) { return fmt::format("0x{:016X}", s.checksum); },
                           [](Sample& s, const std::string& cell) { s.checksum = checksum_from(cell); }},
            whole_column<Sample, &Sample::involuntary_switches>("involuntary_switches", optional, any,
                                                                "of the process during the sample, from the kernel"),
            whole_column<Sample, &Sample::minor_faults>("minor_faults", optional, any, "page faults during the sample"),
            whole_column<Sample, &Sample::major_faults>("major_faults", optional, any, "page faults that read a disk"),
            Column<Sample>{"steal_ticks", any, optional, "hundredths of a second that the hypervisor took",
                           [](const Sample& s) { return whole_or_empty(s.steal_ticks); },
                           [](Sample& s, const std::string& cell) {
                             if (!cell.empty()) s.steal_ticks = whole_cell<std::uint64_t>(cell);
                           }}})};

}  // namespace

std::string to_string(ContenderRole role) { return name_in(role_names, role); }

ContenderRole parse_role(const std::string& name) {
  if (const auto role = value_in(role_names, name)) return *role;
  throw UserError("unknown role '" + name + "'");
}

std::string sample_csv_header() { return samples.header(); }

std::string to_csv(const Sample& sample) { return samples.line(sample); }

Sample parse_sample(const std::string& row) {
  std::vector<std::string> cells;
  std::istringstream stream(row + ",");  // getline sees no empty last cell
  for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
  const auto& columns = samples.columns;
  if (cells.size() != columns.size()) {
    throw UserError(fmt::format("not a sample: {} cells instead of {}", cells.size(), columns.size()));
  }
  Sample sample;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    try {
      columns[i].read(sample, cells[i]);
    } catch (const UserError& error) {
      throw UserError("not a sample: " + std::string(columns[i].name) + ": " + error.what());
    }
  }
  return sample;
}

TableText sample_columns() { return samples.describe(); }

}  // namespace slidebench
