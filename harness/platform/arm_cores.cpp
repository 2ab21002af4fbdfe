// SPDX-License-Identifier: MIT
#include "harness/platform/arm_cores.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>

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
  if (!text.starts_with("0x")) return std::nullopt;
  text.remove_prefix(2);
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole ? std::optional(value) : std::nullopt;
}

}  // namespace

const ArmCore* arm_core(std::uint32_t implementer, std::uint32_t part) {
  const auto* const found = std::find_if(std::begin(known_cores), std::end(known_cores), [=](const ArmCore& core) {
    return core.implementer == implementer && core.part == part;
  });
  return found == std::end(known_cores) ? nullptr : found;
}

const ArmCore* arm_core(std::string_view implementer, std::string_view part) {
  const auto first = hexadecimal(implementer);
  const auto second = hexadecimal(part);
  return first && second ? arm_core(*first, *second) : nullptr;
}

std::string arm_core_text(std::string_view implementer, std::string_view part) {
  if (const ArmCore* const core = arm_core(implementer, part)) return std::string(core->name);
  return "implementer " + std::string(implementer) + ", part " + std::string(part);
}

}  // namespace slidebench
