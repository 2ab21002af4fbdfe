// SPDX-License-Identifier: MIT
//
// What a read costs that something waits for, by its stack distance: the latency ladder, read backwards.
//
// A rung of the ladder says how many other lines and pages were read between two reads of a line, and what the second
// read took: the cost of a read at that distance, with all that the machine does about it (sets, slices, replacement,
// neighbours in a shared cache), and no size of any cache needs to be known. On large pages the rung is the cost of the
// line alone; what small pages add to it is the cost of finding the page, at the distance of as many pages.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace slidebench {

/// One rung: what was read in between, and ns a dependent load.
struct Rung {
  double lines = 0;
  double pages = 0;
  double ns = 0;
};

/// A point of a curve: a distance in lines or pages, and ns.
struct CostPoint {
  double distance = 0;
  double ns = 0;
};

/// The rungs of a ladder, from small to large. On large pages, those rungs that the kernel really gave large pages.
struct MeasuredLadder {
  std::vector<Rung> small_pages;
  std::vector<Rung> large_pages;
};

/// A ladder by its lower quartiles, medians and upper quartiles.
struct LadderBand {
  MeasuredLadder low, median, high;
};

/// Reads what `slidebench ladder --format csv` wrote. Throws UserError, with the file's name, for anything else, and
/// for a ladder without small pages.
LadderBand read_ladder(const std::string& path);

/// ns beyond a read that hits the first level.
class ReadCosts {
 public:
  /// Without large pages, lines are charged what small pages cost, and pages nothing.
  explicit ReadCosts(const MeasuredLadder& ladder);

  /// Of a line between whose reads so many other lines were read.
  double line_ns(double lines) const { return at(lines_, lines); }

  /// Of a base page between whose reads so many other base pages were read.
  double page_ns(double pages) const { return at(pages_, pages); }

 private:
  /// By bin of LogBins: distances of up to 2^26 lines or pages.
  using Curve = std::vector<double>;
  static double at(const Curve& curve, double distance);

  Curve lines_;
  Curve pages_;
};

/// Points that never get cheaper with distance: neighbours that do are replaced by their mean (pool adjacent violators;
/// M. Ayer et al., Annals of Mathematical Statistics 26, 1955). The ladder's small dips are noise.
std::vector<CostPoint> never_cheaper(std::vector<CostPoint> points);

/// Between the points, straight in the logarithm of the distance; outside, the last point's. Precondition: from near to
/// far, distances above 0, not empty.
double interpolate(const std::vector<CostPoint>& points, double distance);

}  // namespace slidebench
