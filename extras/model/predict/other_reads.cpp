// SPDX-License-Identifier: MIT
#include "extras/model/predict/other_reads.hpp"

#include <algorithm>
#include <cmath>

namespace slidebench {
namespace {

constexpr unsigned passes = 2;
constexpr std::size_t node_bytes = sizeof(Bitboard) + sizeof(NodeTag) + sizeof(RunLengths);
constexpr double page_lines = 4096.0 / cache_line_bytes;

/// The tags of the nodes of both passes; node 0, which is none, first.
std::vector<NodeTag> tags_of(const Segment& segment) {
  std::vector<NodeTag> tags{continued_flag};
  for (unsigned pass = 0; pass < passes; ++pass) {
    for (const TraceBlock& piece : segment) tags.insert(tags.end(), piece.tags, piece.tags + piece.nodes);
  }
  return tags;
}

}  // namespace

OtherReads::OtherReads(const Segment& segment, const Pressure& pressure) : trace_(cycle_of_trace(segment)) {
  const std::vector<NodeTag> tags = tags_of(segment);
  touches_at_.assign(tags.size(), 0);
  for (const Touching& part : pressure.parts) {
    parts_.push_back(cycle_of(part, tags));
    const std::vector<std::uint64_t>& touched = parts_.back().touched;
    for (std::size_t node = 1; node < tags.size(); ++node) {
      touches_at_[node] += static_cast<std::uint32_t>(touched[node] - touched[node - 1]);
    }
    touch_distance_ += parts_.back().lines;
  }
}

OtherReads::Cycle OtherReads::cycle_of(const Touching& part, std::span<const NodeTag> tags) {
  Cycle cycle;
  const std::uint64_t lines = part.block_bytes / cache_line_bytes;
  cycle.lines = static_cast<double>(lines);
  cycle.lines_a_unit = part.lines_at_once();
  cycle.units_a_page = page_lines / cycle.lines_a_unit;
  const TagSet events = events_of(part.when);
  std::uint64_t touched = 0;
  for (const NodeTag tag : tags) cycle.touched.push_back(touched += events.has(tag) ? part.lines : 0);
  return cycle;
}

/// What the loop reads of the trace: occupancies, runs and squares, one behind another.
OtherReads::Cycle OtherReads::cycle_of_trace(const Segment& segment) {
  Cycle cycle;
  cycle.units_a_page = 1;
  cycle.lines_a_unit = page_lines;
  double bytes = 0;
  cycle.touched.push_back(0);
  for (unsigned pass = 0; pass < passes; ++pass) {
    for (const TraceBlock& piece : segment) {
      for (std::uint32_t node = 0; node < piece.nodes; ++node) {
        bytes += static_cast<double>(node_bytes + queries_in(piece.runs[node]));
        cycle.touched.push_back(static_cast<std::uint64_t>(bytes / cache_line_bytes));
      }
    }
  }
  cycle.lines = bytes / passes / cache_line_bytes;
  return cycle;
}

double OtherReads::Cycle::lines_between(std::uint32_t since, std::uint32_t now) const {
  return std::min(static_cast<double>(touched[now] - touched[since]), lines);
}

/// Units of a page are touched at random times: the expectation.
double OtherReads::Cycle::pages_between(std::uint32_t since, std::uint32_t now) const {
  const double untouched = 1 - std::min(1.0, lines_between(since, now) / lines);
  return lines / page_lines * (1 - std::pow(untouched, units_a_page));
}

double OtherReads::touched_between(std::uint32_t since, std::uint32_t now) const {
  double sum = 0;
  for (const Cycle& part : parts_) sum += part.lines_between(since, now);
  return sum;
}

double OtherReads::lines_between(std::uint32_t since, std::uint32_t now) const {
  return touched_between(since, now) + trace_.lines_between(since, now);
}

double OtherReads::pages_between(std::uint32_t since, std::uint32_t now) const {
  double sum = trace_.pages_between(since, now);
  for (const Cycle& part : parts_) sum += part.pages_between(since, now);
  return sum;
}

}  // namespace slidebench
