// SPDX-License-Identifier: MIT
#include "harness/lab/caches/visited_set.hpp"

#include <algorithm>

namespace slidebench {
namespace {

constexpr std::uint32_t sets_tried = 4;
constexpr std::uint32_t lines_a_way = 3;
constexpr unsigned calibrations = 15;
constexpr std::size_t hits_between = 4;
constexpr std::size_t words_a_line = 8;  // so often a period may visit it
/// Lines of the first level lie within it: some of AMD's processors predict the way by a hash of higher bits, and lines
/// of the same hash drive each other out (M. Lipp et al., Take A Way, AsiaCCS 2020).
constexpr Place region = 1u << 20;
/// From which a sequence is repeated: a tree-PLRU may settle in several ways.
constexpr unsigned starts = 32;

/// So many that none is visited too often in the longest of random_visits(), or in one period of all lines.
std::size_t drivers_needed(std::size_t a_visit, std::uint32_t ways, std::size_t lines) {
  return (a_visit * std::max<std::size_t>(3 * (ways + 3), lines) + words_a_line - 1) / words_a_line;
}

}  // namespace

VisitedSet::VisitedSet(TimedMemory& memory, const FirstLevel& first, std::mt19937_64& random)
    : memory_(memory), drivers_a_visit_(hits_between) {
  const CacheShape& shape = first.shape;
  const Place way = shape.line_bytes * shape.sets;
  double quickest = 0;
  for (std::uint32_t set = 0; set < sets_tried; ++set) {
    const Place offset = static_cast<Place>(draw(random, shape.sets)) * shape.line_bytes;
    Places lines;
    for (Place place = offset; place < region; place += way) lines.push_back(place);
    shuffle(lines, random);
    lines.resize(std::min<std::size_t>(lines.size(), lines_a_way * shape.ways));
    const double ns = memory.ns_a_read(shuffled_period(first_of(lines, shape.ways), random));
    if (set == 0 || ns < quickest) quickest = ns, lines_ = lines;
  }
  // A miss right behind another one takes longer than one alone: reads of other sets, which hit, stand between.
  const auto other_set = [&](Place line, std::size_t sets_further) {
    return line / way * way + (line + static_cast<Place>(sets_further) * shape.line_bytes) % way;
  };
  const std::size_t drivers = drivers_needed(hits_between, shape.ways, lines_.size());
  for (std::size_t i = 1; i <= drivers; ++i) drivers_.push_back(other_set(lines_.front(), i));
  for (std::size_t i = 0; i < lines_.size(); ++i) controls_.push_back(other_set(lines_[i], 1 + drivers + i));
  calibrate();
}

VisitedSet::VisitedSet(TimedMemory& memory, const FirstLevel& first, const SecondLevelSet& second,
                       std::mt19937_64& random)
    : memory_(memory),
      lines_(first_of(second.lines, std::size_t{lines_a_way} * second.shape.ways)),
      drivers_a_visit_(first.shape.ways * 3 / 4) {
  Places fillers = second.fillers;
  shuffle(fillers, random);
  drivers_ = first_of(fillers, drivers_needed(drivers_a_visit_, second.shape.ways, lines_.size()));
  controls_.assign(fillers.end() - static_cast<std::ptrdiff_t>(std::min(fillers.size(), lines_.size())), fillers.end());
  calibrate();
}

double VisitedSet::ns_a_visit(const Places& visited) {
  Places period;
  std::size_t driver = 0;
  for (const Place place : visited) {
    period.push_back(place);
    for (std::size_t i = 0; i < drivers_a_visit_; ++i) period.push_back(drivers_[driver++ % drivers_.size()]);
  }
  return memory_.ns_a_read(period) * static_cast<double>(1 + drivers_a_visit_);
}

/// What visits to these lines take longer than if they hit.
double VisitedSet::missing_ns(const Visits& visits) {
  Places visited, hitting;
  for (const std::uint8_t line : visits) {
    visited.push_back(lines_.at(line));
    hitting.push_back(controls_.at(line));
  }
  const double ns = ns_a_visit(visited);
  return ns - ns_a_visit(hitting);
}

/// Visits of all lines, one after the other: of three times as many as ways all miss, whatever is replaced.
void VisitedSet::calibrate() {
  Visits all;
  for (std::size_t line = 0; line < lines_.size(); ++line) all.push_back(static_cast<std::uint8_t>(line));
  std::vector<double> penalties;
  for (unsigned repeat = 0; repeat < calibrations; ++repeat) penalties.push_back(missing_ns(all));
  penalty_ns_ = median(penalties);
}

double VisitedSet::miss_ratio(const Visits& visits, std::mt19937_64& random) {
  const std::size_t lines = *std::max_element(visits.begin(), visits.end()) + std::size_t{1};
  double ns = 0;
  for (unsigned start = 0; start < starts; ++start) {
    Places before = first_of(lines_, lines);
    shuffle(before, random);
    memory_.ns_a_read(before);
    ns += missing_ns(visits) / starts;
  }
  return ns / penalty_ns_;
}

}  // namespace slidebench
