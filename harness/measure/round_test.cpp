// SPDX-License-Identifier: MIT
#include "harness/measure/round.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <set>

#include "harness/base/errors.hpp"

namespace slidebench {
namespace {

/// Writes down what is asked of it; a segment has two pieces.
class Diary : public Work {
 public:
  std::size_t segments() const override { return 1; }
  std::size_t pieces(std::size_t) const override { return 2; }
  WorkSize size(std::size_t) const override { return {100, 10}; }
  bool takes(const Contender&) const override { return true; }
  void prepare(const Contender& contender, std::size_t, double) override {
    entries.push_back("warm " + contender.name);
  }
  std::uint64_t run(const Contender& contender, std::size_t, std::size_t piece) override {
    entries.push_back(contender.name + std::to_string(piece));
    return contender.name == wrong ? 0 : 10 + piece;
  }
  std::uint64_t expected(const Contender&, std::size_t) override { return 21; }

  std::vector<std::string> entries;
  std::string wrong;  ///< who gives wrong answers
};

Contender named(const std::string& name, ContenderRole role = ContenderRole::method) {
  Contender contender = Contender::clock();
  contender.name = name;
  contender.role = role;
  return contender;
}

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
    cell_.tasks.push_back({&contenders_.emplace_back(named(name, role)), 2});
  }

  std::shared_ptr<Diary> work_ = std::make_shared<Diary>();
  std::deque<Contender> contenders_;
  PreparedCell cell_;
  Shuffler random_{1};
};

TEST_F(RoundTest, ManyMethodsMeetTheReferenceAndItsTwinInGroups) {
  const std::vector<Group> groups = groups_of(cell_, 6, random_);
  ASSERT_EQ(groups.size(), 4u) << "13 methods by six, and what every cell has";
  std::multiset<std::string> all;
  for (const Group& group : groups) {
    EXPECT_LE(group.size(), 8u);
    for (const Task& task : group) all.insert(task.contender->name);
  }
  for (const Task& task : cell_.tasks) {
    const ContenderRole role = task.contender->role;
    const bool always = role == ContenderRole::reference || role == ContenderRole::twin;
    EXPECT_EQ(all.count(task.contender->name), always ? groups.size() : 1u) << task.contender->name;
  }
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
  std::vector<std::string> order, tasks;
  for (const CountedSample& one : measure_round(cell_, cell_.tasks, {.process_run = 3, .number = 7}, random_)) {
    const Sample& sample = one.sample;
    EXPECT_TRUE(one.counts.empty());
    EXPECT_EQ(sample.process_run, 3u);
    EXPECT_EQ(sample.round, 7u);
    EXPECT_EQ(sample.position, order.size());
    const bool clock = sample.role == ContenderRole::clock;
    EXPECT_EQ(sample.queries, 2 * (clock ? clock_additions : 100)) << "two passes";
    EXPECT_EQ(sample.nodes, clock ? 0u : 20u);
    order.push_back(sample.contender);
  }
  for (const Task& task : cell_.tasks) tasks.push_back(task.contender->name);
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

/// Counts the pieces that were done between its start and its stop: the source, and each set that it opens.
class PieceCounter final : public EventSource, public EventSet {
 public:
  explicit PieceCounter(const Diary& diary) : diary_(diary) {}
  std::string name() const override { return "pieces"; }
  std::vector<std::string> names() const override { return {}; }
  OpenedSet open(const std::vector<std::string>&) override {
    return {std::make_unique<PieceCounter>(diary_), false, ""};
  }
  bool start() override {
    before_ = diary_.entries.size();
    return true;
  }
  std::optional<std::vector<std::int64_t>> stop() override {
    return std::vector{static_cast<std::int64_t>(diary_.entries.size() - before_)};
  }

 private:
  const Diary& diary_;
  std::size_t before_ = 0;
};

TEST(TimeInOrder, WarmsEachTaskAddsUpItsPassesAndCountsThemAlone) {
  const Contender a = named("a"), b = named("b");
  Diary diary;
  std::vector<std::unique_ptr<EventSource>> sources;
  sources.push_back(std::make_unique<PieceCounter>(diary));
  EventCounters counters = EventCounters::open(std::move(sources), {{"pieces", {"any"}}});
  const std::vector<SampleTime> times = time_in_order({{&b, 1}, {&a, 2}}, diary, 0, 0, {&counters, 0});
  EXPECT_EQ(diary.entries, (std::vector<std::string>{"warm b", "b0", "b1", "warm a", "a0", "a1", "a0", "a1"}));
  ASSERT_EQ(times.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(times[i].checksum, 21 * (i + 1));
    EXPECT_EQ(times[i].counts.at(0).value, 2 * (i + 1)) << "without the warm-up";
    EXPECT_GT(times[i].time_ns, 0);
  }
}

TEST(TimeInTurns, GivesEachContenderEveryPieceBeforeTheNext) {
  const Contender a = named("a"), b = named("b"), clock = Contender::clock();
  Diary diary;
  Shuffler random(1);
  const std::vector<SampleTime> times = time_in_turns({{&a, 2}, {&b, 2}, {&clock, 2}}, diary, 0, random);
  ASSERT_EQ(diary.entries.size(), 8u);
  for (std::size_t i = 0; i < 8; i += 2) {
    EXPECT_EQ(diary.entries[i].back(), diary.entries[i + 1].back()) << "both do a piece before either does the next";
    EXPECT_NE(diary.entries[i], diary.entries[i + 1]);
  }
  EXPECT_EQ(times[0].checksum, 42u);
  EXPECT_EQ(times[1].checksum, 42u);
  EXPECT_EQ(times[2].checksum, 2 * 2 * clock_turn_additions);
  for (const SampleTime& time : times) EXPECT_GT(time.time_ns, 0);
}

}  // namespace
}  // namespace slidebench
