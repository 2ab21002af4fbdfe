// SPDX-License-Identifier: MIT
//
// For tests: samples of a cell whose truth is known.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "harness/statistics/test_samples.hpp"

namespace slidebench {

/// The log ratio of method m under a pressure of so many lines.
using Truth = double (*)(int method, double lines);

/// A cell of eight methods and the reference, whose true ratios to the reference are given.
inline void add_cell(std::vector<Sample>& samples, const std::string& pressure, double lines, Truth truth,
                     double noise_sd) {
  std::mt19937_64 random(static_cast<std::uint64_t>(lines) + 5);
  std::normal_distribution<double> noise(0, noise_sd);
  for (unsigned process_run = 0; process_run < 6; ++process_run) {
    for (unsigned round = 0; round < 10; ++round) {
      for (int method = 0; method <= 8; ++method) {
        const bool reference = method == 0;
        samples.push_back(sample_of(reference ? "magic_fancy" : "method" + std::to_string(method),
                                    reference ? ContenderRole::reference : ContenderRole::method, process_run, round,
                                    4 * std::exp((reference ? 0 : truth(method, lines)) + noise(random))));
        samples.back().cell = cell_of({.workload = "throughput", .trace = "game", .pressure = pressure});
      }
    }
  }
}

}  // namespace slidebench
