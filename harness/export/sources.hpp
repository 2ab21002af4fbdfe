// SPDX-License-Identifier: MIT
//
// The texts that exports are made from, built into the program: the methods' headers, stand-ins for what is the suite's
// alone, the parts in C, and the licence.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace slidebench {

/// A method of this build as add_method() knows it.
struct MethodSource {
  std::string_view id;
  std::string_view header;  ///< "methods/lookup/kindergarten.hpp"
  std::string_view type;    ///< "Kindergarten"
};

/// All methods that give attack sets, in the order of methods/CMakeLists.txt.
std::span<const MethodSource> method_sources();

/// The paths of all files that are built in.
std::vector<std::string_view> source_paths();

/// A file of the source tree by its path there; nothing if it is not built in.
std::optional<std::string_view> source_text(std::string_view path);

}  // namespace slidebench
