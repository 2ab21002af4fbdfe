// SPDX-License-Identifier: MIT
#include "harness/plugin/cpu.hpp"

#include <cstdlib>
#include <sstream>

#include "harness/base/enum_names.hpp"
#include "harness/base/errors.hpp"
#include "harness/plugin/features.hpp"

namespace slidebench {
namespace {

/// Of all architectures: what a method needs can be named where it cannot run.
constexpr EnumName<Isa> features[] = {{Isa::ssse3, "ssse3"},
                                      {Isa::popcnt, "popcnt"},
                                      {Isa::lzcnt, "lzcnt"},
                                      {Isa::bmi1, "bmi1"},
                                      {Isa::bmi2, "bmi2"},
                                      {Isa::avx2, "avx2"},
                                      {Isa::fma, "fma"},
                                      {Isa::avx512f, "avx512f"},
                                      {Isa::avx512bw, "avx512bw"},
                                      {Isa::avx512dq, "avx512dq"},
                                      {Isa::avx512vl, "avx512vl"},
                                      {Isa::avx512cd, "avx512cd"},
                                      {Isa::avx512vbmi, "avx512vbmi"},
                                      {Isa::avx512vbmi2, "avx512vbmi2"},
                                      {Isa::avx512bitalg, "avx512bitalg"},
                                      {Isa::gfni, "gfni"},
                                      {Isa::neon, "neon"},
                                      {Isa::sve2, "sve2"},
                                      {Isa::sve2_bitperm, "sve2_bitperm"},
                                      {Isa::simd128, "simd128"}};

Isa parse_features(const std::string& list, const char* where) {
  Isa set = Isa::none;
  std::istringstream stream(list);
  for (std::string name; std::getline(stream, name, ',');) {
    const std::optional<Isa> found = value_in(features, name);
    if (!found)
      throw UserError(std::string(where) + ": unknown feature '" + name +
                      "'; known are bmi2, avx2 and so on, separated by commas");
    set = set | *found;
  }
  return set;
}

}  // namespace

Isa host_isa() {
  Isa isa = machine_isa();
  constexpr const char* variable = "SLIDEBENCH_WITHOUT_ISA";
  if (const char* without = std::getenv(variable)) isa = isa & ~parse_features(without, variable);
  return isa;
}

std::vector<std::string> isa_names(Isa set) {
  std::vector<std::string> names;
  for (const EnumName<Isa>& feature : features) {
    if ((set & feature.value) != Isa::none) names.emplace_back(feature.name);
  }
  return names;
}

}  // namespace slidebench
