// SPDX-License-Identifier: MIT
#include "harness/run/simulated_counts.hpp"

#include "harness/base/ordered_jobs.hpp"
#include "harness/measure/trace_selection.hpp"
#include "harness/plugin/known_methods.hpp"
#include "harness/run/simulation.hpp"
#include "harness/simulator/cache_spec.hpp"
#include "harness/trace/reader.hpp"

namespace slidebench {

std::vector<Plugin> modules_to_simulate(MethodOptions methods, std::vector<Skipped>& skipped) {
  if (!methods.methods.empty()) methods.methods.emplace_back(reference_method);
  return traced_twins(methods, skipped);
}

std::vector<EventCount> simulate_counts(const std::vector<Plugin>& modules, const std::vector<RunTrace>& traces,
                                        const std::function<void(std::size_t, std::size_t)>& on_progress) {
  constexpr std::uint64_t enough_queries = 2'000'000;
  std::vector<EventCount> counts;
  std::size_t done = 0;
  const Experiment experiment{.caches = {parse_cache_system("host")}, .pressure = {}};
  for (const RunTrace& named : traces) {
    const Trace trace = Trace::open(named.named.path);
    TraceSelection selection(trace, {.pieces = trace.has_pieces()});
    const std::span<const Segment> segments = first_segments(selection.segments(), enough_queries);
    in_order(
        modules.size(), all_processors(), [&](std::size_t i) { return observe(modules[i], segments, experiment); },
        [&](std::size_t i, const Observation& seen) {
          on_progress(++done, modules.size() * traces.size());
          const std::vector<EventCount> rows = event_counts(modules[i], named.named.name, experiment, seen);
          counts.insert(counts.end(), rows.begin(), rows.end());
        });
    trace.check_unchanged();
  }
  return counts;
}

}  // namespace slidebench
