// SPDX-License-Identifier: MIT
//
// Enumerations as text: one table of values and names, read in both directions.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

namespace slidebench {

/// A value and how it is written.
template <class Enum>
struct EnumName {
  Enum value;
  std::string_view name;
};

/// The name of a value; empty for one without.
template <class Enum, std::size_t n>
std::string name_in(const EnumName<Enum> (&names)[n], Enum value) {
  const auto found = std::find_if(names, names + n, [value](const auto& known) { return known.value == value; });
  return found == names + n ? "" : std::string(found->name);
}

/// The value of a name, if there is one.
template <class Enum, std::size_t n>
std::optional<Enum> value_in(const EnumName<Enum> (&names)[n], std::string_view name) {
  const auto found = std::find_if(names, names + n, [name](const auto& known) { return known.name == name; });
  return found == names + n ? std::nullopt : std::optional(found->value);
}

}  // namespace slidebench
