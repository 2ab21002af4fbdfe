// SPDX-License-Identifier: MIT
#include "extras/engines/duel/duel_process_run.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>

#include "harness/statistics/statistics.hpp"

namespace slidebench::duel {
namespace {

/// Which build of its engine a contender is in a process run. All builds of an engine are drawn equally often: in each
/// block of as many process runs as there are builds, in a fresh order. The A/A control is the next one in that order,
/// so that it is another build wherever there is one. Where all are one engine, all have the same.
std::size_t build_of(const DuelPlan& plan, const DuelContender& contender) {
  const std::size_t builds = contender.spec.builds.size();
  std::seed_seq seed{plan.seed, std::uint64_t{plan.process_run / builds}, fold(0, contender.engine)};
  std::mt19937_64 random(seed);
  std::vector<std::size_t> order(builds);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), random);
  const bool is_other = contender.role == ContenderRole::twin;
  return order[(plan.process_run + (is_other ? 1 : 0)) % builds];
}

class DuelProcessRun {
 public:
  DuelProcessRun(const DuelPlan& plan, DuelNotes& notes, const std::atomic<bool>& stop)
      : plan_(plan), notes_(notes), random_(plan.seed * 1000 + plan.process_run), order_(plan.contenders.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    engines_.resize(plan.contenders.size());
    builds_.resize(plan.contenders.size());
    std::shuffle(order_.begin(), order_.end(), random_);
    for (const std::size_t i : order_) {
      // An environment of another size moves the stack, which alone can change times.
      const std::string padding = "SLIDEBENCH_PADDING=" + std::string(draw(random_, 4096), 'x');
      builds_[i] = build_of(plan, plan.contenders[i]);
      engines_[i] = std::make_unique<UciEngine>(plan.contenders[i].spec, builds_[i], plan.conditions, padding, stop);
    }
  }

  std::vector<Sample> run_round(unsigned round) {
    const std::size_t segment = segments_[(std::uint64_t{plan_.process_run} * plan_.rounds + round) % segments_.size()];
    std::shuffle(order_.begin(), order_.end(), random_);
    std::vector<Sample> samples;
    for (std::size_t place = 0; place < order_.size(); ++place) {
      const std::size_t i = order_[place];
      const std::vector<std::int64_t> before = cpu_times();
      const Turn turn = engines_[i]->timed_search(plan_.positions[segment]);
      note(i, turn, before);
      samples.push_back(sample_of(i, turn, round, place, segment));
    }
    return samples;
  }

 private:
  /// The same for all process runs of a duel.
  static std::vector<std::size_t> segment_order(const DuelPlan& plan) {
    std::vector<std::size_t> order(plan.positions.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::mt19937_64 random(plan.seed);
    std::shuffle(order.begin(), order.end(), random);
    return order;
  }

  std::vector<std::int64_t> cpu_times() const {
    std::vector<std::int64_t> times;
    for (const auto& engine : engines_) times.push_back(engine->process().cpu_ns().value_or(0));
    return times;
  }

  void note(std::size_t turning, const Turn& turn, const std::vector<std::int64_t>& before) {
    constexpr std::int64_t noticeable_ns = 1'000'000;
    const std::vector<std::int64_t> now = cpu_times();
    ++notes_["turns"][plan_.contenders[turning].name];
    for (std::size_t i = 0; i < now.size(); ++i) {
      const std::int64_t used = now[i] - before[i];
      if (i != turning && used > std::max(noticeable_ns, turn.cpu_ns / 50)) {
        ++notes_["busy_while_idle"][plan_.contenders[i].name];
      }
    }
    if (turn.repeats > 0) notes_["repeated"][plan_.contenders[turning].name] += turn.repeats;
    if (turn.ended_threads) ++notes_["ended_threads"][plan_.contenders[turning].name];
    const std::uint64_t asked = plan_.conditions.limit.nodes;
    if (turn.nodes < asked - asked / 10) ++notes_["short_of_nodes"][plan_.contenders[turning].name];
  }

  /// What is divided by is nodes, as in the workload engine, so that a ratio is one of time a node.
  Sample sample_of(std::size_t i, const Turn& turn, unsigned round, std::size_t place, std::size_t segment) const {
    const DuelContender& contender = plan_.contenders[i];
    Sample sample;
    sample.placement = static_cast<unsigned>(builds_[i]);
    sample.process_run = plan_.process_run;
    sample.round = round;
    sample.position = static_cast<unsigned>(place);
    sample.contender = contender.name;
    sample.method = contender.engine;
    sample.role = contender.role;
    sample.cell = plan_.cell;
    sample.segment = static_cast<unsigned>(segment);
    sample.queries = turn.nodes;
    sample.nodes = turn.nodes;
    sample.time_ns = static_cast<double>(turn.cpu_ns);
    sample.checksum = turn.signature;
    sample.involuntary_switches = turn.disturbance.noise.involuntary_switches;
    sample.minor_faults = turn.disturbance.noise.minor_faults;
    sample.major_faults = turn.disturbance.noise.major_faults;
    sample.steal_ticks = turn.disturbance.steal;
    return sample;
  }

  const DuelPlan& plan_;
  DuelNotes& notes_;
  std::mt19937_64 random_;
  std::vector<std::size_t> order_;
  std::vector<std::unique_ptr<UciEngine>> engines_;
  std::vector<std::size_t> builds_;  ///< that they are
  std::vector<std::size_t> segments_ = segment_order(plan_);
};

}  // namespace

void run_duel_process_run(const DuelPlan& plan, DuelNotes& notes, const std::function<void(const Sample&)>& on_sample,
                          const std::atomic<bool>& stop) {
  DuelProcessRun process_run(plan, notes, stop);
  for (unsigned round = 0; round < plan.rounds; ++round) {
    for (const Sample& sample : process_run.run_round(round)) on_sample(sample);
  }
}

}  // namespace slidebench::duel
