// SPDX-License-Identifier: MIT
#include "harness/counters/instruction_mix.hpp"

#include <unordered_map>

#include "harness/counters/branch_predictor.hpp"
#include "harness/counters/decoded_instruction.hpp"
#include "harness/counters/single_step.hpp"

namespace slidebench {
namespace {

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
