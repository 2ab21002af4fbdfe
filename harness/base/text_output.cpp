// SPDX-License-Identifier: MIT
#include "harness/base/text_output.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <iterator>

#include "harness/base/errors.hpp"

namespace slidebench {

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string decimals(double value, int digits) {
  char text[32];  // not by printf(), which a locale would make write commas
  const auto [end, error] = std::to_chars(text, std::end(text), value, std::chars_format::fixed, digits);
  return error == std::errc{} ? std::string(text, end) : significant(value);
}

std::string decimals(const std::optional<double>& value, int digits) { return value ? decimals(*value, digits) : ""; }

std::string significant(double value) {
  char text[32];
  return {text, std::to_chars(text, std::end(text), value, std::chars_format::general, 6).ptr};
}

std::string with_commas(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, 1, ',');
  return text;
}

std::string readable_bytes(std::uint64_t bytes) {
  constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < std::size(units); ++unit) value /= 1024;
  const int digits = value >= 100 || value == std::floor(value) ? 0 : value >= 10 ? 1 : 2;
  return decimals(value, digits) + " " + units[unit];
}

TextFile::TextFile(const std::filesystem::path& path, bool append)
    : path_(path), stream_(path, append ? std::ios::app : std::ios::out) {
  check();
}

void TextFile::write(const std::string& text) {
  stream_ << text << std::flush;
  check();
}

void TextFile::sync() const { sync_file(path_); }

void TextFile::close() {
  stream_.close();
  check();
}

void TextFile::check() {
  if (stream_) return;
  const int reason = errno;
  throw CannotWrite("cannot write " + path_.string() + ": " + (reason != 0 ? std::strerror(reason) : "output error"));
}

void write_file(const std::filesystem::path& path, const std::string& text, Durability durability) {
  OutputFile file(path.string());
  file.append(text.data(), text.size());
  file.commit(durability);
}

void sync_file(const std::filesystem::path& path) {
  const int error = sync_to_disk(path.native());
  if (error != 0) throw CannotWrite("cannot write " + path.string() + ": " + error_text(error));
}

void sync_files_in(const std::filesystem::path& folder) {
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.is_regular_file()) sync_file(entry.path());
  }
}

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

}  // namespace slidebench
