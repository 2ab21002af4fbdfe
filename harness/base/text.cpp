// SPDX-License-Identifier: MIT
#include "harness/base/text.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

namespace slidebench {
namespace {

bool is_utf8(const std::string& text) {
  try {
    // The JSON library is the judge, because it is the one that would throw later.
    static_cast<void>(nlohmann::json(text).dump());
    return true;
  } catch (const nlohmann::json::exception&) {
    return false;
  }
}

/// Bytes of the character that begins with this byte of valid UTF-8.
std::size_t character_bytes(unsigned char lead) { return lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4; }

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// What must not reach a terminal: U+0000 to U+001F, U+007F to U+009F, and marks that are not seen but change how what
/// stands beside them is shown (U+061C, U+200E, U+200F, U+2028 to U+202E, U+2066 to U+2069).
bool is_obeyed(std::string_view character) {
  const auto byte = [&character](std::size_t i) { return static_cast<unsigned char>(character[i]); };
  if (character.size() == 1) return byte(0) < 0x20 || byte(0) == 0x7F;
  if (character.size() == 2) return (byte(0) == 0xC2 && byte(1) < 0xA0) || character == "\u061C";
  if (character.size() != 3 || byte(0) != 0xE2) return false;
  if (byte(1) == 0x80) return byte(2) == 0x8E || byte(2) == 0x8F || (byte(2) >= 0xA8 && byte(2) <= 0xAE);
  return byte(1) == 0x81 && byte(2) >= 0xA6 && byte(2) <= 0xA9;
}

}  // namespace

std::string to_utf8(std::string_view text) {
  std::string bytes(text);
  if (is_utf8(bytes)) return bytes;
  std::string converted;
  for (const char c : bytes) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x80) {
      converted += c;
    } else {
      converted += static_cast<char>(0xC0 | (code >> 6));
      converted += static_cast<char>(0x80 | (code & 0x3F));
    }
  }
  return converted;
}

std::string printable(std::string_view text) {
  const std::string valid = to_utf8(text);
  std::string shown;
  for (std::size_t at = 0; at < valid.size();) {
    const std::string_view character =
        std::string_view(valid).substr(at, character_bytes(static_cast<unsigned char>(valid[at])));
    shown += is_obeyed(character) ? "?" : character;
    at += character.size();
  }
  return shown;
}

std::string shortened(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t front = most / 2, end = text.size() - most / 2;
  while (front > 0 && continues(text[front])) --front;
  while (end < text.size() && continues(text[end])) ++end;
  return text.substr(0, front) + "..." + text.substr(end);
}

std::string source_name(const std::string& path) {
  return path == "-" ? "standard input" : to_utf8(std::filesystem::path(path).filename().native());
}

}  // namespace slidebench
