// SPDX-License-Identifier: MIT
#include "extras/engines/duel/tree_comparison.hpp"

#include <map>
#include <utility>

namespace slidebench::duel {
namespace {

using RoundId = std::pair<unsigned, unsigned>;

std::map<RoundId, const Sample*> searches_of_reference(const std::vector<Sample>& samples) {
  std::map<RoundId, const Sample*> found;
  for (const Sample& sample : samples) {
    if (sample.role == ContenderRole::reference) found[{sample.process_run, sample.round}] = &sample;
  }
  return found;
}

std::string searches(std::size_t count) { return std::to_string(count) + (count == 1 ? " search" : " searches"); }

}  // namespace

std::vector<TreeComparison> compare_trees(const std::vector<Sample>& samples) {
  const std::map<RoundId, const Sample*> reference = searches_of_reference(samples);
  std::map<std::string, TreeComparison> trees;
  std::map<std::pair<std::string, unsigned>, std::uint64_t> courses;  // by contender and position
  for (const Sample& sample : samples) {
    TreeComparison& tree = trees[sample.contender];
    tree.contender = sample.contender;
    tree.role = sample.role;
    const auto first = courses.try_emplace({sample.contender, sample.segment}, sample.checksum).first;
    if (first->second != sample.checksum) tree.repeats = false;
    const auto beside = reference.find({sample.process_run, sample.round});
    if (beside == reference.end()) continue;
    ++tree.searches;
    if (sample.nodes == beside->second->nodes) ++tree.same_nodes;
    if (sample.nodes == beside->second->nodes && sample.checksum == beside->second->checksum) ++tree.same_course;
  }
  std::vector<TreeComparison> list;
  for (auto& [name, tree] : trees) list.push_back(std::move(tree));
  return list;
}

std::string to_sentence(const TreeComparison& tree, const std::string& reference) {
  const bool same_counts = tree.same_nodes == tree.searches;
  const std::size_t others = tree.searches - (same_counts ? tree.same_course : tree.same_nodes);
  return "another tree: " + tree.contender + " and " + reference +
         (same_counts ? " visited as many nodes, but their scores or moves differ in "
                      : " visited other numbers of nodes in ") +
         std::to_string(others) + " of " + searches(tree.searches) + ": the ratio is one of nodes a second" +
         (same_counts ? "" : ", as each engine counts them,") + " and says nothing of strength";
}

}  // namespace slidebench::duel
