// SPDX-License-Identifier: MIT
//
// How fast the simulator is: accesses per second, on one core.
//
//   slidebench_simulator_speed TRACED TRACE CACHES [REPEATS [PRESSURE]]
//       records what a traced module reads on a trace, and what PRESSURE (isolated unless told) touches in between,
//       then sends the recording through one simulator, once to warm it up and REPEATS times (5 unless told) against
//       the clock. Prints accesses a second of CPU time, of each repeat and their median. The clock is the process's
//       CPU time, which other programs disturb least.
//
// An access is one read of a table, or one touched line, whatever it goes through: L1, L2, L3 and both TLB levels, if
// CACHES names them.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <iostream>
#include <span>
#include <string>
#include <vector>

#include "harness/base/errors.hpp"
#include "harness/plugin/cpu.hpp"
#include "harness/plugin/loader.hpp"
#include "harness/simulator/access_stream.hpp"
#include "harness/simulator/address_space.hpp"
#include "harness/simulator/cache_spec.hpp"
#include "harness/simulator/simulator.hpp"
#include "harness/trace/reader.hpp"

namespace {

using namespace slidebench;

/// As many events as AccessStream hands over at once.
constexpr std::size_t batch_events = 1024;

/// Keeps the events, and counts the accesses among them.
class Recording : public EventConsumer {
 public:
  void consume(std::span<const MemoryEvent> events) override {
    for (const MemoryEvent& event : events) accesses_ += event.kind == MemoryEvent::Kind::access;
    events_.insert(events_.end(), events.begin(), events.end());
  }

  std::uint64_t accesses() const { return accesses_; }

  void replay(EventConsumer& consumer) const {
    for (std::span<const MemoryEvent> rest = events_; !rest.empty();) {
      const std::size_t size = std::min(batch_events, rest.size());
      consumer.consume(rest.first(size));
      rest = rest.subspan(size);
    }
  }

 private:
  std::vector<MemoryEvent> events_;
  std::uint64_t accesses_ = 0;
};

/// CPU time of this process in seconds.
double cpu_time_s() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

unsigned parse_repeats(const std::string& text) {
  if (text.empty() || text.size() > 3 || text.find_first_not_of("0123456789") != std::string::npos ||
      std::stoul(text) == 0) {
    throw UserError("'" + text + "' is no number of repeats; use 1 to 999");
  }
  return static_cast<unsigned>(std::stoul(text));
}

Recording record(const Plugin& traced, const AddressSpace& space, const Trace& trace, const Pressure& pressure) {
  Recording recording;
  EventConsumer* const consumer = &recording;
  AccessStream(traced.descriptor(), space, {.pressure = pressure}).replay(trace.blocks(), {&consumer, 1});
  if (recording.accesses() == 0) throw UserError(traced.id() + ": it reads no tables on this trace");
  return recording;
}

int run(const std::vector<std::string>& arguments) {
  if (arguments.size() < 3 || arguments.size() > 5) {
    throw UserError("usage: slidebench_simulator_speed TRACED TRACE CACHES [REPEATS [PRESSURE]]");
  }
  const unsigned repeats = arguments.size() >= 4 ? parse_repeats(arguments[3]) : 5;
  const Pressure pressure = parse_pressure(arguments.size() == 5 ? arguments[4] : "isolated");
  const CacheSystem system = parse_cache_system(arguments[2]);
  Plugin traced = Plugin::open(arguments[0]);
  if (!traced.runs_on(host_isa())) throw UserError(traced.id() + ": " + traced.status(host_isa()));
  traced.initialise();
  const AddressSpace space(traced.tables(), pressure, false);
  const Recording recording = record(traced, space, Trace::open(arguments[1]), pressure);

  Simulator simulator(system, space);
  recording.replay(simulator);
  std::vector<double> rates;
  for (unsigned repeat = 0; repeat < repeats; ++repeat) {
    const double start_s = cpu_time_s();
    recording.replay(simulator);
    const double time_s = cpu_time_s() - start_s;
    if (time_s <= 0) throw UserError("the trace is too short for the clock");
    rates.push_back(static_cast<double>(recording.accesses()) / time_s * 1e-6);
    std::printf("repeat %u: %.1f million accesses per second\n", repeat + 1, rates.back());
  }
  std::sort(rates.begin(), rates.end());
  std::printf("median: %.1f million accesses per second, %llu accesses, %s, %s, pressure %s\n", rates[rates.size() / 2],
              static_cast<unsigned long long>(recording.accesses()), traced.id().c_str(), specification(system).c_str(),
              pressure.name.c_str());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::cerr << "slidebench_simulator_speed: " << error.what() << '\n';
    return 2;
  }
}
