// SPDX-License-Identifier: MIT
#include "harness/measure/contender.hpp"

#include <atomic>

#include "harness/platform/assembly.hpp"
#include "methods/empty.hpp"

namespace slidebench {
namespace {

std::atomic<const char*> under_way = nullptr;

}  // namespace

ContenderRole role_of(const Plugin& plugin) {
  if (plugin.descriptor().role == ModuleRole::twin) return ContenderRole::twin;
  if (plugin.descriptor().role == ModuleRole::control) return ContenderRole::control;
  if (plugin.id() == Empty::info.id) return ContenderRole::empty;
  if (plugin.id() == reference_method) return ContenderRole::reference;
  return ContenderRole::method;
}

Contender::Contender(std::shared_ptr<Plugin> loaded)
    : name(loaded->id()), role(role_of(*loaded)), plugin(std::move(loaded)) {
  if (role == ContenderRole::twin) name += ".twin";
  if (role == ContenderRole::control) name += ".control";
}

Contender Contender::clock() {
  Contender contender;
  contender.name = "clock";
  contender.role = ContenderRole::clock;
  return contender;
}

void note_contender(const Contender& contender) { under_way = contender.name.c_str(); }

const char* contender_under_way() { return under_way; }

std::uint64_t run_clock(std::uint64_t additions) {
  std::uint64_t sum = 0;
  // From a register: newer processors carry out additions of constants while renaming, in no time at all.
  std::uint64_t one = 1;
  asm volatile("" : "+r"(one));
  for (std::uint64_t i = 0; i < additions / 16; ++i) {
    // Sixteen additions, each waiting for the one before it; the loop's own work runs beside the chain.
    asm volatile(".rept 16\n\t" SLIDEBENCH_ADD(0, 1) ".endr" : "+r"(sum) : "r"(one) : "cc");
  }
  return sum;
}

}  // namespace slidebench
