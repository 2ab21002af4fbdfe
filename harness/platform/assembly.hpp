// SPDX-License-Identifier: MIT
//
// The instructions that are written out, because no compiler may choose them, for each architecture.
//
// SLIDEBENCH_ADD_ONE(n): one addition of the constant 1 to operand n of an asm statement, as its text.
// SLIDEBENCH_ADD(n, m): one addition of operand m, a register, to operand n.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#define SLIDEBENCH_ADD_ONE(n) "add $1, %" #n "\n\t"
#define SLIDEBENCH_ADD(n, m) "add %" #m ", %" #n "\n\t"
#elif defined(__aarch64__)
#define SLIDEBENCH_ADD_ONE(n) "add %" #n ", %" #n ", #1\n\t"
#define SLIDEBENCH_ADD(n, m) "add %" #n ", %" #n ", %" #m "\n\t"
#elif !defined(__wasm__)  // whose engine chooses the instructions (extras/web/wasm/pressure.cpp)
#error "harness/platform/assembly.hpp knows x86-64, AArch64 and WebAssembly: add this architecture's instructions"
#endif

namespace slidebench {

/// Zero, but computed from `answer` in one instruction that neither compiler nor processor sees through.
inline std::uint64_t opaque_zero(std::uint64_t answer) {
#if defined(__x86_64__)
  asm volatile("and $0, %0" : "+r"(answer));
#elif defined(__wasm__)
  // An engine would fold an AND with a constant 0; it cannot know what is in memory.
  static const volatile std::uint64_t zero = 0;
  answer &= zero;
#else
  asm volatile("and %0, %0, xzr" : "+r"(answer));
#endif
  return answer;
}

}  // namespace slidebench
