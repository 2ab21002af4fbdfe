// SPDX-License-Identifier: MIT
#include "harness/measure/round.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <set>

#include "harness/base/errors.hpp"

namespace slidebench {
namespace {

/// Answers 1, or what it is told to.
class OneAnswer : public Work {
 public:
  std::size_t segments() const override { return 1; }
  std::size_t pieces(std::size_t) const override { return 1; }
  WorkSize size(std::size_t) const override { return {100, 10}; }
  bool takes(const Contender&) const override { return true; }
  void prepare(const Contender&, std::size_t, double) override {}
  std::uint64_t run(const Contender& contender, std::size_t, std::size_t) override {
    return contender.name == wrong ? 2 : 1;
  }
  std::uint64_t expected(const Contender&, std::size_t) override { return 1; }

  std::string wrong;
};

class RoundTest : public testing::Test {
 protected:
  RoundTest() {
    cell_.work = work_;
    add("magic_fancy", ContenderRole::reference);
    add("magic_fancy.twin", ContenderRole::twin);
    add("empty", ContenderRole::empty);
    add("clock", ContenderRole::clock);
    for (int i = 0; i < 13; ++i) add("method" + std::to_string(i), ContenderRole::method);
  }

  void add(const std::string& name, ContenderRole role) {
    Contender& contender = contenders_.emplace_back(Contender::clock());
    contender.name = name;
    contender.role = role;
    cell_.tasks.push_back({&contender, 2});
  }

  static std::multiset<std::string> names(const std::vector<Group>& groups) {
    std::multiset<std::string> all;
    for (const Group& group : groups) {
      for (const Task& task : group) all.insert(task.contender->name);
    }
    return all;
  }

  std::shared_ptr<OneAnswer> work_ = std::make_shared<OneAnswer>();
  std::deque<Contender> contenders_;
  PreparedCell cell_;
  Shuffler random_{1};
};

TEST_F(RoundTest, ManyMethodsMeetTheReferenceAndItsTwinInGroups) {
  const std::vector<Group> groups = groups_of(cell_, 6, random_);
  ASSERT_EQ(groups.size(), 4u) << "13 methods by six, and what every cell has";
  const std::multiset<std::string> all = names(groups);
  for (const Task& task : cell_.tasks) {
    const ContenderRole role = task.contender->role;
    const bool always = role == ContenderRole::reference || role == ContenderRole::twin;
    EXPECT_EQ(all.count(task.contender->name), always ? groups.size() : 1u) << task.contender->name;
  }
  for (const Group& group : groups) EXPECT_LE(group.size(), 8u);
}

TEST_F(RoundTest, FewMethodsTurnsAndCellsWithoutAReferenceStayTogether) {
  EXPECT_EQ(groups_of(cell_, 13, random_).size(), 1u);
  cell_.in_turns = true;
  EXPECT_EQ(groups_of(cell_, 6, random_).size(), 1u);
  cell_.in_turns = false;
  cell_.tasks.erase(cell_.tasks.begin(), cell_.tasks.begin() + 2);
  EXPECT_EQ(groups_of(cell_, 6, random_).size(), 1u);
}

TEST_F(RoundTest, EveryContenderHasASampleAndAPlace) {
  std::vector<Sample> samples;
  for (const CountedSample& one : measure_round(cell_, cell_.tasks, {.process_run = 3, .number = 7}, random_)) {
    samples.push_back(one.sample);
    EXPECT_TRUE(one.counts.empty());
  }
  ASSERT_EQ(samples.size(), cell_.tasks.size());
  std::vector<std::string> order, tasks;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const Sample& sample = samples[i];
    EXPECT_EQ(sample.process_run, 3u);
    EXPECT_EQ(sample.round, 7u);
    EXPECT_EQ(sample.position, i);
    const bool clock = sample.role == ContenderRole::clock;
    EXPECT_EQ(sample.queries, 2 * (clock ? clock_additions : 100)) << "two passes";
    EXPECT_EQ(sample.nodes, clock ? 0u : 20u);
    order.push_back(sample.contender);
    tasks.push_back(cell_.tasks[i].contender->name);
  }
  EXPECT_NE(order, tasks) << "an order of its own";
  EXPECT_TRUE(std::is_permutation(order.begin(), order.end(), tasks.begin(), tasks.end()));
}

TEST_F(RoundTest, AWrongSumEndsIt) {
  work_->wrong = "method3";
  try {
    measure_round(cell_, cell_.tasks, {}, random_);
    FAIL() << "a wrong answer passed";
  } catch (const CheckFailed& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("method3 gave wrong answers in throughput"));
  }
}

}  // namespace
}  // namespace slidebench
