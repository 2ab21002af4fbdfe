// SPDX-License-Identifier: MIT
#include "extras/model/predict/prediction.hpp"

#include <algorithm>

#include "extras/model/predict/other_reads.hpp"

namespace slidebench {
namespace {

/// The ladder within the first level is not quite flat: less than this beyond it is no miss.
constexpr double least_miss_ns = 0.5;

/// The reads of a query, as they come.
class CostOfReads {
 public:
  void add(ReadPath path, double ns) {
    if (path == ReadPath::ahead) {
      cost_.ahead_ns = std::max(cost_.ahead_ns, ns);
      cost_.ahead_reads += ns > least_miss_ns ? 1 : 0;
      return;
    }
    chain_ns_ = path == ReadPath::serial ? chain_ns_ + ns : ns;
    cost_.chain_ns = std::max(cost_.chain_ns, chain_ns_);
    cost_.chain_reads += ns > least_miss_ns ? 1 : 0;
  }

  QueryCost with_touches(std::uint32_t touches) {
    cost_.touches = touches;
    return cost_;
  }

 private:
  QueryCost cost_;
  double chain_ns_ = 0;
};

/// How far back a read reaches among all that is read.
struct Distance {
  double lines;
  double pages;
};

std::vector<Distance> distances_of(const SegmentProfile& profile, const OtherReads& others) {
  std::vector<Distance> distances;
  distances.reserve(profile.reads.size());
  for (const ProfiledQuery& query : profile.queries) {
    while (distances.size() < query.reads_end) {
      const ProfiledRead& read = profile.reads[distances.size()];
      const double lines = read.lines + others.lines_between(read.line_node, query.node);
      const double pages = read.large_page ? 0 : read.pages + others.pages_between(read.page_node, query.node);
      distances.push_back({lines, pages});
    }
  }
  return distances;
}

std::vector<QueryCost> priced(const SegmentProfile& profile, const OtherReads& others,
                              const std::vector<Distance>& distances, const ReadCosts& costs) {
  std::vector<QueryCost> queries;
  queries.reserve(profile.queries.size());
  std::uint32_t read = 0;
  std::uint32_t node = profile.queries.empty() ? 0 : profile.queries.front().node - 1;
  for (const ProfiledQuery& query : profile.queries) {
    CostOfReads cost;
    for (; read < query.reads_end; ++read) {
      const ProfiledRead& r = profile.reads[read];
      const double line = costs.line_ns(distances[read].lines);
      cost.add(r.path, r.large_page ? line : line + costs.page_ns(distances[read].pages));
    }
    std::uint32_t touches = 0;
    for (; node < query.node; ++node) touches += others.touches_at(node + 1);
    queries.push_back(cost.with_touches(touches));
  }
  return queries;
}

}  // namespace

ProfiledSegments profile(const Plugin& traced, std::vector<Segment> segments, bool large_pages) {
  const AddressSpace space(traced.tables(), {}, large_pages);
  const ReadPaths paths(traced, space, segments);
  ProfiledSegments profiled{std::move(segments), {}};
  for (const Segment& segment : profiled.segments) {
    profiled.profiles.push_back(profile_segment(traced, space, paths, segment));
  }
  return profiled;
}

PressedQueries::PressedQueries(const ProfiledSegments& segments, const Pressure& pressure, const CostBand& costs) {
  double touches = 0;
  double queries = 0;
  for (std::size_t i = 0; i < segments.segments.size(); ++i) {
    const SegmentProfile& profile = segments.profiles[i];
    const OtherReads others(segments.segments[i], pressure);
    const std::vector<Distance> distances = distances_of(profile, others);
    const auto price = [&](Priced& by, const ReadCosts& curve) {
      by.segments.push_back(priced(profile, others, distances, curve));
      by.touched_line_ns = curve.line_ns(others.touch_distance());
    };
    price(low_, costs.low), price(median_, costs.median), price(high_, costs.high);
    for (const QueryCost& query : median_.segments.back()) touches += query.touches;
    queries += static_cast<double>(profile.queries.size());
  }
  touched_lines_ = queries == 0 ? 0 : touches / queries;
}

PredictedTime PressedQueries::time(const Computation& computation, bool chained, const OverlapBounds& bounds,
                                   std::optional<double> touches_ns) const {
  const auto by = [&](const Priced& priced) { return time_of(priced, computation, chained, bounds, touches_ns); };
  return {by(median_), by(low_), by(high_)};
}

MeanCost PressedQueries::mean_cost() const {
  MeanCost sum;
  double queries = 0;
  for (const std::vector<QueryCost>& segment : median_.segments) {
    for (const QueryCost& query : segment) {
      sum.ahead_ns += query.ahead_ns;
      sum.chain_ns += query.chain_ns;
      sum.missing_reads += query.ahead_reads + query.chain_reads;
    }
    queries += static_cast<double>(segment.size());
  }
  return queries == 0 ? sum : MeanCost{sum.ahead_ns / queries, sum.chain_ns / queries, sum.missing_reads / queries};
}

double PressedQueries::time_of(const Priced& priced, const Computation& computation, bool chained,
                               const OverlapBounds& bounds, std::optional<double> touches_ns) const {
  const double touch_ns = touched_lines_ == 0 ? 0
                          : touches_ns        ? std::max(0.0, *touches_ns) / touched_lines_
                                              : priced.touched_line_ns / bounds.reads_in_flight;
  double ns = 0;
  double queries = 0;
  for (const std::vector<QueryCost>& segment : priced.segments) {
    const auto asked = static_cast<double>(segment.size());
    ns += MachineModel(bounds, computation, chained, touch_ns).run(segment) * asked;
    queries += asked;
  }
  return queries == 0 ? 0 : ns / queries;
}

}  // namespace slidebench
