// SPDX-License-Identifier: MIT
//
// What is absent is null in JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

template <class T>
struct nlohmann::adl_serializer<std::optional<T>> {
  static void to_json(json& to, const std::optional<T>& value) {
    if (value)
      to = *value;
    else
      to = nullptr;
  }

  static void from_json(const json& from, std::optional<T>& value) {
    value = from.is_null() ? std::nullopt : std::optional(from.get<T>());
  }
};
