// SPDX-License-Identifier: MIT
#include "extras/model/predict/read_costs.hpp"

#include <algorithm>
#include <cmath>

#include "harness/base/csv.hpp"
#include "harness/base/errors.hpp"
#include "harness/simulator/log_bins.hpp"

namespace slidebench {
namespace {

constexpr std::uint64_t furthest = std::uint64_t{1} << 26;
/// The kernel may give fewer large pages than asked for; rungs with more of the small ones are no rungs of either kind.
constexpr double least_large_share = 0.9;

template <class Cost>
std::vector<double> curve_of(Cost cost) {
  std::vector<double> curve;
  for (std::size_t bin = 0; bin <= LogBins::index(furthest); ++bin) curve.push_back(cost(LogBins::middle(bin)));
  return curve;
}

}  // namespace

LadderBand read_ladder(const std::string& path) {
  LadderBand band;
  try {
    CsvReader<7> csv(path);
    csv.read_header(io::ignore_extra_column, "pages", "large_page_share", "lines_between", "pages_between",
                    "ns_per_load", "ns_per_load_q1", "ns_per_load_q3");
    std::string on;
    double share = 0, lines = 0, pages = 0, median = 0, low = 0, high = 0;
    while (csv.read_row(on, share, lines, pages, median, low, high)) {
      if (!(lines > 0 && pages >= 0 && low > 0)) throw UserError("rungs need lines and times above 0");
      const auto add = [&](MeasuredLadder& ladder, double ns) {
        if (on == "4k") ladder.small_pages.push_back({lines, pages, ns});
        if (on == "2m" && share >= least_large_share) ladder.large_pages.push_back({lines, pages, ns});
      };
      add(band.low, low), add(band.median, median), add(band.high, high);
    }
  } catch (const std::exception& error) {
    throw UserError(path + ": no ladder: " + error.what() + "; make one with slidebench ladder --format csv");
  }
  if (band.median.small_pages.empty()) throw UserError(path + ": a ladder without 4k pages; add --pages 4k");
  return band;
}

std::vector<CostPoint> never_cheaper(std::vector<CostPoint> points) {
  struct Pool {
    double sum;
    std::size_t count;
    double mean() const { return sum / static_cast<double>(count); }
  };
  std::vector<Pool> pools;
  for (const CostPoint& point : points) {
    pools.push_back({point.ns, 1});
    while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
      const Pool last = pools.back();
      pools.pop_back();
      pools.back().sum += last.sum;
      pools.back().count += last.count;
    }
  }
  std::size_t point = 0;
  for (const Pool& pool : pools) {
    for (std::size_t i = 0; i < pool.count; ++i) points[point++].ns = pool.mean();
  }
  return points;
}

double interpolate(const std::vector<CostPoint>& points, double distance) {
  if (distance <= points.front().distance) return points.front().ns;
  if (distance >= points.back().distance) return points.back().ns;
  const auto above = std::upper_bound(points.begin(), points.end(), distance,
                                      [](double wanted, const CostPoint& point) { return wanted < point.distance; });
  const auto below = above - 1;
  const double share = std::log(distance / below->distance) / std::log(above->distance / below->distance);
  return below->ns + share * (above->ns - below->ns);
}

ReadCosts::ReadCosts(const MeasuredLadder& ladder) {
  const bool split = !ladder.large_pages.empty();
  std::vector<CostPoint> by_lines;
  for (const Rung& rung : split ? ladder.large_pages : ladder.small_pages) by_lines.push_back({rung.lines, rung.ns});
  by_lines = never_cheaper(by_lines);
  const double first_level = by_lines.front().ns;
  lines_ = curve_of([&](double lines) { return interpolate(by_lines, lines) - first_level; });

  std::vector<CostPoint> by_pages;
  for (const Rung& rung : ladder.small_pages) {
    by_pages.push_back({rung.pages + 1, std::max(0.0, rung.ns - interpolate(by_lines, rung.lines))});
  }
  by_pages = never_cheaper(by_pages);
  pages_ = curve_of([&](double pages) { return split ? interpolate(by_pages, pages + 1) : 0.0; });
}

double ReadCosts::at(const Curve& curve, double distance) {
  const auto whole = static_cast<std::uint64_t>(std::max(0.0, distance));
  return curve[std::min(LogBins::index(whole), curve.size() - 1)];
}

}  // namespace slidebench
