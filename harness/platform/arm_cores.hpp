// SPDX-License-Identifier: MIT
//
// The cores of AArch64 processors by the numbers in their register MIDR_EL1, which /proc/cpuinfo has as "CPU
// implementer" and "CPU part": neither the kernel nor the processor has a name for them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace slidebench {

struct ArmCore {
  std::uint32_t implementer;
  std::uint32_t part;
  std::string_view name;
  std::string_view preset;  ///< of its caches and TLBs (cache_presets.hpp); empty if there is none
};

/// By the numbers as the kernel writes them, "0x41" and "0xd0c". Null if it is none of those that are known.
const ArmCore* arm_core(std::string_view implementer, std::string_view part);

/// "Neoverse N1", or "implementer 0x41, part 0xfff" for a core that is not known.
std::string arm_core_text(std::string_view implementer, std::string_view part);

}  // namespace slidebench
