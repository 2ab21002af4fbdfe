// SPDX-License-Identifier: MIT
//
// What a mistyped word may have meant.
#pragma once

#include <string>
#include <vector>

namespace slidebench {

/// The candidate nearest to the word, case aside: within one edit for every three letters, an exchange of neighbours
/// being one; else one that contains the word. Empty if there is none.
/// Source: L. Boytsov, Indexing Methods for Approximate Dictionary Searching, 2011 (optimal string alignment).
std::string nearest_word(const std::string& word, const std::vector<std::string>& candidates);

/// "; did you mean 'pext'?", or nothing.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace slidebench
