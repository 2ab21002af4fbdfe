// SPDX-License-Identifier: MIT
#include "extras/web/wasm/pressure.hpp"

#include <algorithm>

namespace slidebench::wasm {
namespace {

volatile std::uint64_t one = 1;

/// An addition that the compiler neither folds nor reorders; `n` lies in a local, so that the engine adds registers.
void add(std::uint64_t& chain, std::uint64_t n) {
  chain += n;
  asm volatile("" : "+r"(chain));
}

}  // namespace

Touches::Touches(const char* name, std::uint64_t seed) {
  const Pressure pressure = parse_pressure(name);
  events_ = pressure_events(pressure);
  work_units_ = pressure.instructions / work_unit;
  for (const Touching& touching : pressure.parts) {
    parts_.push_back({.lines = touching.lines,
                      .events = events_of(touching.when),
                      .memory = std::vector<std::uint8_t>(static_cast<std::size_t>(touching.block_bytes), 1),
                      .order = touch_order(touching, seed)});
    for (std::uint32_t& line : parts_.back().order) line *= cache_line_bytes;
  }
}

PressureHook Touches::hook() {
  return {.touch = [](void* self, NodeTag tag) { static_cast<Touches*>(self)->touch(tag); },
          .work = [](void* self) { static_cast<Touches*>(self)->work(); },
          .context = this,
          .events = events_};
}

void Touches::touch(NodeTag tag) {
  for (Part& part : parts_) {
    if (part.events.has(tag)) touch(part);
  }
}

void Touches::touch(Part& part) {
  const std::uint8_t* const memory = part.memory.data();
  const std::uint32_t* const order = part.order.data();
  const std::size_t end = part.order.size();
  std::size_t cursor = part.cursor;
  std::uint64_t sum = 0;
  for (std::size_t left = part.lines; left != 0;) {
    const std::size_t straight = std::min(left, end - cursor);
    for (std::size_t i = cursor; i < cursor + straight; ++i) sum += memory[order[i]];
    left -= straight;
    cursor = cursor + straight == end ? 0 : cursor + straight;
  }
  part.cursor = cursor;
  sum_ += sum;
}

void Touches::work() {
  static_assert(work_unit == 16);
  const std::uint64_t n = one;
  std::uint64_t lasting = lasting_, anew = 0;
  for (std::uint32_t unit = work_units_; unit != 0; --unit) {
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
