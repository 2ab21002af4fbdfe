// SPDX-License-Identifier: MIT
#include "harness/timing/pressure_block.hpp"

#include <cstdlib>
#include <cstring>

#include "harness/timing/table_pages.hpp"
#include "harness/trace/errors.hpp"

namespace slidebench {

PressureBlock::PressureBlock(const Pressure& pressure, std::uint64_t seed, bool large_pages)
    : pressure_(pressure), order_(touch_order(pressure, seed)) {
  void* memory = std::aligned_alloc(large_page, whole_large_pages(pressure.block_bytes));
  if (memory == nullptr) {
    throw UserError("no memory for the pressure '" + pressure.name + "', " +
                    std::to_string(pressure.block_bytes >> 20) + " MiB; use a smaller block");
  }
  memory_.reset(static_cast<std::byte*>(memory));
  advise_pages(memory, pressure.block_bytes, large_pages);
  // Unwritten memory is one shared page of zeros, which no cache would notice.
  std::memset(memory, 1, pressure.block_bytes);
}

PressureHook PressureBlock::hook() {
  const NodePattern events = pressure_events(pressure_).value();
  return {.touch = [](void* block) { static_cast<PressureBlock*>(block)->touch(); },
          .context = this,
          .mask = events.mask,
          .wanted = events.wanted};
}

[[gnu::noinline]] void PressureBlock::touch() {
  const std::uint32_t at_once = pressure_.lines_at_once();
  for (std::uint32_t touched = 0; touched < pressure_.lines; touched += at_once) {
    const std::byte* line = memory_.get() + std::size_t{order_[cursor_]} * cache_line_bytes;
    if (++cursor_ == order_.size()) cursor_ = 0;
    for (std::uint32_t i = 0; i < at_once; ++i, line += cache_line_bytes) {
      asm volatile("" : : "r"(std::to_integer<unsigned>(*line)));
    }
  }
}

}  // namespace slidebench
