// SPDX-License-Identifier: MIT
#include "extras/engines/duel/tree_comparison.hpp"

#include <gtest/gtest.h>

namespace slidebench::duel {
namespace {

Sample search(const std::string& contender, ContenderRole role, unsigned round, std::uint64_t nodes,
              std::uint64_t course) {
  Sample sample;
  sample.contender = contender;
  sample.role = role;
  sample.round = round;
  sample.segment = round % 2;
  sample.nodes = nodes;
  sample.checksum = course;
  return sample;
}

TreeComparison of(const std::vector<TreeComparison>& trees, const std::string& contender) {
  for (const TreeComparison& tree : trees) {
    if (tree.contender == contender) return tree;
  }
  return {};
}

TEST(trees, same_and_other_ones) {
  std::vector<Sample> samples;
  for (unsigned round = 0; round < 4; ++round) {
    const unsigned position = round % 2;
    samples.push_back(search("a", ContenderRole::reference, round, 100 + position, position));
    samples.push_back(search("same", ContenderRole::method, round, 100 + position, position));
    samples.push_back(search("counts", ContenderRole::method, round, 100 + position, 7 + position));
    samples.push_back(search("other", ContenderRole::method, round, 500 + round, round));
  }
  const std::vector<TreeComparison> trees = compare_trees(samples);
  ASSERT_EQ(trees.size(), 4u);
  EXPECT_TRUE(of(trees, "a").same_tree());
  EXPECT_TRUE(of(trees, "same").same_tree());
  EXPECT_TRUE(of(trees, "same").repeats);
  EXPECT_FALSE(of(trees, "counts").same_tree());
  EXPECT_EQ(of(trees, "counts").same_nodes, 4u);
  EXPECT_NE(to_sentence(of(trees, "counts"), "a").find("as many nodes"), std::string::npos);
  EXPECT_EQ(of(trees, "other").same_nodes, 0u);
  EXPECT_FALSE(of(trees, "other").repeats);
  EXPECT_NE(to_sentence(of(trees, "other"), "a").find("other numbers of nodes in 4 of 4 searches"), std::string::npos);
}

TEST(trees, without_a_reference_nothing_is_the_same) {
  const std::vector<TreeComparison> trees = compare_trees({search("b", ContenderRole::method, 0, 1, 1)});
  ASSERT_EQ(trees.size(), 1u);
  EXPECT_FALSE(trees.front().same_tree());
}

}  // namespace
}  // namespace slidebench::duel
