// SPDX-License-Identifier: MIT
//
// The memory that a piece of work really reads, taken from its executed instructions and their registers.
//
// This is a witness for the traced modules: it knows nothing of Table<T, N>, and looks at the code that is timed.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace slidebench {

struct MemoryRead {
  std::uintptr_t address;
  std::uint32_t bytes;
  std::uintptr_t instruction = 0;  ///< the address of the one that reads
};

/// Every read of memory by `work` in the order of execution, the stack included. Runs as single_step does.
/// Throws UserError as single_step does, and for gathers, whose addresses stand in vector registers.
std::vector<MemoryRead> memory_reads(const std::function<void()>& work);

}  // namespace slidebench
