// SPDX-License-Identifier: MIT
#include "harness/statistics/builds.hpp"

#include <algorithm>
#include <cmath>

namespace slidebench {
namespace {

struct Cluster {
  double sum = 0;  ///< of the deviations from the mean of all
  double count = 0;
};

/// The process runs of each build.
std::vector<Cluster> clusters_of(const ByProcessRun& values, const BuildByProcessRun& builds) {
  if (builds.empty()) return {};
  const double centre = mean(values_of(values));
  std::map<unsigned, Cluster> found;
  for (const auto& [process_run, value] : values) {
    Cluster& cluster = found[builds.at(process_run)];
    cluster.sum += value - centre;
    ++cluster.count;
  }
  std::vector<Cluster> clusters;
  for (const auto& [build, cluster] : found) clusters.push_back(cluster);
  return clusters;
}

/// The variance of the mean of all, if clusters are what was drawn, and its degrees of freedom.
struct ClusterVariance {
  double variance = 0;
  double freedom = 0;
};

ClusterVariance variance_by_clusters(const std::vector<Cluster>& clusters, double n) {
  if (clusters.size() < 2) return {};
  const double k = static_cast<double>(clusters.size());
  double squares = 0;
  for (const Cluster& cluster : clusters) squares += cluster.sum * cluster.sum;
  return {k / (k - 1) * squares / (n * n), k - 1};
}

/// The same where each process run was drawn for itself.
ClusterVariance variance_by_process_runs(const ByProcessRun& values) {
  const double centre = mean(values_of(values));
  std::vector<Cluster> alone;
  for (const auto& [process_run, value] : values) alone.push_back({value - centre, 1});
  return variance_by_clusters(alone, static_cast<double>(values.size()));
}

/// Satterthwaite's, but no fewer than the side with the fewest builds has.
double degrees_of_freedom(const std::vector<ClusterVariance>& parts, double variance) {
  double least = INFINITY, weighted = 0;
  for (const ClusterVariance& part : parts) {
    if (part.freedom <= 0) continue;
    weighted += part.variance * part.variance / part.freedom;
    least = std::min(least, part.freedom);
  }
  return weighted > 0 ? std::max(least, variance * variance / weighted) : least;
}

}  // namespace

double builds_widening(const ByProcessRun& values, const BuildByProcessRun& of_one, const BuildByProcessRun& of_other,
                       const BuildByProcessRun& of_third) {
  const double n = static_cast<double>(values.size());
  if (values.size() < 2) return 1;
  const ClusterVariance without = variance_by_process_runs(values);
  std::vector<ClusterVariance> sides;
  double sum = without.variance;  // which each side counts once more
  for (const BuildByProcessRun* builds : {&of_one, &of_other, &of_third}) {
    const ClusterVariance side = variance_by_clusters(clusters_of(values, *builds), n);
    if (side.freedom == 0) continue;
    sides.push_back(side);
    sum += side.variance - without.variance;
  }
  if (sides.empty() || without.variance <= 0) return 1;

  const double variance = std::max(without.variance, sum);
  const double freedom = degrees_of_freedom(sides, variance);
  const double fewer = student_quantile(freedom, usual_error) / reach(values.size(), usual_error, Inference::fixed);
  return std::max(1.0, fewer * std::sqrt(variance / without.variance));
}

PooledBuilds pooled_builds(const std::vector<ByProcessRun>& sides, const std::vector<BuildByProcessRun>& builds) {
  const double count = static_cast<double>(sides.size());
  PooledBuilds pooled;
  if (sides.size() < 2) return pooled;
  ByProcessRun centre;
  for (const ByProcessRun& side : sides)
    for (const auto& [process_run, value] : side) centre[process_run] += value / count;
  double squares = 0;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    ByProcessRun alone = sides[i];
    for (auto& [process_run, value] : alone) value -= centre.at(process_run);
    const std::vector<Cluster> clusters = clusters_of(alone, builds[i]);
    for (const Cluster& cluster : clusters) squares += cluster.sum / cluster.count * cluster.sum / cluster.count;
    if (!clusters.empty()) pooled.freedom += static_cast<double>(clusters.size()) - 1;
  }
  // Each side has taken a part of its own scatter away with the centre.
  if (pooled.freedom > 0) pooled.variance = squares / pooled.freedom * count / (count - 1);
  return pooled;
}

double pooled_widening(const ByProcessRun& values, const PooledBuilds& pooled, double of_one, double of_other) {
  if (values.size() < 2 || pooled.freedom <= 0) return 1;
  const double without = variance_by_process_runs(values).variance;
  if (without <= 0) return 1;
  const double quantiles =
      student_quantile(pooled.freedom, usual_error) / reach(values.size(), usual_error, Inference::fixed);
  return std::max(1.0, quantiles * std::sqrt(pooled.variance * (1 / of_one + 1 / of_other) / without));
}

}  // namespace slidebench
