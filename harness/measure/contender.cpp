// SPDX-License-Identifier: MIT
#include "harness/measure/contender.hpp"

#include <atomic>

#include "harness/platform/assembly.hpp"
#include "harness/plugin/extension.hpp"
#include "methods/empty.hpp"

namespace slidebench {
namespace {

std::atomic<const char*> under_way = nullptr;

}  // namespace

ContenderRole role_of(const Plugin& plugin) {
  if (plugin.descriptor().role == ModuleRole::twice) return ContenderRole::twice;
  if (plugin.id() == Empty::info.id) return ContenderRole::empty;
  if (is_reference(plugin)) return ContenderRole::reference;
  return ContenderRole::method;
}

Contender::Contender(const std::shared_ptr<Plugin>& loaded) : Contender(loaded, role_of(*loaded)) {}

Contender::Contender(const std::shared_ptr<Plugin>& loaded, ContenderRole as)
    : name(loaded->id()), role(as), plugin(loaded) {
  const bool is_itself =
      role == ContenderRole::method || role == ContenderRole::reference || role == ContenderRole::empty;
  if (!is_itself) name += "." + to_string(role);
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
