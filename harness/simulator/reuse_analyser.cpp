// SPDX-License-Identifier: MIT
#include "harness/simulator/reuse_analyser.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "harness/simulator/log_bins.hpp"

namespace slidebench {
namespace {

void add(std::vector<std::uint64_t>& counts, std::size_t index) {
  if (index >= counts.size()) counts.resize(std::max(index + 1, 2 * counts.size()));
  ++counts[index];
}

/// The share of a bin's distances that are at least `threshold`.
double share_from(std::size_t bin, double threshold) {
  const auto lower = static_cast<double>(LogBins::lower(bin));
  const auto width = static_cast<double>(LogBins::lower(bin + 1)) - lower;
  // Distances are whole numbers: from 3.2 on means from 4 on.
  return std::clamp((lower + width - std::ceil(threshold)) / width, 0.0, 1.0);
}

}  // namespace

ReuseAnalyser::ReuseAnalyser(std::uint32_t granularity_bytes)
    : shift_(static_cast<unsigned>(std::countr_zero(granularity_bytes))) {}

void ReuseAnalyser::consume(std::span<const MemoryEvent> events) {
  for (const MemoryEvent& event : events) {
    switch (event.kind) {
      case MemoryEvent::Kind::access: {
        if (!is_method(event.owner)) break;
        const std::uint64_t last = (event.address + event.bytes - 1) >> shift_;
        for (std::uint64_t line = event.address >> shift_; line <= last; ++line) {
          access(static_cast<std::uint32_t>(line));
        }
        break;
      }
      case MemoryEvent::Kind::node:
        if ((event.address & evaluated_flag) != 0) ++clock_;
        break;
      case MemoryEvent::Kind::query: ++queries_; break;
    }
  }
}

void ReuseAnalyser::access(std::uint32_t line) {
  ++accesses_;
  const StackDistance::Reuse reuse = distances_.access(line, clock_);
  if (reuse.first) return;
  add(by_distance_, reuse.distance);
  const std::size_t gap = LogBins::index(reuse.elapsed);
  if (gap >= by_gap_and_distance_.size()) by_gap_and_distance_.resize(gap + 1);
  add(by_gap_and_distance_[gap], LogBins::index(reuse.distance));
}

std::uint64_t ReuseAnalyser::misses(std::uint64_t cache_lines) const {
  std::uint64_t misses = compulsory();
  for (std::size_t d = by_distance_.size(); d > cache_lines; --d) misses += by_distance_[d - 1];
  return misses;
}

double ReuseAnalyser::misses(double cache_lines, const Load& load) const {
  double misses = static_cast<double>(compulsory());
  for (std::size_t gap = 0; gap < by_gap_and_distance_.size(); ++gap) {
    const double touched = std::min(load.lines_per_event * LogBins::middle(gap), load.block_lines);
    const std::vector<std::uint64_t>& counts = by_gap_and_distance_[gap];
    for (std::size_t bin = 0; bin < counts.size(); ++bin) {
      if (counts[bin] != 0) misses += static_cast<double>(counts[bin]) * share_from(bin, cache_lines - touched);
    }
  }
  return misses;
}

}  // namespace slidebench
