// SPDX-License-Identifier: MIT
#include "harness/platform/cpu_generation.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace slidebench {
namespace {

constexpr std::string_view golden_cove = "Golden Cove";

/// Models from the first to the last, both included.
struct Models {
  int family;
  int first;
  int last;
  std::string_view name;
};

constexpr Models amd[] = {
    {0x15, 0x00, 0x01, "Bulldozer"},   {0x15, 0x02, 0x02, "Piledriver"}, {0x15, 0x10, 0x1F, "Piledriver"},
    {0x15, 0x30, 0x3F, "Steamroller"}, {0x15, 0x60, 0x7F, "Excavator"},  {0x17, 0x08, 0x08, "Zen+"},
    {0x17, 0x18, 0x18, "Zen+"},        {0x17, 0x00, 0x2F, "Zen"},        {0x17, 0x30, 0xAF, "Zen 2"},
    {0x19, 0x00, 0x0F, "Zen 3"},       {0x19, 0x10, 0x1F, "Zen 4"},      {0x19, 0x20, 0x2F, "Zen 3"},
    {0x19, 0x40, 0x4F, "Zen 3+"},      {0x19, 0x50, 0x5F, "Zen 3"},      {0x19, 0x60, 0x7F, "Zen 4"},
    {0x19, 0xA0, 0xAF, "Zen 4c"},      {0x1A, 0x00, 0x0F, "Zen 5"},      {0x1A, 0x10, 0x1F, "Zen 5c"},
    {0x1A, 0x20, 0x2F, "Zen 5"},       {0x1A, 0x40, 0x4F, "Zen 5"},      {0x1A, 0x60, 0x7F, "Zen 5"},
};

// Large cores from the oldest to the newest, then small ones.
constexpr Models intel[] = {
    {6, 0x1A, 0x1A, "Nehalem"},
    {6, 0x1E, 0x1F, "Nehalem"},
    {6, 0x2E, 0x2E, "Nehalem"},
    {6, 0x25, 0x25, "Westmere"},
    {6, 0x2C, 0x2C, "Westmere"},
    {6, 0x2F, 0x2F, "Westmere"},
    {6, 0x2A, 0x2A, "Sandy Bridge"},
    {6, 0x2D, 0x2D, "Sandy Bridge"},
    {6, 0x3A, 0x3A, "Ivy Bridge"},
    {6, 0x3E, 0x3E, "Ivy Bridge"},
    {6, 0x3C, 0x3C, "Haswell"},
    {6, 0x3F, 0x3F, "Haswell"},
    {6, 0x45, 0x46, "Haswell"},
    {6, 0x3D, 0x3D, "Broadwell"},
    {6, 0x47, 0x47, "Broadwell"},
    {6, 0x4F, 0x4F, "Broadwell"},
    {6, 0x56, 0x56, "Broadwell"},
    {6, 0x4E, 0x4E, "Skylake"},
    {6, 0x55, 0x55, "Skylake or Cascade Lake"},
    {6, 0x5E, 0x5E, "Skylake"},
    {6, 0x8E, 0x8E, "Kaby Lake or Coffee Lake"},
    {6, 0x9E, 0x9E, "Kaby Lake or Coffee Lake"},
    {6, 0xA5, 0xA6, "Comet Lake"},
    {6, 0x66, 0x66, "Palm Cove"},
    {6, 0x6A, 0x6A, "Sunny Cove"},
    {6, 0x6C, 0x6C, "Sunny Cove"},
    {6, 0x7D, 0x7E, "Sunny Cove"},
    {6, 0x8C, 0x8D, "Willow Cove"},
    {6, 0xA7, 0xA7, "Cypress Cove"},
    {6, 0x8F, 0x8F, golden_cove},
    {6, 0x97, 0x97, golden_cove},
    {6, 0x9A, 0x9A, golden_cove},
    {6, 0xB7, 0xB7, "Raptor Cove"},
    {6, 0xBA, 0xBA, "Raptor Cove"},
    {6, 0xBF, 0xBF, "Raptor Cove"},
    {6, 0xCF, 0xCF, "Raptor Cove"},
    {6, 0xAA, 0xAA, "Redwood Cove"},
    {6, 0xAC, 0xAE, "Redwood Cove"},
    {6, 0xB5, 0xB5, "Redwood Cove"},
    {6, 0xBD, 0xBD, "Lion Cove"},
    {6, 0xC5, 0xC6, "Lion Cove"},
    {6, 0xBE, 0xBE, "Gracemont"},
    {6, 0xAF, 0xAF, "Crestmont"},
};

template <std::size_t size>
std::string_view name_in(const Models (&table)[size], int family, int model) {
  for (const Models& models : table) {
    if (models.family == family && models.first <= model && model <= models.last) return models.name;
  }
  return {};
}

/// Whether a core is older than Golden Cove, the first with AVX-VNNI.
bool before_golden_cove(std::string_view generation) {
  const auto place = [](std::string_view name) { return std::ranges::find(intel, name, &Models::name); };
  return place(generation) < place(golden_cove);
}

}  // namespace

std::string_view cpu_generation(std::string_view vendor, int family, int model) {
  if (vendor == "AuthenticAMD") return name_in(amd, family, model);
  if (vendor == "GenuineIntel") return name_in(intel, family, model);
  return {};
}

std::string cpu_text(const nlohmann::json& machine) {
  const auto text = [&machine](const char* key) {
    const auto found = machine.find(key);
    return found != machine.end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  const auto integer = [&machine](const char* key) {
    const auto found = machine.find(key);
    return found != machine.end() && found->is_number_integer() ? found->get<int>() : -1;
  };
  if (!text("emulator").empty()) return "the emulator " + text("emulator");
  const std::string name = text("cpu").empty() ? "unknown" : text("cpu");
  std::string generation(cpu_generation(text("vendor"), integer("family"), integer("model")));
  // A virtual machine may have been given another model's number. What it can do does not lie.
  const auto isa = machine.find("isa");
  const bool has_vnni = isa != machine.end() && isa->is_array() && std::ranges::find(*isa, "avx_vnni") != isa->end();
  if (text("vendor") == "GenuineIntel" && has_vnni && before_golden_cove(generation)) {
    generation = std::string(golden_cove) + " or newer";
  }
  return generation.empty() ? name : name + " (" + generation + ")";
}

}  // namespace slidebench
