// SPDX-License-Identifier: MIT
#include "harness/timing/sample.hpp"

#include <array>
#include <cinttypes>
#include <cstdio>
#include <sstream>
#include <vector>

#include "harness/trace/errors.hpp"

namespace slidebench {
namespace {

constexpr std::array roles{ArmRole::method, ArmRole::reference, ArmRole::twin,
                           ArmRole::empty,  ArmRole::control,   ArmRole::clock};

std::vector<std::string> split(const std::string& row) {
  std::vector<std::string> cells;
  std::istringstream stream(row);
  for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
  if (row.ends_with(',')) cells.emplace_back();  // getline does not see an empty last cell
  return cells;
}

}  // namespace

std::string to_string(ArmRole role) {
  switch (role) {
    case ArmRole::method: return "method";
    case ArmRole::reference: return "reference";
    case ArmRole::twin: return "twin";
    case ArmRole::empty: return "empty";
    case ArmRole::control: return "control";
    case ArmRole::clock: return "clock";
  }
  return {};
}

ArmRole parse_role(const std::string& name) {
  for (const ArmRole role : roles) {
    if (to_string(role) == name) return role;
  }
  throw UserError("not a sample: unknown role '" + name + "'");
}

std::string sample_csv_header() {
  return "launch,round,position,arm,method,level,role,layout,workload,kinds,trace,pressure,pages,corunners,window,"
         "queries,nodes,time_ns,checksum,involuntary_switches,minor_faults,major_faults,steal_ticks";
}

std::string to_csv(const Sample& s) {
  char time[32];
  std::snprintf(time, sizeof time, "%.1f", s.time_ns);
  char checksum[32];
  std::snprintf(checksum, sizeof checksum, "0x%016" PRIX64, s.checksum);
  std::ostringstream row;
  row << s.launch << ',' << s.round << ',' << s.position << ',' << s.arm << ',' << s.method << ',' << s.level << ','
      << to_string(s.role) << ',' << s.layout << ',' << s.cell.workload << ',' << s.cell.kinds << ',' << s.cell.trace
      << ',' << s.cell.pressure << ',' << s.cell.pages << ',' << s.cell.corunners << ',' << s.window << ',' << s.queries
      << ',' << s.nodes << ',' << time << ',' << checksum << ',' << s.involuntary_switches << ',' << s.minor_faults
      << ',' << s.major_faults << ',' << (s.steal_ticks ? std::to_string(*s.steal_ticks) : "");
  return row.str();
}

Sample parse_sample(const std::string& row) {
  constexpr std::size_t cells = 23;
  const std::vector<std::string> c = split(row);
  if (c.size() != cells)
    throw UserError("not a sample: " + std::to_string(c.size()) + " cells instead of " + std::to_string(cells));
  try {
    const auto number = [&c](std::size_t i) { return std::stoull(c[i], nullptr, 0); };
    const auto small = [&number](std::size_t i) { return static_cast<unsigned>(number(i)); };
    return {.launch = small(0),
            .round = small(1),
            .position = small(2),
            .arm = c[3],
            .method = c[4],
            .level = c[5],
            .role = parse_role(c[6]),
            .layout = small(7),
            .cell = {c[8], c[9], c[10], c[11], c[12], small(13)},
            .window = small(14),
            .queries = number(15),
            .nodes = number(16),
            .time_ns = std::stod(c[17]),
            .checksum = number(18),
            .involuntary_switches = std::stoll(c[19]),
            .minor_faults = std::stoll(c[20]),
            .major_faults = std::stoll(c[21]),
            .steal_ticks = c[22].empty() ? std::nullopt : std::optional(number(22))};
  } catch (const std::logic_error&) {
    throw UserError("not a sample: a cell is no number in: " + row);
  }
}

}  // namespace slidebench
