// SPDX-License-Identifier: MIT
#include "harness/base/json_schema.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "harness/base/errors.hpp"
#include "harness/base/text_output.hpp"

namespace slidebench {
namespace {

using nlohmann::json;

constexpr std::size_t most_bytes = std::size_t{64} << 20;
constexpr int most_levels = 64;

std::vector<std::string> split(const std::string& kinds) {
  std::vector<std::string> all;
  for (std::size_t at = 0; at <= kinds.size(); at = std::min(kinds.find('|', at), kinds.size()) + 1)
    all.push_back(kinds.substr(at, kinds.find('|', at) - at));
  return all;
}

bool is_of_kind(const json& value, const std::string& kind) {
  if (kind == "null") return value.is_null();
  if (kind == "text") return value.is_string();
  if (kind == "boolean") return value.is_boolean();
  if (kind == "number") return value.is_number();
  if (kind.starts_with('=')) return value == kind.substr(1);
  if (kind.starts_with('@')) return false;
  const bool whole = value.is_number_integer() && (value.is_number_unsigned() || value >= 0);
  return kind == "any" || (whole && (kind == "whole" || value <= std::numeric_limits<std::uint32_t>::max()));
}

std::string in_words(const std::string& kind) {
  if (kind == "null" || kind == "any") return kind;
  if (kind == "whole") return "a whole number not below 0";
  if (kind == "count") return "a whole number from 0 to 4294967295";
  return kind.starts_with('=') ? std::string("'").append(kind, 1).append("'") : std::string("a ").append(kind);
}

/// Walks a value beside its schema, and knows the place.
class Checker {
 public:
  Checker(const json& schema, const std::string& what) : root_(schema), what_(what) {}

  void check(const json& value, const json& schema, const std::string& place) const {
    if (schema.is_object()) return check_object(value, schema, place);
    if (schema.is_array()) return check_array(value, schema.front(), place);
    const std::string& kinds = schema.get_ref<const std::string&>();
    const std::vector<std::string> all = split(kinds);
    if (std::any_of(all.begin(), all.end(), [&](const auto& kind) { return is_of_kind(value, kind); })) return;
    if (all.front().starts_with('@')) return check(value, root_.at(all.front()), place);
    refuse(value, joined(all, " or ", in_words), place);
  }

 private:
  void check_object(const json& value, const json& schema, const std::string& place) const {
    if (!value.is_object()) refuse(value, "an object", place);
    for (const auto& [name, member] : schema.items()) {
      const bool optional = name.ends_with('?');
      const std::string key = name.substr(0, name.size() - (optional ? 1 : 0));
      if (optional || key == "*" || key.starts_with('@') || value.contains(key)) continue;
      throw UserError(what_ + ": " + inside(place, key) + " is missing");
    }
    for (const auto& [key, member] : value.items()) {
      for (const std::string& name : {key, key + "?", std::string("*")}) {
        if (!schema.contains(name)) continue;
        check(member, schema.at(name), inside(place, key));
        break;
      }
    }
  }

  void check_array(const json& value, const json& schema, const std::string& place) const {
    if (!value.is_array()) refuse(value, "a list", place);
    for (std::size_t i = 0; i < value.size(); ++i) check(value[i], schema, place + "[" + std::to_string(i) + "]");
  }

  static std::string inside(const std::string& place, const std::string& key) {
    return place.empty() ? key : place + "." + key;
  }

  [[noreturn]] void refuse(const json& value, const std::string& expected, const std::string& place) const {
    const std::string is = value.is_structured() ? value.type_name() : value.dump(-1, ' ', false, lossy).substr(0, 40);
    throw UserError(what_ + ": " + (place.empty() ? "the whole" : place) + " should be " + expected + ", but is " + is);
  }

  static constexpr json::error_handler_t lossy = json::error_handler_t::replace;
  const json& root_;
  const std::string& what_;
};

}  // namespace

json parse_json(std::string_view text, const std::string& what) {
  if (text.size() > most_bytes) throw UserError(what + ": it is larger than 64 MiB");
  const auto limited = [&what](int level, json::parse_event_t, const json&) {
    if (level > most_levels) throw UserError(what + ": its brackets are nested deeper than 64");
    return true;
  };
  json parsed = json::parse(text, limited, false);
  if (parsed.is_discarded()) throw UserError(what + ": it is no JSON");
  return parsed;
}

void check_json(const json& value, const json& schema, const std::string& what) {
  Checker(schema, what).check(value, schema, "");
}

}  // namespace slidebench
