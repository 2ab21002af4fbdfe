// SPDX-License-Identifier: MIT
#include "harness/measure/slice.hpp"

#include <benchmark/benchmark.h>

#include <stdexcept>
#include <string>

namespace slidebench {
namespace {

/// Takes the times that Google Benchmark measured, and prints nothing.
class Collector : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) seconds_.push_back(run.real_accumulated_time);
  }
  const std::vector<double>& seconds() const { return seconds_; }

 private:
  std::vector<double> seconds_;
};

void run_slice(benchmark::State& state, const Slice& slice, SliceTime& result) {
  DisturbanceWatch watch;
  slice.warm_up();
  std::uint64_t sum = 0;
  watch.start();
  for (auto _ : state) sum += slice.pass();
  result.disturbance = watch.stop();
  result.checksum = sum;
}

}  // namespace

std::vector<SliceTime> time_slices(const std::vector<Slice>& slices) {
  std::vector<SliceTime> results(slices.size());
  if (slices.empty()) return results;  // Google Benchmark would complain
  benchmark::ClearRegisteredBenchmarks();
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const auto body = [&slice = slices[i], &result = results[i]](benchmark::State& state) {
      run_slice(state, slice, result);
    };
    benchmark::RegisterBenchmark(("slice" + std::to_string(i)).c_str(), body)
        ->Iterations(static_cast<benchmark::IterationCount>(slices[i].passes))
        ->UseRealTime();
  }
  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector, "all");
  benchmark::ClearRegisteredBenchmarks();
  if (collector.seconds().size() != slices.size()) throw std::logic_error("Google Benchmark left slices out");
  for (std::size_t i = 0; i < slices.size(); ++i) results[i].time_ns = collector.seconds()[i] * 1e9;
  return results;
}

}  // namespace slidebench
