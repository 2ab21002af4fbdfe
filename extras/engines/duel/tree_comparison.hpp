// SPDX-License-Identifier: MIT
//
// Whether engines search the same tree: only then is a ratio of times one of speed alone.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/statistics/sample.hpp"

namespace slidebench::duel {

/// One contender's searches beside the reference's of the same rounds.
struct TreeComparison {
  std::string contender;
  ContenderRole role = ContenderRole::method;
  std::size_t searches = 0;
  std::size_t same_nodes = 0;   ///< as many nodes as the reference
  std::size_t same_course = 0;  ///< that, and the same scores on the way and the same move at the end
  bool repeats = true;          ///< each position searched twice or more went the same way each time

  /// Equal counts alone prove nothing: engines that stop at the same count have them by definition.
  bool same_tree() const { return searches > 0 && same_course == searches; }
};

/// All contenders, the reference too, in the order of their names.
std::vector<TreeComparison> compare_trees(const std::vector<Sample>& samples);

/// What another tree than the reference's means for the figures, in a sentence.
std::string to_sentence(const TreeComparison& tree, const std::string& reference);

}  // namespace slidebench::duel
