// SPDX-License-Identifier: MIT
#include "harness/cachelab/laboratory.hpp"

#include "harness/cachelab/access_stream.hpp"

namespace slidebench {

std::span<const TraceBlock> blocks_of(const Trace& trace, const Experiment& experiment) {
  const std::span<const TraceBlock> all = trace.blocks();
  if (experiment.max_queries == 0) return all;
  std::size_t count = 0;
  for (std::uint64_t queries = 0; count < all.size() && queries < experiment.max_queries; ++count) {
    queries += all[count].queries;
  }
  return all.first(count);
}

Observation observe(const Plugin& traced, const Trace& trace, const Experiment& experiment) {
  Observation seen;
  seen.space = std::make_unique<AddressSpace>(traced.tables(), experiment.pressure, experiment.large_pages);
  seen.coverage = std::make_unique<Coverage>(*seen.space);
  if (experiment.reuse) {
    seen.lines.emplace(cache_line_bytes);
    seen.pages.emplace(4096u);
  }

  std::vector<std::unique_ptr<Simulator>> simulators;
  for (const CacheSystem& system : experiment.caches) {
    for (unsigned draw = 0; draw < experiment.draws; ++draw) {
      const SimulatorOptions options{.placement_seed = draw + 1,
                                     .classify = draw == 0 && !experiment.pressure.touches()};
      simulators.push_back(std::make_unique<Simulator>(system, *seen.space, options));
    }
  }

  std::vector<EventConsumer*> listeners{seen.coverage.get()};
  if (experiment.reuse) listeners.insert(listeners.end(), {&*seen.lines, &*seen.pages});
  for (const auto& simulator : simulators) listeners.push_back(simulator.get());

  const std::span<const TraceBlock> blocks = blocks_of(trace, experiment);
  AccessStream stream(traced.descriptor(), *seen.space, {.pressure = experiment.pressure});
  stream.replay(blocks, listeners);

  for (const TraceBlock& block : blocks) seen.queries += block.queries;
  for (std::size_t i = 0; i < simulators.size(); ++i) {
    seen.caches.push_back({i / experiment.draws, static_cast<unsigned>(i % experiment.draws), simulators[i]->counts()});
  }
  return seen;
}

}  // namespace slidebench
