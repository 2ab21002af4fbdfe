// SPDX-License-Identifier: MIT
//
// Which instructions a call executes, in their order: what a model of a processor is given, and what a page shows.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace slidebench {

struct ExecutedPath {
  struct Instruction {
    std::uintptr_t address;
    unsigned length;  ///< bytes
  };
  std::vector<Instruction> code;     ///< the different ones, in the order in which they came first
  std::vector<std::uint32_t> order;  ///< indexes into `code`, an entry an executed instruction
};

/// Executes `work` instruction by instruction (single_step.hpp) and keeps what the first call of a function in it
/// executes: from its first instruction to its return, with all that it calls.
/// @param function  its address; the path is empty if `work` does not call it
/// Throws UserError as single_step does, and for an instruction that the decoder does not know.
ExecutedPath executed_path(const std::function<void()>& work, std::uintptr_t function);

}  // namespace slidebench
