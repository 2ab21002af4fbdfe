// SPDX-License-Identifier: MIT
#include "harness/timemodel/prediction.hpp"

#include <algorithm>

#include "harness/timemodel/company.hpp"

namespace slidebench {
namespace {

/// The reads of a query, as they come.
class CostOfReads {
 public:
  void add(ReadPath path, double ns) {
    if (path == ReadPath::ahead) {
      cost_.ahead_ns = std::max(cost_.ahead_ns, ns);
      cost_.ahead_reads += ns > 0 ? 1 : 0;
      return;
    }
    chain_ns_ = path == ReadPath::serial ? chain_ns_ + ns : ns;
    cost_.chain_ns = std::max(cost_.chain_ns, chain_ns_);
    cost_.chain_reads += ns > 0 ? 1 : 0;
  }

  QueryCost with_touches(std::uint32_t touches) {
    cost_.touches = touches;
    return cost_;
  }

 private:
  QueryCost cost_;
  double chain_ns_ = 0;
};

double cost_of(const ProfiledRead& read, std::uint32_t now, const Company& company, const ReadCosts& costs) {
  const double line = costs.line_ns(read.lines + company.lines_between(read.line_node, now));
  return read.large_page ? line : line + costs.page_ns(read.pages + company.pages_between(read.page_node, now));
}

double time_with(const ProfiledWindows& windows, const Pressure& pressure, const Computation& computation, bool chained,
                 const OverlapBounds& bounds, const ReadCosts& costs) {
  double ns = 0;
  double queries = 0;
  for (std::size_t i = 0; i < windows.windows.size(); ++i) {
    const std::vector<QueryCost> asked = query_costs(windows.profiles[i], windows.windows[i], pressure, costs);
    const double touch_ns = costs.line_ns(Company(windows.windows[i], pressure).touch_distance());
    ns += MachineModel(bounds, computation, chained, touch_ns).run(asked) * static_cast<double>(asked.size());
    queries += static_cast<double>(asked.size());
  }
  return queries == 0 ? 0 : ns / queries;
}

}  // namespace

ProfiledWindows profile(const Plugin& traced, std::vector<Window> windows, bool large_pages) {
  const AddressSpace space(traced.tables(), {}, large_pages);
  const ReadPaths paths(traced, space, windows);
  ProfiledWindows profiled{std::move(windows), {}};
  for (const Window& window : profiled.windows) {
    profiled.profiles.push_back(profile_window(traced, space, paths, window));
  }
  return profiled;
}

std::vector<QueryCost> query_costs(const WindowProfile& profile, const Window& window, const Pressure& pressure,
                                   const ReadCosts& costs) {
  const Company company(window, pressure);
  std::vector<QueryCost> queries;
  queries.reserve(profile.queries.size());
  std::uint32_t read = 0;
  std::uint32_t node = profile.queries.empty() ? 0 : profile.queries.front().node - 1;
  for (const ProfiledQuery& query : profile.queries) {
    CostOfReads cost;
    for (; read < query.reads_end; ++read) {
      const ProfiledRead& r = profile.reads[read];
      cost.add(r.path, cost_of(r, query.node, company, costs));
    }
    std::uint32_t touches = 0;
    for (; node < query.node; ++node) touches += company.touches_at(node + 1);
    queries.push_back(cost.with_touches(touches));
  }
  return queries;
}

PredictedTime predict(const ProfiledWindows& windows, const Pressure& pressure, const Computation& computation,
                      bool chained, const OverlapBounds& bounds, const CostBand& costs) {
  const auto with = [&](const ReadCosts& curve) {
    return time_with(windows, pressure, computation, chained, bounds, curve);
  };
  return {with(costs.median), with(costs.low), with(costs.high)};
}

}  // namespace slidebench
