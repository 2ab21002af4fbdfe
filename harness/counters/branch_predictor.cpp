// SPDX-License-Identifier: MIT
#include "harness/counters/branch_predictor.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace slidebench {
namespace {

constexpr int heaviest = 127;  // weights are bytes

void move_towards(int& weight, int direction) { weight = std::clamp(weight + direction, -heaviest - 1, heaviest); }

}  // namespace

bool BranchPredictor::foretells(std::uintptr_t address, bool taken) {
  Perceptron& perceptron = perceptrons_[address % perceptron_count];
  const int sum = std::inner_product(history_.begin(), history_.end(), perceptron.weights.begin(), perceptron.bias);
  const bool right = (sum >= 0) == taken;
  const int direction = taken ? 1 : -1;
  if (!right || std::abs(sum) <= threshold) {
    move_towards(perceptron.bias, direction);
    for (std::size_t i = 0; i < history_length; ++i) move_towards(perceptron.weights[i], direction * history_[i]);
  }
  std::rotate(history_.rbegin(), history_.rbegin() + 1, history_.rend());
  history_.front() = direction;
  return right;
}

}  // namespace slidebench
