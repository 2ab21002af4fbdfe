// SPDX-License-Identifier: MIT
//
// A method as one header that needs nothing else, to be taken into an engine.
#pragma once

#include <string>

#include "harness/export/sources.hpp"

namespace slidebench {

enum class ExportLanguage { cpp17, c11 };

/// Which square is bit 0. Either way ranks follow each other, and files from a to h within a rank.
enum class SquareMapping { a1, a8 };

struct ExportOptions {
  ExportLanguage language = ExportLanguage::cpp17;
  std::string name_space = "sliding";  ///< of C++; in C the prefix of all names
  SquareMapping mapping = SquareMapping::a1;
};

/// The header's text. Throws UserError, one line, for a method that there is not, one that is not to be had in C, or a
/// name that is no identifier.
std::string export_method(const std::string& id, const ExportOptions& options);

}  // namespace slidebench
