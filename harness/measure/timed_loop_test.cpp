// SPDX-License-Identifier: MIT
#include "harness/measure/timed_loop.hpp"

#include <gtest/gtest.h>

#include "harness/plugin/loader.hpp"

namespace slidebench {
namespace {

/// Writes down what is asked of it; a segment has two pieces.
class Diary : public Work {
 public:
  std::size_t segments() const override { return 1; }
  std::size_t pieces(std::size_t) const override { return 2; }
  WorkSize size(std::size_t) const override { return {2, 2}; }
  bool takes(const Contender&) const override { return true; }
  void prepare(const Contender& contender, std::size_t, double) override {
    entries.push_back("warm " + contender.name);
  }
  std::uint64_t run(const Contender& contender, std::size_t, std::size_t piece) override {
    entries.push_back(contender.name + std::to_string(piece));
    return 10 + piece;
  }
  std::uint64_t expected(const Contender&, std::size_t) override { return 21; }

  std::vector<std::string> entries;
};

Contender named(const std::string& name) {
  Contender contender = Contender::clock();
  contender.name = name;
  contender.role = ContenderRole::method;
  return contender;
}

TEST(TimeInOrder, WarmsEachTaskAndAddsUpItsPasses) {
  const Contender a = named("a"), b = named("b");
  Diary diary;
  const std::vector<SampleTime> times = time_in_order({{&b, 1}, {&a, 2}}, diary, 0, 0);
  EXPECT_EQ(diary.entries, (std::vector<std::string>{"warm b", "b0", "b1", "warm a", "a0", "a1", "a0", "a1"}));
  ASSERT_EQ(times.size(), 2u);
  EXPECT_EQ(times[0].checksum, 21u);
  EXPECT_EQ(times[1].checksum, 42u);
  for (const SampleTime& time : times) EXPECT_GT(time.time_ns, 0);
}

/// Counts the pieces that were done between its start and its stop.
class PieceSet final : public EventSet {
 public:
  explicit PieceSet(const Diary& diary) : diary_(diary) {}
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

class PieceSource final : public EventSource {
 public:
  explicit PieceSource(const Diary& diary) : diary_(diary) {}
  std::string name() const override { return "pieces"; }
  std::vector<std::string> names() const override { return {}; }
  OpenedSet open(const std::vector<std::string>&) override { return {std::make_unique<PieceSet>(diary_), false, ""}; }

 private:
  const Diary& diary_;
};

TEST(TimeInOrder, CountsWhatItTimes) {
  const Contender a = named("a"), b = named("b");
  Diary diary;
  std::vector<std::unique_ptr<EventSource>> sources;
  sources.push_back(std::make_unique<PieceSource>(diary));
  EventCounters counters = EventCounters::open(std::move(sources), {{"pieces", {"any"}}});
  const std::vector<SampleTime> times = time_in_order({{&b, 1}, {&a, 3}}, diary, 0, 0, {&counters, 0});
  EXPECT_EQ(times[0].counts.at(0).value, 2u) << "without the warm-up";
  EXPECT_EQ(times[1].counts.at(0).value, 6u) << "all passes of the sample";
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

TEST(Clock, AddsOneAtATime) { EXPECT_EQ(run_clock(16 * 1000), 16u * 1000); }

}  // namespace
}  // namespace slidebench
