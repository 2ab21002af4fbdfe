// SPDX-License-Identifier: MIT
//
// `slidebench verify` of Windows: all methods in one program, checked as there. Prints a line a method; the exit status
// is 1 if one is wrong.
#include <cstdio>

#include "harness/plugin/cpu.hpp"
#include "harness/plugin/verification.hpp"
#include "harness/plugin/windows/linked_methods.hpp"

int main() {
  using namespace slidebench;
  bool right = true;
  for (const PluginDescriptor& method : linked_methods()) {
    const Isa lacking = (method.info.requires_isa | method.compiled_isa | isa_of_level(method.level)) & ~host_isa();
    if (lacking != Isa::none) {
      std::printf("%s: needs %s\n", method.info.id, isa_names(lacking).front().c_str());
      continue;
    }
    method.initialise();
    const VerificationResult result = verify_method(method, {.random_boards = 20'000});
    std::printf("%s: %s, %llu answers\n", method.info.id, result.counter_example.value_or("right").c_str(),
                static_cast<unsigned long long>(result.answers));
    right = right && !result.counter_example;
  }
  return right ? 0 : 1;
}
