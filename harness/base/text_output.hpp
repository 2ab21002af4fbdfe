// SPDX-License-Identifier: MIT
//
// Writing text: CSV cells, numbers for people, and files that either arrive or fail loudly.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/output_file.hpp"

namespace slidebench {

/// A CSV cell: quoted where a comma, a quote or a line end needs it (RFC 4180).
std::string csv_cell(const std::string& text);

/// The texts in one, with something between them: of a list of texts, or of anything by what `to_text` makes of it.
template <class List, class ToText = std::identity>
std::string joined(const List& list, std::string_view between, ToText to_text = {}) {
  std::string all;
  for (bool first = true; const auto& item : list) {
    if (!first) all += between;
    all += std::invoke(to_text, item);
    first = false;
  }
  return all;
}

/// A number as a cell: so many decimals, one that is too long by its first six digits; an empty cell for what is not
/// known.
std::string decimals(double value, int digits);
std::string decimals(const std::optional<double>& value, int digits);

/// A number as a cell, by its first six digits: 0.25, 1e+06.
std::string significant(double value);

/// A whole number that may be absent.
template <class Number>
std::string whole_or_empty(const std::optional<Number>& value) {
  return value ? std::to_string(*value) : "";
}

/// 1234567 as "1,234,567".
std::string with_commas(std::uint64_t number);

/// 865280 as "845 KiB", 9728 as "9.50 KiB", 0 as "0 B".
std::string readable_bytes(std::uint64_t bytes);

/// A text file that is written line by line; every line is handed to the system at once, so that an interrupted run
/// keeps what it has measured. Throws CannotWrite, with the path and the reason, as soon as something cannot be
/// written.
class TextFile {
 public:
  explicit TextFile(const std::filesystem::path& path, bool append = false);
  void write(const std::string& text);
  void sync() const;  ///< to the disk
  void close();

 private:
  void check();

  std::filesystem::path path_;
  std::ofstream stream_;
};

/// Writes a whole file, which appears complete or not at all. Throws CannotWrite.
void write_file(const std::filesystem::path& path, const std::string& text, Durability durability = Durability::cached);

/// Syncs a file, or the files that lie in a folder. Throws CannotWrite.
void sync_file(const std::filesystem::path& path);
void sync_files_in(const std::filesystem::path& folder);

/// With blanks at its end, at least so wide.
std::string padded(std::string text, std::size_t width);

}  // namespace slidebench
