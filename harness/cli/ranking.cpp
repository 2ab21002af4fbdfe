// SPDX-License-Identifier: MIT
#include "harness/cli/ranking.hpp"

#include <algorithm>
#include <cstdio>

#include "harness/timing/arm.hpp"

namespace slidebench {
namespace {

std::string line(const SummaryRow& row, int width) {
  char net[16] = "";
  if (row.net_ns_per_query) std::snprintf(net, sizeof net, "%.2f", *row.net_ns_per_query);
  char ratio[48] = "";
  if (row.ratio) {
    std::snprintf(ratio, sizeof ratio, "%.3f [%.3f, %.3f]", row.ratio->value, row.ratio->low, row.ratio->high);
  }
  char text[200];
  std::snprintf(text, sizeof text, "  %-*s  %8.2f  %8s  %-22s  %s\n", width, row.arm.c_str(), row.ns_per_query, net,
                ratio, row.verdict.c_str());
  return text;
}

bool same_cell(const SummaryRow& a, const SummaryRow& b) {
  return a.workload == b.workload && a.trace == b.trace && a.pressure == b.pressure;
}

std::string heading(const SummaryRow& row, int width) {
  char text[200];
  std::snprintf(text, sizeof text, "\n%s, trace %s, %s (%zu rounds in %zu launches)\n  %-*s  %8s  %8s  %-22s  %s\n",
                row.workload.c_str(), row.trace.c_str(), row.pressure.c_str(), row.rounds, row.launches, width, "arm",
                "ns/query", "net", (std::string("ratio to ") + reference_method).c_str(), "verdict");
  return text;
}

}  // namespace

std::string ranking_text(const std::vector<SummaryRow>& rows) {
  std::size_t width = 3;
  for (const SummaryRow& row : rows) width = std::max(width, row.arm.size());
  const int columns = static_cast<int>(std::min<std::size_t>(width, 40));
  std::string text;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i == 0 || !same_cell(rows[i - 1], rows[i])) text += heading(rows[i], columns);
    text += line(rows[i], columns);
  }
  return text;
}

}  // namespace slidebench
