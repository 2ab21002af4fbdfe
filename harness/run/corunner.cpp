// SPDX-License-Identifier: MIT
#include "harness/run/corunner.hpp"

#include <cstdint>
#include <vector>

#include "harness/platform/cpu_binding.hpp"

namespace slidebench {

std::deque<ChildProcess> start_corunners(unsigned count) {
  const ChildStart start{.program = own_program,
                         .arguments = {"run-corunner"},
                         .pipe_input = false,
                         .pipe_output = false,
                         .pipe_errors = false};
  std::deque<ChildProcess> processes;
  for (unsigned i = 0; i < count; ++i) processes.emplace_back(start);
  return processes;
}

void run_corunner() {
  bind_elsewhere();
  constexpr std::size_t bytes = std::size_t{64} << 20;  // more than most shared caches hold
  constexpr std::size_t line_words = 64 / sizeof(std::uint64_t);
  std::vector<std::uint64_t> block(bytes / sizeof(std::uint64_t), 1);
  const std::size_t lines = block.size() / line_words;
  std::uint64_t state = 0x9E3779B97F4A7C15;
  for (;;) {
    state = state * 6364136223846793005 + 1442695040888963407;  // D. Knuth's linear congruential generator
    asm volatile("" : : "r"(block[(state >> 32) % lines * line_words]));
  }
}

}  // namespace slidebench
