// SPDX-License-Identifier: MIT
#include "harness/base/suggestion.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace slidebench {
namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// Insertions, deletions, replacements and exchanges of neighbours from one word to the other.
std::size_t edits(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      const std::size_t replaced = cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, replaced});
      const bool exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (exchanged) cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  }
  return cost[a.size()][b.size()];
}

}  // namespace

std::string nearest_word(const std::string& word, const std::vector<std::string>& candidates) {
  constexpr std::size_t longest = 64;  // what is longer is no word
  if (word.empty() || word.size() > longest) return {};
  const std::string wanted = lower(word);
  std::size_t least = std::max<std::size_t>(1, wanted.size() / 3) + 1;
  std::string nearest;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edits(wanted, lower(candidate));
    if (distance >= least || distance >= wanted.size()) continue;
    least = distance;
    nearest = candidate;
  }
  if (!nearest.empty() || wanted.size() < 3) return nearest;
  const auto contains = [&wanted](const std::string& c) { return lower(c).find(wanted) != std::string::npos; };
  const auto found = std::find_if(candidates.begin(), candidates.end(), contains);
  return found == candidates.end() ? "" : *found;
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates) {
  const std::string nearest = nearest_word(word, candidates);
  return nearest.empty() ? "" : "; did you mean '" + nearest + "'?";
}

}  // namespace slidebench
