// SPDX-License-Identifier: MIT
#include "extras/magics/factor_file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>
#include <vector>

#include "harness/base/errors.hpp"
#include "harness/base/posix_file.hpp"

namespace slidebench {
namespace {

std::string array_name(const MagicVariant& variant, const char* piece) {
  return std::string(variant.prefix) + piece + "_factors";
}

std::string row_text(const MagicVariant& variant, const FactorRow& row) {
  std::string factor = hexadecimal(row.factor, variant.digits);
  if (variant.columns == 1) return factor;
  const bool two_factors = variant.name == "split32";
  return "{" + factor + ", " + (two_factors ? hexadecimal(row.second, variant.digits) : std::to_string(row.second)) +
         "}";
}

std::string array_text(const MagicVariant& variant, const char* piece, const FactorRows& rows) {
  std::string text =
      "inline constexpr " + std::string(variant.row_type) + " " + array_name(variant, piece) + "[64] = {\n";
  const std::size_t per_line = variant.digits == 8 && variant.columns == 1 ? 8 : 4;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    text += (i % per_line == 0 ? "    " : " ") + row_text(variant, rows[i]) + "," +
            (i % per_line == per_line - 1 ? "\n" : "");
  }
  return text + "};\n";
}

/// All numbers of the array `name` of a text. Throws UserError, with the path, for something that is no number.
std::vector<std::uint64_t> numbers_of(const std::string& text, const std::string& name, const std::string& path) {
  const std::size_t begin = text.find(" " + name + "[64] = {"), end = std::min(text.find("};", begin), text.size());
  std::vector<std::uint64_t> numbers;
  for (std::size_t at = text.find('{', begin); at < end;) {
    at = text.find_first_of("0123456789", at);
    if (at >= end) break;
    const bool hex = text.compare(at, 2, "0x") == 0;
    std::uint64_t number = 0;
    const char* first = text.data() + at + (hex ? 2 : 0);
    const auto [last, error] = std::from_chars(first, text.data() + end, number, hex ? 16 : 10);
    if (error != std::errc{}) throw UserError(path + ": the array " + name + " holds something that is no number");
    numbers.push_back(number);
    at = static_cast<std::size_t>(last - text.data());
  }
  return numbers;
}

FactorRows rows_of(const std::string& text, const MagicVariant& variant, const char* piece, const std::string& path) {
  const std::string name = array_name(variant, piece);
  const std::vector<std::uint64_t> numbers = numbers_of(text, name, path);
  if (numbers.size() != 64u * variant.columns) {
    throw UserError(path + ": the array " + name + " has " + std::to_string(numbers.size()) + " numbers, not " +
                    std::to_string(64 * variant.columns) + "; is the file truncated?");
  }
  FactorRows rows;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].factor = numbers[i * variant.columns];
    if (variant.columns > 1) rows[i].second = numbers[i * variant.columns + 1];
    const bool wide = (variant.digits == 8 && rows[i].factor > 0xFFFFFFFF) || rows[i].second > 0xFFFFFFFF;
    if (wide) throw UserError(path + ": the array " + name + " holds a number of more than 32 bits");
  }
  return rows;
}

std::uint64_t slots_of(const std::string& text, const MagicVariant& variant, const std::string& path) {
  const std::string name = std::string(variant.prefix) + "slots = ";
  const std::size_t start = text.find(name);
  std::uint64_t slots = 0;
  if (start != std::string::npos) std::from_chars(text.data() + start + name.size(), text.data() + text.size(), slots);
  if (slots == 0) throw UserError(path + ": it does not say how many slots the table has");
  return slots;
}

}  // namespace

std::string hexadecimal(std::uint64_t number, unsigned digits) { return fmt::format("0x{:0{}X}", number, digits); }

const MagicVariant* find_magic_variant(std::string_view name) {
  for (const MagicVariant& variant : magic_variants) {
    if (variant.name == name) return &variant;
  }
  return nullptr;
}

std::string factor_header(const FactorFile& file, const std::string& command) {
  const MagicVariant& variant = *file.variant;
  std::string text = "// SPDX-License-Identifier: MIT\n//\n// " + std::string(variant.about) +
                     "\n// Found by this project's own search:\n//   " + command +
                     "\n// `slidebench magics check` proves it.\n#pragma once\n\n" + std::string(variant.include) +
                     "\nnamespace slidebench {\n\n" + std::string(variant.row_definition) + "// clang-format off\n" +
                     array_text(variant, "bishop", file.bishop);
  if (variant.has_rooks) text += "\n" + array_text(variant, "rook", file.rook);
  text += "// clang-format on\n\n";
  if (variant.has_slots) {
    text += "/// Slots of the table: one more than the highest in use.\ninline constexpr std::size_t " +
            std::string(variant.prefix) + "slots = " + std::to_string(file.slots) + ";\n\n";
  }
  return text + "}  // namespace slidebench\n";
}

FactorFile read_factor_file(const std::string& path) {
  check_regular(path);
  std::ifstream stream(path);
  if (!stream) throw UserError("cannot open " + path);
  std::ostringstream content;
  content << stream.rdbuf();
  const std::string text = content.str();
  for (const MagicVariant& variant : magic_variants) {
    if (text.find(" " + array_name(variant, "bishop") + "[64] = {") == std::string::npos) continue;
    FactorFile file{.variant = &variant};
    file.bishop = rows_of(text, variant, "bishop", path);
    if (variant.has_rooks) file.rook = rows_of(text, variant, "rook", path);
    if (variant.has_slots) file.slots = slots_of(text, variant, path);
    return file;
  }
  throw UserError(path + ": no magic factors in it; give a file that slidebench magics find has written");
}

}  // namespace slidebench
