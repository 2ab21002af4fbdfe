// SPDX-License-Identifier: MIT
//
// What a processor's cores are called: "Zen 4" says more about a measurement than "AMD EPYC".
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace slidebench {

/// The microarchitecture of an x86 processor by CPUID's vendor, family and model (extended ones included, as the kernel
/// prints them); of a hybrid one that of its large cores. Empty for one that is not in the table.
/// Sources: AMD's and Intel's revision guides; the kernel's lists of models.
std::string_view cpu_generation(std::string_view vendor, int family, int model);

/// "AMD EPYC (Zen 4)", from what run.json says about a machine; the bare name where the generation is not known,
/// and an emulator by its own name.
std::string cpu_text(const nlohmann::json& machine);

}  // namespace slidebench
