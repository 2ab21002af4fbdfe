// SPDX-License-Identifier: MIT
//
// Texts that come from outside: numbers read, names (players, files) made fit for JSON, for reports and for terminals.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace slidebench {

/// The whole text as a number; absent if it is none, or one that does not fit. `format`: a base, or a chars_format.
template <class Number, class... Format>
std::optional<Number> parse_number(std::string_view text, Format... format) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, format...);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// The text as valid UTF-8. PGN says Latin-1 and much of the world writes UTF-8, so a text that is not valid UTF-8 is
/// taken for Latin-1 and converted; nothing is lost, and the JSON library never meets bytes that make it throw.
std::string to_utf8(std::string_view text);

/// The text as valid UTF-8 and in one line, with nothing in it that a terminal obeys or that turns the order of letters
/// round: controls (C0, C1), line ends and bidirectional formatting are a '?' each.
std::string printable(std::string_view text);

/// The text, or where it has more bytes the front and the end of it with "..." between, whole characters of UTF-8.
std::string shortened(const std::string& text, std::size_t most);

/// The last component of a path, as valid UTF-8; "-" becomes "standard input". Reports and traces name files in this
/// way only, so that no folder of somebody's machine gets into them.
std::string source_name(const std::string& path);

}  // namespace slidebench
