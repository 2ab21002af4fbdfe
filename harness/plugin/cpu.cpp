// SPDX-License-Identifier: MIT
#include "harness/plugin/cpu.hpp"

#include <cstdlib>
#include <sstream>

#include "harness/base/errors.hpp"
#include "harness/plugin/features.hpp"

namespace slidebench {
namespace {

struct Feature {
  const char* name;
  Isa isa;
};

/// Of all architectures: what a method needs can be named where it cannot run.
constexpr Feature features[] = {{"ssse3", Isa::ssse3},
                                {"popcnt", Isa::popcnt},
                                {"lzcnt", Isa::lzcnt},
                                {"bmi1", Isa::bmi1},
                                {"bmi2", Isa::bmi2},
                                {"avx2", Isa::avx2},
                                {"fma", Isa::fma},
                                {"avx512f", Isa::avx512f},
                                {"avx512bw", Isa::avx512bw},
                                {"avx512dq", Isa::avx512dq},
                                {"avx512vl", Isa::avx512vl},
                                {"avx512cd", Isa::avx512cd},
                                {"avx512vbmi", Isa::avx512vbmi},
                                {"avx512vbmi2", Isa::avx512vbmi2},
                                {"avx512bitalg", Isa::avx512bitalg},
                                {"gfni", Isa::gfni},
                                {"neon", Isa::neon},
                                {"sve2", Isa::sve2},
                                {"sve2_bitperm", Isa::sve2_bitperm},
                                {"simd128", Isa::simd128}};

Isa parse_features(const std::string& list, const char* where) {
  Isa set = Isa::none;
  std::istringstream stream(list);
  for (std::string name; std::getline(stream, name, ',');) {
    Isa found = Isa::none;
    for (const Feature& feature : features) {
      if (name == feature.name) found = feature.isa;
    }
    if (found == Isa::none)
      throw UserError(std::string(where) + ": unknown feature '" + name +
                      "'; known are bmi2, avx2 and so on, separated by commas");
    set = set | found;
  }
  return set;
}

const IsaLevel* find_level(std::uint32_t number) {
  for (const IsaLevel& level : isa_levels()) {
    if (level.number == number) return &level;
  }
  return nullptr;
}

}  // namespace

Isa host_isa() {
  Isa isa = machine_isa();
  constexpr const char* variable = "SLIDEBENCH_WITHOUT_ISA";
  if (const char* without = std::getenv(variable)) isa = isa & ~parse_features(without, variable);
  return isa;
}

Isa isa_of_level(std::uint32_t number) {
  const IsaLevel* level = find_level(number);
  return level != nullptr ? level->isa : Isa::none;
}

std::string level_name(std::uint32_t number) {
  const IsaLevel* level = find_level(number);
  return level != nullptr ? level->name : "level " + std::to_string(number);
}

std::vector<std::string> isa_names(Isa set) {
  std::vector<std::string> names;
  for (const Feature& feature : features) {
    if ((set & feature.isa) != Isa::none) names.emplace_back(feature.name);
  }
  return names;
}

}  // namespace slidebench
