// SPDX-License-Identifier: MIT
//
// The reference, and the eight well-known methods: those of the answer's table, and of `--method known`.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace slidebench {

/// The method that the others are compared with.
inline constexpr const char* reference_method = "magic_fancy";

/// Those of the eight that are available; where the form of hyperbola quintessence with AVX2 is not, the machine's next
/// best vector form stands for it.
inline std::vector<std::string> known_methods(const std::set<std::string>& available) {
  std::vector<std::string> known;
  for (std::string id : {"pext", "magic_fancy", "magic_plain", "magic_black", "hyperbola", "hyperbola_avx2",
                         "obstruction_difference", "kogge_stone"}) {
    if (id == "hyperbola_avx2" && !available.contains(id)) id = "hyperbola_gfni";
    if (available.contains(id)) known.push_back(id);
  }
  return known;
}

}  // namespace slidebench
