// SPDX-License-Identifier: MIT
#include "harness/pressure/pressure_block.hpp"

#include <cstdlib>
#include <cstring>

#include "harness/base/errors.hpp"
#include "harness/platform/assembly.hpp"
#include "harness/platform/large_pages.hpp"

namespace slidebench {

PressureBlock::Part::Part(const Touching& touching, std::uint64_t seed, bool large_pages)
    : touching_(touching), events_(events_of(touching.when)), order_(touch_order(touching, seed)) {
  const std::uint64_t bytes = touching.block_bytes;
  void* memory = std::aligned_alloc(large_page, whole_large_pages(bytes));
  if (memory == nullptr) {
    throw UserError("no memory for the pressure on " + block_text(touching) + "; use a smaller block");
  }
  memory_.reset(static_cast<std::byte*>(memory));
  advise_pages(memory, bytes, large_pages);
  // Unwritten memory is one shared page of zeros, which no cache would notice.
  std::memset(memory, 1, bytes);
}

void PressureBlock::Part::touch() {
  const std::uint32_t at_once = touching_.lines_at_once();
  // A copy: through memory, the place in the order would cost a store and a load a line.
  std::size_t cursor = cursor_;
  for (std::uint32_t touched = 0; touched < touching_.lines; touched += at_once) {
    const std::byte* line = memory_.get() + std::size_t{order_[cursor]} * cache_line_bytes;
    if (++cursor == order_.size()) cursor = 0;
    for (std::uint32_t i = 0; i < at_once; ++i, line += cache_line_bytes) {
      asm volatile("" : : "r"(std::to_integer<unsigned>(*line)));
    }
  }
  cursor_ = cursor;
}

PressureBlock::PressureBlock(const Pressure& pressure, std::uint64_t seed, bool large_pages)
    : events_(pressure_events(pressure)), work_units_(pressure.instructions / work_unit) {
  for (const Touching& touching : pressure.parts) parts_.emplace_back(touching, seed, large_pages);
}

PressureHook PressureBlock::hook() {
  return {.touch = [](void* block, NodeTag tag) { static_cast<PressureBlock*>(block)->touch(tag); },
          .work = [](void* block) { static_cast<PressureBlock*>(block)->work(); },
          .context = this,
          .events = events_};
}

[[gnu::noinline]] void PressureBlock::touch(NodeTag tag) {
  for (Part& part : parts_) {
    if (part.events().has(tag)) part.touch();
  }
}

// Aligned, so that an edit elsewhere in the host does not move its loop over a boundary of fetch or decode.
[[gnu::noinline, gnu::aligned(64)]] void PressureBlock::work() {
  static_assert(work_unit == 16);
  std::uint64_t lasting = lasting_;
  std::uint64_t anew = 0;
  for (std::uint32_t unit = 0; unit < work_units_; ++unit)
    asm volatile(".rept 8\n\t" SLIDEBENCH_ADD_ONE(0) SLIDEBENCH_ADD_ONE(1) ".endr" : "+r"(lasting), "+r"(anew));
  lasting_ = lasting;
}

}  // namespace slidebench
