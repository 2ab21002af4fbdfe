// SPDX-License-Identifier: MIT
//
// For tests of readers: JSON damaged at every place, once each.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace slidebench {

/// Replaces each value of the document in turn by one that fits nowhere, and calls with its place, such as
/// checks.twin[3].low. In the end the document is what it was.
inline void for_each_damage(nlohmann::json& document, const std::function<void(const std::string& place)>& read) {
  const std::function<void(nlohmann::json&, const std::string&)> visit = [&](nlohmann::json& value,
                                                                             const std::string& place) {
    for (auto member = value.begin(); value.is_structured() && member != value.end(); ++member) {
      visit(*member, value.is_array() ? place + "[" + std::to_string(member - value.begin()) + "]"
                     : place.empty()  ? member.key()
                                      : place + "." + member.key());
    }
    const nlohmann::json whole = std::exchange(value, nlohmann::json::array({nlohmann::json::array()}));
    read(place);
    value = whole;
  };
  visit(document, "");
}

}  // namespace slidebench
