// SPDX-License-Identifier: MIT
#include "harness/platform/cpu_generation.hpp"

#include <algorithm>
#include <initializer_list>
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

/// Models of Intel's family 6.
struct Generation {
  std::string_view name;
  std::initializer_list<int> models;
};

// Large cores from the oldest to the newest, then small ones.
constexpr Generation intel[] = {
    {"Nehalem", {0x1A, 0x1E, 0x1F, 0x2E}},
    {"Westmere", {0x25, 0x2C, 0x2F}},
    {"Sandy Bridge", {0x2A, 0x2D}},
    {"Ivy Bridge", {0x3A, 0x3E}},
    {"Haswell", {0x3C, 0x3F, 0x45, 0x46}},
    {"Broadwell", {0x3D, 0x47, 0x4F, 0x56}},
    {"Skylake", {0x4E, 0x5E}},
    {"Skylake or Cascade Lake", {0x55}},
    {"Kaby Lake or Coffee Lake", {0x8E, 0x9E}},
    {"Comet Lake", {0xA5, 0xA6}},
    {"Palm Cove", {0x66}},
    {"Sunny Cove", {0x6A, 0x6C, 0x7D, 0x7E}},
    {"Willow Cove", {0x8C, 0x8D}},
    {"Cypress Cove", {0xA7}},
    {golden_cove, {0x8F, 0x97, 0x9A}},
    {"Raptor Cove", {0xB7, 0xBA, 0xBF, 0xCF}},
    {"Redwood Cove", {0xAA, 0xAC, 0xAD, 0xAE, 0xB5}},
    {"Lion Cove", {0xBD, 0xC5, 0xC6}},
    {"Gracemont", {0xBE}},
    {"Crestmont", {0xAF}},
};

/// Whether a core is older than Golden Cove, the first with AVX-VNNI.
bool before_golden_cove(std::string_view generation) {
  const auto place = [](std::string_view name) { return std::ranges::find(intel, name, &Generation::name); };
  return place(generation) < place(golden_cove);
}

}  // namespace

std::string_view cpu_generation(std::string_view vendor, int family, int model) {
  for (const Models& models : amd) {
    const bool is_one = models.family == family && models.first <= model && model <= models.last;
    if (is_one && vendor == "AuthenticAMD") return models.name;
  }
  for (const auto& [name, models] : intel) {
    if (vendor == "GenuineIntel" && family == 6 && std::ranges::count(models, model) != 0) return name;
  }
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
