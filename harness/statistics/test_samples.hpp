// SPDX-License-Identifier: MIT
//
// For tests: samples made by hand, rows by their contender, and samples of a cell whose truth is known.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/statistics/summary.hpp"

namespace slidebench {

/// A thousand queries of a contender in a cell of the workload throughput.
inline Sample sample_of(const std::string& contender, ContenderRole role, unsigned process_run, unsigned round,
                        double ns_per_query) {
  static const Cell cell = cell_of({.workload = "throughput", .trace = "game"});
  Sample s;
  s.process_run = process_run;
  s.round = round;
  s.contender = contender;
  s.method = role == ContenderRole::clock ? "" : contender.substr(0, contender.find('.'));
  s.level = "v3";
  s.role = role;
  s.cell = cell;
  s.queries = 1000;
  s.time_ns = 1000 * ns_per_query;
  return s;
}

/// A contender's row; the first, if it is in several cells.
inline SummaryRow row_of(const std::vector<SummaryRow>& rows, const std::string& contender) {
  for (const SummaryRow& row : rows) {
    if (row.contender == contender) return row;
  }
  throw std::runtime_error("no row " + contender);
}

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
