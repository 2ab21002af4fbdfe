// SPDX-License-Identifier: MIT
//
// The words of the answer and of the tables, a line each.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace slidebench {

/// A line a word, broken to the width; of `word` alone if it is given, empty for one that the glossary does not have. A
/// width of 0 breaks none.
std::string glossary_text(std::size_t width, const std::string& word = "");

/// The words that the glossary explains.
std::vector<std::string> glossary_words();

/// glossary.json, which scripts read too: words, several of one meaning with commas between, and their meanings.
nlohmann::ordered_json glossary_json();

}  // namespace slidebench
