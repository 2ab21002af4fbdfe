// SPDX-License-Identifier: MIT
#include "harness/measure/timed_loop.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <stdexcept>
#include <string>

namespace slidebench {
namespace {

using Clock = std::chrono::steady_clock;

/// Takes the times that Google Benchmark measured, and prints nothing.
class Collector : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) times_.emplace_back(run.cpu_accumulated_time, run.real_accumulated_time);
  }
  /// CPU and wall time in seconds, a pair for each sample.
  const std::vector<std::pair<double, double>>& times() const { return times_; }

 private:
  std::vector<std::pair<double, double>> times_;
};

/// The timed loop. pass() goes through Work::run() into the method's module, one indirect call for each piece of the
/// segment; the kernel there (harness/plugin/replay.hpp) is, for `throughput`:
///
///   for (node = 0; node < block.nodes; ++node) {
///     between.at(block.tags[node]);                        // pressure: nothing, or the host's touches at an event
///     ask.go_to(block.occupied[node], block.tags[node]);   // the method's board
///     const RunLengths runs = block.runs[node];
///     for (n = bishops in runs; n != 0; --n) { sum += pin(M::bishop(*square++, board)); between.after_query(); }
///     ... rooks, queens and both alike ...
///   }
///
/// with the method M inlined and each answer pinned into a register.
void run_sample(benchmark::State& state, const Task& task, Work& work, std::size_t segment, double warm_up_ms,
                const Counting& counting, SampleTime& result) {
  DisturbanceWatch watch;
  warm_up(*task.contender, work, segment, warm_up_ms);
  std::uint64_t sum = 0;
  watch.start();
  if (counting.counters != nullptr) counting.counters->start(counting.pass);
  for (auto _ : state) sum += pass(*task.contender, work, segment);
  if (counting.counters != nullptr) result.counts = counting.counters->stop(counting.pass);
  result.disturbance = watch.stop();
  result.checksum = sum;
}

void take_turn(const Contender& contender, Work& work, std::size_t segment, std::size_t piece, SampleTime& time) {
  const Clock::time_point start = Clock::now();
  const std::uint64_t sum =
      contender.role == ContenderRole::clock ? run_clock(clock_turn_additions) : work.run(contender, segment, piece);
  time.wall_ns += std::chrono::duration<double, std::nano>(Clock::now() - start).count();
  time.time_ns = time.wall_ns;
  time.checksum += sum;
}

}  // namespace

std::uint64_t pass(const Contender& contender, Work& work, std::size_t segment) {
  if (contender.role == ContenderRole::clock) return run_clock(clock_additions);
  std::uint64_t sum = 0;
  for (std::size_t piece = 0; piece < work.pieces(segment); ++piece) sum += work.run(contender, segment, piece);
  return sum;
}

void warm_up(const Contender& contender, Work& work, std::size_t segment, double milliseconds) {
  note_contender(contender);
  if (contender.role == ContenderRole::clock) {
    run_clock(clock_additions);
  } else {
    work.prepare(contender, segment, milliseconds);
  }
}

std::vector<SampleTime> time_in_order(const std::vector<Task>& tasks, Work& work, std::size_t segment,
                                      double warm_up_ms, const Counting& counting) {
  std::vector<SampleTime> times(tasks.size());
  if (tasks.empty()) return times;  // Google Benchmark would complain
  benchmark::ClearRegisteredBenchmarks();
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const auto body = [&, i](benchmark::State& state) {
      run_sample(state, tasks[i], work, segment, warm_up_ms, counting, times[i]);
    };
    benchmark::RegisterBenchmark(("sample" + std::to_string(i)).c_str(), body)
        ->Iterations(static_cast<benchmark::IterationCount>(tasks[i].passes))
        ->UseRealTime();
  }
  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector, "all");
  benchmark::ClearRegisteredBenchmarks();
  if (collector.times().size() != tasks.size()) throw std::logic_error("Google Benchmark left samples out");
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    times[i].time_ns = collector.times()[i].first * 1e9;
    times[i].wall_ns = collector.times()[i].second * 1e9;
  }
  return times;
}

std::vector<SampleTime> time_in_turns(const std::vector<Task>& tasks, Work& work, std::size_t segment,
                                      Shuffler& random) {
  std::vector<SampleTime> times(tasks.size());
  std::vector<std::size_t> order(tasks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  DisturbanceWatch watch;
  watch.start();
  for (std::uint64_t pass = 0; pass < tasks.front().passes; ++pass) {
    for (std::size_t piece = 0; piece < work.pieces(segment); ++piece) {
      std::shuffle(order.begin(), order.end(), random);
      for (const std::size_t i : order) take_turn(*tasks[i].contender, work, segment, piece, times[i]);
    }
  }
  const Disturbance during = watch.stop();
  for (SampleTime& time : times) time.disturbance = during;
  return times;
}

}  // namespace slidebench
