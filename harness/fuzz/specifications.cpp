// SPDX-License-Identifier: MIT
//
// Specifications of pressures and of cache systems: refused, or consistent with what is printed of them.
#include "harness/base/errors.hpp"
#include "harness/fuzz/fuzz_input.hpp"
#include "harness/pressure/pressure.hpp"
#include "harness/simulator/cache_spec.hpp"

namespace {

using namespace slidebench;

void check_pressure(const std::string& text) {
  const Pressure pressure = parse_pressure(text);
  for (const Touching& part : pressure.parts) {
    const Pressure again = parse_pressure(std::to_string(part.lines) + "@" + block_text(part));
    fuzz::require(again.parts.size() == 1 && again.parts.front().lines == part.lines);
    fuzz::require(again.block_bytes() == part.block_bytes && block_text(again.parts.front()) == block_text(part));
  }
}

void check_cache(const std::string& text) {
  const CacheSystem system = parse_cache_system(text);
  fuzz::require(specification(parse_cache_system(specification(system))) == specification(system));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = slidebench::fuzz::text_of(data, size);
  for (const auto check : {check_pressure, check_cache}) {
    try {
      check(text);
    } catch (const slidebench::UserError&) {
    }
  }
  return 0;
}
