// SPDX-License-Identifier: MIT
#include "harness/wasm/pressure.hpp"

namespace slidebench::wasm {
namespace {

volatile std::uint64_t one = 1;

/// An addition that the compiler neither folds nor reorders; `n` lies in a local, so that the engine adds registers.
void add(std::uint64_t& chain, std::uint64_t n) {
  chain += n;
  asm volatile("" : "+r"(chain));
}

}  // namespace

Touches::Touches(const char* name, std::uint64_t seed) : pressure_(parse_pressure(name)) {
  for (const Touching& touching : pressure_.parts) {
    parts_.push_back({.touching = touching,
                      .events = events_of(touching.when),
                      .memory = std::vector<std::uint8_t>(static_cast<std::size_t>(touching.block_bytes), 1),
                      .order = touch_order(touching, seed)});
  }
}

PressureHook Touches::hook() {
  return {.touch = [](void* self, NodeTag tag) { static_cast<Touches*>(self)->touch(tag); },
          .work = [](void* self) { static_cast<Touches*>(self)->work(); },
          .context = this,
          .events = pressure_events(pressure_)};
}

void Touches::touch(NodeTag tag) {
  for (Part& part : parts_) {
    if (part.events.has(tag)) touch(part);
  }
}

void Touches::touch(Part& part) {
  const std::uint32_t at_once = part.touching.lines_at_once();
  std::size_t cursor = part.cursor;
  std::uint64_t sum = 0;
  for (std::uint32_t touched = 0; touched < part.touching.lines; touched += at_once) {
    const std::uint8_t* line = part.memory.data() + std::size_t{part.order[cursor]} * cache_line_bytes;
    if (++cursor == part.order.size()) cursor = 0;
    for (std::uint32_t i = 0; i < at_once; ++i, line += cache_line_bytes) sum += *line;
  }
  part.cursor = cursor;
  sum_ += sum;
}

void Touches::work() {
  static_assert(work_unit == 16);
  const std::uint64_t n = one;
  std::uint64_t lasting = lasting_, anew = 0;
  for (std::uint32_t unit = 0; unit < pressure_.instructions / work_unit; ++unit) {
#pragma clang loop unroll(full)
    for (unsigned i = 0; i < work_unit / 2; ++i) {
      add(lasting, n);
      add(anew, n);
    }
  }
  lasting_ = lasting;
  sum_ += anew;
}

}  // namespace slidebench::wasm
