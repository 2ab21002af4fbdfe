// SPDX-License-Identifier: MIT
//
// A branch predictor in software: it tells which conditional branches no machine can foresee, because they depend on
// the occupancy, from those of a loop that always goes round four times. It is no model of a particular processor.
//
// A perceptron for each branch (by its address) weighs the directions of the last branches; it is right when the sign
// of the sum is, and learns when it was wrong or not sure. Source: D. A. Jiménez and C. Lin, Dynamic Branch Prediction
// with Perceptrons, HPCA 2001, from which length of history and threshold are taken.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace slidebench {

class BranchPredictor {
 public:
  BranchPredictor() : perceptrons_(perceptron_count) {}

  /// Executes a conditional branch at this address. Returns whether its direction was foretold, and learns it.
  bool foretells(std::uintptr_t address, bool taken);

 private:
  static constexpr std::size_t history_length = 28;
  static constexpr std::size_t perceptron_count = 4096;
  static constexpr int threshold = 68;  // 1.93 x history + 14

  struct Perceptron {
    int bias = 0;
    std::array<int, history_length> weights{};
  };

  std::vector<Perceptron> perceptrons_;
  std::array<int, history_length> history_{};  // 1: taken, -1: not; the youngest first; 0 before the first branch
};

}  // namespace slidebench
