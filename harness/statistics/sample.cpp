// SPDX-License-Identifier: MIT
#include "harness/statistics/sample.hpp"

#include <charconv>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <sstream>
#include <string_view>
#include <vector>

#include "harness/base/enum_names.hpp"
#include "harness/base/errors.hpp"

namespace slidebench {
namespace {

constexpr EnumName<ContenderRole> role_names[] = {
    {ContenderRole::method, "method"}, {ContenderRole::reference, "reference"}, {ContenderRole::twin, "twin"},
    {ContenderRole::empty, "empty"},   {ContenderRole::control, "control"},     {ContenderRole::clock, "clock"}};

std::vector<std::string> split(const std::string& row) {
  std::vector<std::string> cells;
  std::istringstream stream(row);
  for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
  if (row.ends_with(',')) cells.emplace_back();  // getline does not see an empty last cell
  return cells;
}

/// Reads a whole cell. from_chars alone takes a minus, "nan" and "inf", and stops at what it does not know.
template <class Number, class... Format>
Number whole(std::string_view cell, Format... format) {
  Number number{};
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), number, format...);
  const bool complete = error == std::errc{} && end == cell.data() + cell.size() && cell.front() != '-';
  if (!complete) throw UserError("not a sample: '" + std::string(cell) + "' is no number that can stand there");
  return number;
}

/// Wall time: plain decimals, as they are written.
double time_from(std::string_view cell) {
  const double time = whole<double>(cell, std::chars_format::fixed);
  if (!std::isfinite(time)) throw UserError("not a sample: a time of '" + std::string(cell) + "'");
  return time;
}

/// "0x" and hexadecimal digits.
std::uint64_t checksum_from(std::string_view cell) {
  if (!cell.starts_with("0x")) throw UserError("not a sample: a checksum of '" + std::string(cell) + "'");
  return whole<std::uint64_t>(cell.substr(2), 16);
}

}  // namespace

std::string to_string(ContenderRole role) { return name_in(role_names, role); }

ContenderRole parse_role(const std::string& name) {
  if (const auto role = value_in(role_names, name)) return *role;
  throw UserError("not a sample: unknown role '" + name + "'");
}

std::string sample_csv_header() {
  return "process_run,round,position,contender,method,level,role,placement,workload,kinds,trace,pressure,pages,"
         "corunners,segment,"
         "queries,nodes,time_ns,checksum,involuntary_switches,minor_faults,major_faults,steal_ticks";
}

std::string to_csv(const Sample& s) {
  char time[32];
  std::snprintf(time, sizeof time, "%.1f", s.time_ns);
  char checksum[32];
  std::snprintf(checksum, sizeof checksum, "0x%016" PRIX64, s.checksum);
  std::ostringstream row;
  row << s.process_run << ',' << s.round << ',' << s.position << ',' << s.contender << ',' << s.method << ',' << s.level
      << ',' << to_string(s.role) << ',' << s.placement << ',' << s.cell.workload << ',' << s.cell.kinds << ','
      << s.cell.trace << ',' << s.cell.pressure << ',' << s.cell.pages << ',' << s.cell.corunners << ',' << s.segment
      << ',' << s.queries << ',' << s.nodes << ',' << time << ',' << checksum << ',' << s.involuntary_switches << ','
      << s.minor_faults << ',' << s.major_faults << ',' << (s.steal_ticks ? std::to_string(*s.steal_ticks) : "");
  return row.str();
}

Sample parse_sample(const std::string& row) {
  constexpr std::size_t cells = 23;
  const std::vector<std::string> c = split(row);
  if (c.size() != cells)
    throw UserError("not a sample: " + std::to_string(c.size()) + " cells instead of " + std::to_string(cells));
  return {.process_run = whole<unsigned>(c[0]),
          .round = whole<unsigned>(c[1]),
          .position = whole<unsigned>(c[2]),
          .contender = c[3],
          .method = c[4],
          .level = c[5],
          .role = parse_role(c[6]),
          .placement = whole<unsigned>(c[7]),
          .cell = {c[8], c[9], c[10], c[11], c[12], whole<unsigned>(c[13])},
          .segment = whole<unsigned>(c[14]),
          .queries = whole<std::uint64_t>(c[15]),
          .nodes = whole<std::uint64_t>(c[16]),
          .time_ns = time_from(c[17]),
          .checksum = checksum_from(c[18]),
          .involuntary_switches = whole<std::int64_t>(c[19]),
          .minor_faults = whole<std::int64_t>(c[20]),
          .major_faults = whole<std::int64_t>(c[21]),
          .steal_ticks = c[22].empty() ? std::nullopt : std::optional(whole<std::uint64_t>(c[22]))};
}

}  // namespace slidebench
