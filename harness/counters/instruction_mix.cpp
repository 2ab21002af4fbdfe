// SPDX-License-Identifier: MIT
#include "harness/counters/instruction_mix.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <numeric>
#include <unordered_map>
#include <vector>

#include "harness/counters/decoded_instruction.hpp"
#include "harness/counters/single_step.hpp"

namespace slidebench {
namespace {

constexpr int heaviest = 127;  // weights are bytes

void move_towards(int& weight, int direction) { weight = std::clamp(weight + direction, -heaviest - 1, heaviest); }

/// A branch predictor in software: it tells which conditional branches no machine can foresee, because they depend on
/// the occupancy, from those of a loop that always goes round four times. It is no model of a particular processor.
///
/// A perceptron for each branch (by its address) weighs the directions of the last branches; it is right when the sign
/// of the sum is, and learns when it was wrong or not sure. Source: D. A. Jiménez and C. Lin, Dynamic Branch Prediction
/// with Perceptrons, HPCA 2001, from which length of history and threshold are taken.
class BranchPredictor {
 public:
  /// Executes a conditional branch at this address. Returns whether its direction was foretold, and learns it.
  bool foretells(std::uintptr_t address, bool taken) {
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

 private:
  static constexpr std::size_t history_length = 28;
  static constexpr std::size_t perceptron_count = 4096;
  static constexpr int threshold = 68;  // 1.93 x history + 14

  struct Perceptron {
    int bias = 0;
    std::array<int, history_length> weights{};
  };

  std::vector<Perceptron> perceptrons_ = std::vector<Perceptron>(perceptron_count);
  std::array<int, history_length> history_{};  // 1: taken, -1: not; the youngest first; 0 before the first branch
};

/// The instructions executed, in their order.
class Executed {
 public:
  void add(std::uintptr_t address) {
    if (last_ != nullptr && last_->decoded.is_conditional_branch) {
      const bool taken = address != last_address_ + last_->decoded.length;
      if (!predictor_.foretells(last_address_, taken)) ++last_->mispredicted;
    }
    last_address_ = address;
    last_ = &instructions_.try_emplace(address, address).first->second;
    ++last_->executions;
  }

  InstructionMix mix() const {
    InstructionMix mix;
    for (const auto& [address, instruction] : instructions_) {
      const DecodedInstruction& decoded = instruction.decoded;
      const std::uint64_t count = instruction.executions;
      mix.instructions += count;
      if (decoded.reads_memory) mix.loads += count;
      if (decoded.reads_memory && decoded.uses_stack) mix.stack_loads += count;
      if (decoded.writes_memory) mix.stores += count;
      if (decoded.is_conditional_branch) mix.branches += count;
      mix.mispredicted += instruction.mispredicted;
      mix.code_bytes += decoded.length;
    }
    return mix;
  }

 private:
  struct Instruction {
    explicit Instruction(std::uintptr_t address) : decoded(decode_instruction(address)) {}
    DecodedInstruction decoded;
    std::uint64_t executions = 0;
    std::uint64_t mispredicted = 0;
  };

  std::unordered_map<std::uintptr_t, Instruction> instructions_;
  BranchPredictor predictor_;
  Instruction* last_ = nullptr;
  std::uintptr_t last_address_ = 0;
};

}  // namespace

InstructionMix instruction_mix(const std::function<void()>& work) {
  Executed executed;
  single_step(work, [&executed](const TracedRegisters& registers) { executed.add(next_instruction(registers)); });
  return executed.mix();
}

}  // namespace slidebench
