// SPDX-License-Identifier: MIT
#include "harness/counters/calibration.hpp"

#include <gtest/gtest.h>

#include <map>
#include <memory>

namespace slidebench {
namespace {

/// What each event counts in the five pieces of known work, in their order.
using Answers = std::map<std::string, std::vector<std::int64_t>>;

class AnswerSet final : public EventSet {
 public:
  AnswerSet(const Answers& answers, std::vector<std::string> events) : answers_(answers), events_(std::move(events)) {}
  bool start() override { return true; }
  std::optional<std::vector<std::int64_t>> stop() override {
    std::vector<std::int64_t> counts;
    for (const std::string& event : events_) counts.push_back(answers_.at(event).at(stops_ == 0 ? 0 : stops_ - 1));
    ++stops_;
    return counts;
  }

 private:
  const Answers& answers_;
  std::vector<std::string> events_;
  std::size_t stops_ = 0;  // the first is that of the trial
};

class AnswerSource final : public EventSource {
 public:
  explicit AnswerSource(const Answers& answers) : answers_(answers) {}
  std::string name() const override { return "answers"; }
  std::vector<std::string> names() const override { return {}; }
  OpenedSet open(const std::vector<std::string>& events) override {
    return {std::make_unique<AnswerSet>(answers_, events), false, ""};
  }

 private:
  const Answers& answers_;
};

/// The metrics at fault, where one event has these counts.
std::vector<CalibrationFault> faults_of(const std::string& metric, const std::vector<std::int64_t>& counts) {
  const Answers answers{{"event", counts}};
  std::vector<std::unique_ptr<EventSource>> sources;
  sources.push_back(std::make_unique<AnswerSource>(answers));
  EventCounters counters = EventCounters::open(std::move(sources), {{metric, {"event"}}});
  return calibrate(counters);
}

TEST(Calibration, BelievesWhatCountsWhatIsKnown) {
  EXPECT_TRUE(faults_of("l1d_misses", {900, 199'000, 201'000, 0, 0}).empty());
  EXPECT_TRUE(faults_of("instructions", {0, 0, 0, 3'000'100, 0}).empty());
  EXPECT_TRUE(faults_of("cycles", {0, 0, 0, 3'010'000, 0}).empty());
  EXPECT_TRUE(faults_of("branch_misses", {0, 0, 0, 12, 99'000}).empty());
  EXPECT_TRUE(faults_of("something_else", {1, 2, 3, 4, 5}).empty()) << "nothing is known of it";
}

TEST(Calibration, NamesWhatStaysAtZero) {
  const std::vector<CalibrationFault> faults = faults_of("l1d_misses", {0, 0, 0, 0, 0});
  ASSERT_EQ(faults.size(), 2u);
  EXPECT_EQ(faults[0].what, "0.00 a read where 0.6 to 1.6 are known: dependent reads over 256 KiB");
  EXPECT_FALSE(faults_of("instructions", {0, 0, 0, 0, 0}).empty());
  EXPECT_FALSE(faults_of("branch_misses", {0, 0, 0, 0, 0}).empty());
}

TEST(Calibration, NamesWhatCountsSomethingElse) {
  EXPECT_FALSE(faults_of("l1d_misses", {200'000, 200'000, 200'000, 0, 0}).empty()) << "accesses";
  EXPECT_FALSE(faults_of("branch_misses", {0, 0, 0, 1'000'000, 400'000}).empty()) << "branches";
  EXPECT_FALSE(faults_of("dtlb_misses", {200'000, 0, 0, 0, 0}).empty());
}

}  // namespace
}  // namespace slidebench
