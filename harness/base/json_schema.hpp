// SPDX-License-Identifier: MIT
//
// JSON from outside: read with limits, and held against a schema, so that what is wrong with it is said by place.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace slidebench {

/// Text as JSON. Throws UserError, with `what` before the reason, for what is no JSON, is larger than 64 MiB, or has
/// brackets nested deeper than 64.
nlohmann::json parse_json(std::string_view text, const std::string& what);

/// Throws UserError, with `what` before the place and what was expected there, for a value that is not like the schema.
///
/// A schema is JSON that looks like what it describes. An object has its members, by name: `name?` may be missing, `*`
/// stands for all members that are not named (without it they may be anything). An array has one element, which all
/// elements are like. A text is the kind of a value, or several with | between them: any, null, text, boolean, number,
/// whole (not below 0), count (whole, of 32 bits), =WORD (this text), or as the first of them @NAME (what the schema's
/// own member @NAME says).
void check_json(const nlohmann::json& value, const nlohmann::json& schema, const std::string& what);

}  // namespace slidebench
