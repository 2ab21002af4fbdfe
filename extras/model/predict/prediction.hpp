// SPDX-License-Identifier: MIT
//
// The time model: what a query should cost, from what its method reads and computes and what this machine's memory
// takes for it. extras/README.md states it.
#pragma once

#include <optional>
#include <vector>

#include "extras/model/predict/machine_model.hpp"
#include "extras/model/predict/read_costs.hpp"
#include "extras/model/predict/read_profile.hpp"

namespace slidebench {

/// The three curves of a ladder: by its lower quartiles, medians, upper quartiles.
struct CostBand {
  ReadCosts low, median, high;
};

/// ns per query; low and high are those of the ladder's quartiles.
struct PredictedTime {
  double median = 0;
  double low = 0;
  double high = 0;
};

/// What a query waits for, on average: all that is read ahead, the chains, and how many reads miss the first level.
struct MeanCost {
  double ahead_ns = 0;
  double chain_ns = 0;
  double missing_reads = 0;
};

/// A method's reads in some segments of a trace, with its tables on one kind of page.
struct ProfiledSegments {
  std::vector<Segment> segments;
  std::vector<SegmentProfile> profiles;  ///< of each segment
};

/// Profiles the method on the segments. @param traced  an initialised traced module that the CPU can run
ProfiledSegments profile(const Plugin& traced, std::vector<Segment> segments, bool large_pages);

/// What every query of the segments waits for under a pressure.
class PressedQueries {
 public:
  PressedQueries(const ProfiledSegments& segments, const Pressure& pressure, const CostBand& costs);

  /// The time of the queries, one after another (chained) or independent of each other.
  /// @param touches_ns  what the pressure's touches take a query, if that was measured; otherwise they are reads of
  ///                    lines as far back as their block is large, as many at once as the machine can
  PredictedTime time(const Computation& computation, bool chained, const OverlapBounds& bounds,
                     std::optional<double> touches_ns = {}) const;

  /// By the ladder's medians.
  MeanCost mean_cost() const;

 private:
  /// By one curve of the ladder.
  struct Priced {
    std::vector<std::vector<QueryCost>> segments;
    double touched_line_ns = 0;  ///< beyond the first level
  };

  double time_of(const Priced& priced, const Computation& computation, bool chained, const OverlapBounds& bounds,
                 std::optional<double> touches_ns) const;

  double touched_lines_ = 0;  ///< a query
  Priced low_, median_, high_;
};

}  // namespace slidebench
