// SPDX-License-Identifier: MIT
#include "harness/simulator/experiment.hpp"

namespace slidebench {
namespace {

std::uint64_t queries_of(ReplaySegment segment) {
  std::uint64_t queries = 0;
  for (const TraceBlock& block : segment) queries += block.queries;
  return queries;
}

/// For every cache system, all draws.
std::vector<std::unique_ptr<Simulator>> make_simulators(const Experiment& experiment, const AddressSpace& space) {
  std::vector<std::unique_ptr<Simulator>> simulators;
  for (const CacheSystem& system : experiment.caches) {
    for (unsigned draw = 0; draw < experiment.draws; ++draw) {
      const SimulatorOptions options{
          .placement_seed = draw + 1, .classify = draw == 0 && !experiment.pressure.touches(), .translate = draw == 0};
      simulators.push_back(std::make_unique<Simulator>(system, space, options));
    }
  }
  return simulators;
}

/// TLBs are the same for every draw, and so simulated once.
void copy_tlb_counts(const MissCounts& from, MissCounts& to) {
  for (const Level level : {Level::dtlb, Level::stlb}) to.at(level) = from.at(level);
}

std::vector<SimulatedCache> counts_of(const std::vector<std::unique_ptr<Simulator>>& simulators, unsigned draws) {
  std::vector<SimulatedCache> caches;
  for (std::size_t i = 0; i < simulators.size(); ++i) {
    const auto draw = static_cast<unsigned>(i % draws);
    caches.push_back({i / draws, draw, simulators[i]->counts(), simulators[i]->warm_up_counts()});
    copy_tlb_counts(simulators[i - draw]->counts(), caches.back().counts);
    copy_tlb_counts(simulators[i - draw]->warm_up_counts(), caches.back().warm_up);
  }
  return caches;
}

}  // namespace

std::span<const ReplaySegment> first_segments(std::span<const ReplaySegment> segments, std::uint64_t queries) {
  std::size_t count = 0;
  for (std::uint64_t taken = 0; count < segments.size() && taken < queries; ++count)
    taken += queries_of(segments[count]);
  return segments.first(count);
}

Observation observe(const Plugin& traced, std::span<const ReplaySegment> segments, const Experiment& experiment) {
  Observation seen;
  seen.space = std::make_unique<AddressSpace>(traced.tables(), experiment.pressure, experiment.large_pages);
  seen.coverage = std::make_unique<Coverage>(*seen.space);
  if (experiment.reuse) {
    seen.lines.emplace(cache_line_bytes);
    seen.pages.emplace(4096u);
  }
  const std::vector<std::unique_ptr<Simulator>> simulators = make_simulators(experiment, *seen.space);

  std::vector<EventConsumer*> to_warm_up;
  for (const auto& simulator : simulators) to_warm_up.push_back(simulator.get());
  std::vector<EventConsumer*> listeners = to_warm_up;
  listeners.push_back(seen.coverage.get());
  if (experiment.reuse) listeners.insert(listeners.end(), {&*seen.lines, &*seen.pages});

  AccessStream stream(traced.descriptor(), *seen.space,
                      {.pressure = experiment.pressure, .touches = experiment.touches});
  for (const ReplaySegment segment : segments) {
    if (!experiment.cold) {
      for (const auto& simulator : simulators) simulator->set_warming_up(true);
      stream.restart_board();
      stream.replay(segment, to_warm_up);
      for (const auto& simulator : simulators) simulator->set_warming_up(false);
      stream.restart_board();
    }
    stream.replay(segment, listeners);
    seen.queries += queries_of(segment);
  }
  seen.caches = counts_of(simulators, experiment.draws);
  return seen;
}

}  // namespace slidebench
