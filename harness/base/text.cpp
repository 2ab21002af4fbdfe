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

std::string source_name(const std::string& path) {
  return path == "-" ? "standard input" : to_utf8(std::filesystem::path(path).filename().native());
}

}  // namespace slidebench
