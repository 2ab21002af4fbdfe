// SPDX-License-Identifier: MIT
#include "harness/platform/arm_cores.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

#include "harness/base/text.hpp"

namespace slidebench {
namespace {

constexpr std::uint32_t arm = 0x41, fujitsu = 0x46, hisilicon = 0x48, qualcomm = 0x51, apple = 0x61, ampere = 0xC0;

/// Source: MIDR_EL1 in the cores' Technical Reference Manuals; Linux, arch/arm64/include/asm/cputype.h.
constexpr ArmCore known_cores[] = {{arm, 0xD03, "Cortex-A53", ""},
                                   {arm, 0xD05, "Cortex-A55", ""},
                                   {arm, 0xD07, "Cortex-A57", ""},
                                   {arm, 0xD08, "Cortex-A72", ""},
                                   {arm, 0xD09, "Cortex-A73", ""},
                                   {arm, 0xD0A, "Cortex-A75", ""},
                                   {arm, 0xD0B, "Cortex-A76", "cortex-a76"},
                                   {arm, 0xD0C, "Neoverse N1", "neoverse-n1"},
                                   {arm, 0xD0D, "Cortex-A77", ""},
                                   {arm, 0xD40, "Neoverse V1", ""},
                                   {arm, 0xD41, "Cortex-A78", ""},
                                   {arm, 0xD44, "Cortex-X1", ""},
                                   {arm, 0xD46, "Cortex-A510", ""},
                                   {arm, 0xD47, "Cortex-A710", ""},
                                   {arm, 0xD48, "Cortex-X2", ""},
                                   {arm, 0xD49, "Neoverse N2", ""},
                                   {arm, 0xD4F, "Neoverse V2", "neoverse-v2"},
                                   {arm, 0xD80, "Cortex-A520", ""},
                                   {arm, 0xD81, "Cortex-A720", ""},
                                   {arm, 0xD82, "Cortex-X4", ""},
                                   {arm, 0xD84, "Neoverse V3", ""},
                                   {arm, 0xD8E, "Neoverse N3", ""},
                                   {fujitsu, 0x001, "A64FX", ""},
                                   {hisilicon, 0xD01, "TSV110", ""},
                                   {qualcomm, 0x001, "Oryon", ""},
                                   {apple, 0x022, "Apple M1 Icestorm", ""},
                                   {apple, 0x023, "Apple M1 Firestorm", "apple-m1"},
                                   {ampere, 0xAC3, "Ampere-1", ""}};

std::optional<std::uint32_t> hexadecimal(std::string_view text) {
  return text.starts_with("0x") ? parse_number<std::uint32_t>(text.substr(2), 16) : std::nullopt;
}

}  // namespace

const ArmCore* arm_core(std::string_view implementer, std::string_view part) {
  const auto* const found = std::find_if(std::begin(known_cores), std::end(known_cores), [&](const ArmCore& core) {
    return core.implementer == hexadecimal(implementer) && core.part == hexadecimal(part);
  });
  return found == std::end(known_cores) ? nullptr : found;
}

std::string arm_core_text(std::string_view implementer, std::string_view part) {
  if (const ArmCore* const core = arm_core(implementer, part)) return std::string(core->name);
  return "implementer " + std::string(implementer) + ", part " + std::string(part);
}

}  // namespace slidebench
