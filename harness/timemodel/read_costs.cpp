// SPDX-License-Identifier: MIT
#include "harness/timemodel/read_costs.hpp"

#include <algorithm>
#include <cmath>

#include "harness/cachelab/log_bins.hpp"
#include "harness/plugin/pressure.hpp"
#include "harness/timemodel/csv.hpp"
#include "harness/trace/errors.hpp"

namespace slidebench {
namespace {

constexpr double page_bytes = 4096;
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

MeasuredLadder read_ladder(const std::string& path, RungFigure figure) {
  MeasuredLadder ladder;
  try {
    CsvReader<6> csv(path);
    csv.read_header(io::ignore_extra_column, "bytes", "pages", "large_page_share", "ns_per_load", "ns_per_load_q1",
                    "ns_per_load_q3");
    std::string pages;
    double bytes = 0, share = 0, median = 0, low = 0, high = 0;
    while (csv.read_row(bytes, pages, share, median, low, high)) {
      const double ns = figure == RungFigure::low ? low : figure == RungFigure::high ? high : median;
      if (!(bytes > 0 && ns > 0)) throw UserError("rungs need sizes and times above 0");
      if (pages == "4k") ladder.small_pages.push_back({bytes, ns});
      if (pages == "2m" && share >= least_large_share) ladder.large_pages.push_back({bytes, ns});
    }
  } catch (const std::exception& error) {
    throw UserError(path + ": no ladder: " + error.what() + "; make one with slidebench ladder --format csv");
  }
  if (ladder.small_pages.empty()) throw UserError(path + ": a ladder without 4k pages; add --pages 4k");
  const auto smaller = [](const Rung& a, const Rung& b) { return a.bytes < b.bytes; };
  std::sort(ladder.small_pages.begin(), ladder.small_pages.end(), smaller);
  std::sort(ladder.large_pages.begin(), ladder.large_pages.end(), smaller);
  return ladder;
}

std::vector<Rung> never_cheaper(std::vector<Rung> rungs) {
  struct Pool {
    double sum;
    std::size_t count;
    double mean() const { return sum / static_cast<double>(count); }
  };
  std::vector<Pool> pools;
  for (const Rung& rung : rungs) {
    pools.push_back({rung.ns, 1});
    while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
      const Pool last = pools.back();
      pools.pop_back();
      pools.back().sum += last.sum;
      pools.back().count += last.count;
    }
  }
  std::size_t rung = 0;
  for (const Pool& pool : pools) {
    for (std::size_t i = 0; i < pool.count; ++i) rungs[rung++].ns = pool.mean();
  }
  return rungs;
}

double interpolate(const std::vector<Rung>& rungs, double bytes) {
  if (bytes <= rungs.front().bytes) return rungs.front().ns;
  if (bytes >= rungs.back().bytes) return rungs.back().ns;
  const auto above = std::upper_bound(rungs.begin(), rungs.end(), bytes,
                                      [](double wanted, const Rung& rung) { return wanted < rung.bytes; });
  const auto below = above - 1;
  const double share = std::log(bytes / below->bytes) / std::log(above->bytes / below->bytes);
  return below->ns + share * (above->ns - below->ns);
}

ReadCosts::ReadCosts(const MeasuredLadder& ladder) {
  const bool split = !ladder.large_pages.empty();
  const std::vector<Rung> small = never_cheaper(ladder.small_pages);
  const std::vector<Rung> large = split ? never_cheaper(ladder.large_pages) : small;
  const double first_level = large.front().ns;
  lines_ = curve_of([&](double lines) { return interpolate(large, lines * cache_line_bytes) - first_level; });

  std::vector<Rung> added;
  for (const Rung& rung : small) added.push_back({rung.bytes, std::max(0.0, rung.ns - interpolate(large, rung.bytes))});
  added = never_cheaper(added);
  pages_ = curve_of([&](double pages) { return split ? interpolate(added, pages * page_bytes) : 0.0; });
}

double ReadCosts::at(const Curve& curve, double distance) {
  const auto whole = static_cast<std::uint64_t>(std::max(0.0, distance));
  return curve[std::min(LogBins::index(whole), curve.size() - 1)];
}

}  // namespace slidebench
