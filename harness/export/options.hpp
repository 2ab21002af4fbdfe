// SPDX-License-Identifier: MIT
//
// What may be asked of an export.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace slidebench {

enum class ExportLanguage { cpp17, c11 };

/// Which square is bit 0. Either way ranks follow each other, and files from a to h within a rank.
enum class SquareMapping { a1, a8 };

struct ExportOptions {
  ExportLanguage language = ExportLanguage::cpp17;
  std::string name_space = "sliding";  ///< of C++; in C the prefix of all names
  SquareMapping mapping = SquareMapping::a1;
  std::string level = {};  ///< of instructions, one of the front end's; empty: the lowest that the method compiles for
  bool set_attacks = false;
  bool batch = false;
};

/// The words that tell slidebench-export of a method and its options, and the options that such words tell of: nothing
/// for words that are not such.
std::vector<std::string> words_of(const std::string& method, const ExportOptions& options);
std::optional<ExportOptions> options_of(const std::vector<std::string>& words);

}  // namespace slidebench
