// SPDX-License-Identifier: MIT
#include "harness/export/options.hpp"

namespace slidebench {

std::vector<std::string> words_of(const std::string& method, const ExportOptions& options) {
  return {method,
          options.language == ExportLanguage::c11 ? "c11" : "c++17",
          options.name_space,
          options.mapping == SquareMapping::a8 ? "a8" : "a1",
          options.level,
          options.set_attacks ? "set_attacks" : "",
          options.batch ? "batch" : ""};
}

std::optional<ExportOptions> options_of(const std::vector<std::string>& words) {
  if (words.size() != 7) return std::nullopt;
  const ExportOptions options{.language = words[1] == "c11" ? ExportLanguage::c11 : ExportLanguage::cpp17,
                              .name_space = words[2],
                              .mapping = words[3] == "a8" ? SquareMapping::a8 : SquareMapping::a1,
                              .level = words[4],
                              .set_attacks = !words[5].empty(),
                              .batch = !words[6].empty()};
  if (words_of(words[0], options) != words) return std::nullopt;
  return options;
}

}  // namespace slidebench
