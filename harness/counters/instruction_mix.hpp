// SPDX-License-Identifier: MIT
//
// What the executed instructions do: how many of them read or write memory, how many branch, and how long they are.
#pragma once

#include <cstdint>
#include <functional>

namespace slidebench {

struct InstructionMix {
  std::uint64_t instructions = 0;
  std::uint64_t loads = 0;         ///< read memory, the stack included; a gather counts once
  std::uint64_t stores = 0;        ///< write memory, the stack included
  std::uint64_t stack_loads = 0;   ///< loads relative to the stack pointer: spilled registers, pops and returns
  std::uint64_t branches = 0;      ///< conditional branches
  std::uint64_t mispredicted = 0;  ///< of these, by a simulated predictor (instruction_mix.cpp) that begins unlearnt
  std::uint64_t code_bytes = 0;  ///< lengths of the different instructions executed: what the caches of code must hold

  friend bool operator==(const InstructionMix&, const InstructionMix&) = default;
};

/// Executes `work` instruction by instruction (single_step.hpp) and decodes what it executed. The few
/// instructions of the call itself count too: compare with other work. Throws UserError as single_step does, and for an
/// instruction that the decoder does not know.
InstructionMix instruction_mix(const std::function<void()>& work);

}  // namespace slidebench
