// SPDX-License-Identifier: MIT
//
// What is concluded from times, on simulated caches whose truth is known.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "harness/lab/caches/caches_report.hpp"
#include "harness/lab/caches/visited_set.hpp"
#include "harness/simulator/tag_store.hpp"

namespace slidebench {
namespace {

struct SimulatedLevel {
  CacheShape shape;
  Replacement replacement;
};

/// Two levels of cache, the second with a hash of higher bits in its index, and a clock with noise.
class SimulatedMemory : public TimedMemory {
 public:
  SimulatedMemory(const SimulatedLevel& first, const SimulatedLevel& second, double noise, std::uint64_t seed,
                  CacheShape tlb = {2u << 20, 32, 1})
      : first_(first.shape),
        second_(second.shape),
        l1_(first_.sets, first_.ways, first.replacement),
        l2_(second_.sets, second_.ways, second.replacement),
        tlb_(tlb),
        pages_(tlb.sets, tlb.ways, Replacement::lru),
        noise_(noise),
        random_(seed) {}

  Place bytes() const override { return 64u << 20; }

  double ns_a_read(const Places& period) override {
    std::map<Place, unsigned> visits;
    for (const Place place : period) {
      if (++visits[place / 64] > 8) throw std::logic_error("more visits than words");
    }
    const auto periods = static_cast<unsigned>(2048 / period.size()) + 4;
    for (unsigned i = 0; i < periods; ++i) read_all(period);
    double ns = 0;
    for (unsigned i = 0; i < periods; ++i) ns += read_all(period);
    return noisy(ns / static_cast<double>(periods * period.size()));
  }

  double ns_after(Place probe, const Places& others) override {
    double ns = 0;
    for (unsigned i = 0; i < 3; ++i) {
      read(probe);
      for (unsigned reading = 0; reading < 3; ++reading) read_all(others);
      ns += 25 + read(probe);
    }
    return noisy(ns / 3);
  }

 private:
  double read_all(const Places& places) {
    double ns = 0;
    for (const Place place : places) ns += read(place);
    return ns;
  }

  double read(Place place) {
    const Place page = place / tlb_.line_bytes;
    return (pages_.access(page % tlb_.sets, page) == tag_hit ? 0 : 2) + read_cached(place);
  }

  double read_cached(Place place) {
    const Place line1 = place / first_.line_bytes;
    if (l1_.access(line1 % first_.sets, line1) == tag_hit) return 1;
    const Place line2 = place / second_.line_bytes;
    const Place hashed = line2 ^ (line2 >> 11 & 7);
    return l2_.access(hashed % second_.sets, line2) == tag_hit ? 4 : 14;
  }

  double noisy(double ns) { return ns * (1 + noise_ * std::normal_distribution<double>()(random_)); }

  CacheShape first_, second_;
  TagStore l1_, l2_;
  CacheShape tlb_;  ///< its lines are pages
  TagStore pages_;
  double noise_;
  std::mt19937_64 random_;
};

TEST(RandomVisits, VisitEveryLineAndNoneTooOftenOrTwiceInARow) {
  for (const Visits& visits : random_visits(8, 50, 3)) {
    std::map<std::uint8_t, int> times;
    for (std::size_t i = 0; i < visits.size(); ++i) {
      ++times[visits[i]];
      EXPECT_NE(visits[i], visits[(i + 1) % visits.size()]);
    }
    EXPECT_GT(times.size(), 8u);
    EXPECT_EQ(times.rbegin()->first + 1u, times.size());
    for (const auto& [line, count] : times) EXPECT_LE(count, 8);
  }
}

TEST(SimulatedMissRatio, IsThatOfTextbookExamples) {
  const Visits round{0, 1, 2, 3, 4};  // one line more than four ways
  EXPECT_EQ(simulated_miss_ratio(round, 4, Replacement::lru), 1);
  EXPECT_EQ(simulated_miss_ratio(round, 4, Replacement::plru), 1);
  EXPECT_LT(simulated_miss_ratio(round, 4, Replacement::mru), 1);
  for (const auto& [name, replacement] : replacements) {
    EXPECT_EQ(simulated_miss_ratio({0, 1, 2, 3}, 4, replacement), 0) << name << ": all lines fit";
  }
}

class FitsReplacement : public testing::TestWithParam<std::pair<std::string_view, Replacement>> {};

/// Miss ratios of some process runs, with noise.
std::vector<std::vector<double>> noisy_ratios(const std::vector<Visits>& sequences, Replacement truth, double noise) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> error(0, noise);
  std::vector<std::vector<double>> ratios(5);
  for (const Visits& visits : sequences) {
    const double ratio = simulated_miss_ratio(visits, 8, truth);
    for (std::vector<double>& of_run : ratios) of_run.push_back(ratio + error(random));
  }
  return ratios;
}

TEST_P(FitsReplacement, ThatMadeTheMisses) {
  const std::vector<Visits> sequences = random_visits(8, 60, 1);
  const ReplacementFit fit = fit_replacement(sequences, 8, noisy_ratios(sequences, GetParam().second, 0.02));
  EXPECT_EQ(fit.fit, Fit::one);
  EXPECT_EQ(name_of(fit.policies.front().replacement), GetParam().first);
  EXPECT_LE(fit.policies.front().residual.low, fit.policies.front().residual.high);
}

INSTANTIATE_TEST_SUITE_P(All, FitsReplacement, testing::ValuesIn(replacements), [](const auto& instance) {
  std::string name(instance.param.first);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(ReplacementFit, SaysThatNoneFits) {
  const std::vector<Visits> sequences = random_visits(8, 40, 1);
  std::vector<std::vector<double>> nonsense = noisy_ratios(sequences, Replacement::lru, 0);
  for (std::vector<double>& of_run : nonsense) std::reverse(of_run.begin(), of_run.end());
  EXPECT_EQ(fit_replacement(sequences, 8, nonsense).fit, Fit::none);
}

TEST(ReplacementFit, IsNotMovedByOneDisturbedProcessRun) {
  const std::vector<Visits> sequences = random_visits(8, 60, 1);
  std::vector<std::vector<double>> ratios = noisy_ratios(sequences, Replacement::plru, 0.01);
  for (double& ratio : ratios.back()) ratio = 1 - ratio;
  const ReplacementFit fit = fit_replacement(sequences, 8, ratios);
  EXPECT_EQ(fit.policies.front().replacement, Replacement::plru);
  EXPECT_LT(fit.policies.front().residual.value, 0.02);
}

struct Machine {
  const char* name;
  SimulatedLevel first, second;
};

class FindsLevels : public testing::TestWithParam<Machine> {};

TEST_P(FindsLevels, OfASimulatedMachine) {
  const Machine& machine = GetParam();
  std::vector<CachesFound> found;
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    SimulatedMemory memory(machine.first, machine.second, 0.001, seed);
    std::mt19937_64 random(seed);
    find_levels(memory, 40, random, found.emplace_back());
    ASSERT_TRUE(found.back().first.has_value());
    ASSERT_TRUE(found.back().second.has_value());
    EXPECT_EQ(found.back().first->shape.line_bytes, machine.first.shape.line_bytes);
    EXPECT_EQ(found.back().first->shape.ways, machine.first.shape.ways);
    EXPECT_EQ(found.back().first->shape.sets, machine.first.shape.sets);
    EXPECT_EQ(found.back().second->shape.line_bytes, machine.second.shape.line_bytes);
    EXPECT_EQ(found.back().second->shape.ways, machine.second.shape.ways);
    EXPECT_EQ(found.back().second->shape.sets, machine.second.shape.sets);
  }
  std::map<std::string, std::string> said;
  for (const CacheFinding& finding : findings_of(found)) {
    if (finding.property == "replacement") said[finding.part] = finding.value;
  }
  EXPECT_EQ(said["L1D"], name_of(machine.first.replacement));
  EXPECT_EQ(said["L2"], name_of(machine.second.replacement));
}

INSTANTIATE_TEST_SUITE_P(
    Machines, FindsLevels,
    testing::Values(
        Machine{"plru_over_qlru", {{64, 8, 64}, Replacement::plru}, {{64, 8, 512}, Replacement::qlru_h00_m1_r0_u1}},
        Machine{"lru_over_lru", {{64, 8, 64}, Replacement::lru}, {{64, 16, 256}, Replacement::lru}},
        Machine{"plru_over_four_ways", {{64, 8, 64}, Replacement::plru}, {{64, 4, 1024}, Replacement::plru}}),
    [](const auto& instance) { return std::string(instance.param.name); });

TEST(FirstLevel, IsFoundBehindATlbWhoseSetsConflictAtLargeStrides) {
  SimulatedMemory memory({{64, 12, 64}, Replacement::lru}, {{64, 16, 2048}, Replacement::lru}, 0.001, 1, {4096, 6, 16});
  std::mt19937_64 random(1);
  const std::optional<FirstLevel> found = find_first_level(memory, random);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->shape.line_bytes, 64u);
  EXPECT_EQ(found->shape.ways, 12u);
  EXPECT_EQ(found->shape.sets, 64u);
}

/// A memory of which every read takes the same.
class FlatMemory : public TimedMemory {
 public:
  Place bytes() const override { return 64u << 20; }
  double ns_a_read(const Places&) override { return 1; }
  double ns_after(Place, const Places&) override { return 1; }
};

TEST(FirstLevel, IsNotFoundWhereAllTakesTheSame) {
  FlatMemory memory;
  std::mt19937_64 random(1);
  CachesFound found;
  find_levels(memory, 20, random, found);
  EXPECT_FALSE(found.first.has_value());
  EXPECT_FALSE(found.second.has_value());
  const std::vector<CacheFinding> findings = findings_of({found});
  EXPECT_TRUE(std::any_of(findings.begin(), findings.end(), [](const CacheFinding& f) {
    return f.part == "L2" && f.property == "replacement" && f.value == "not found";
  }));
}

TEST(TlbSteps, AreWhereTheCostRises) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> error(0, 0.1);
  std::vector<PageCost> costs;
  for (std::uint32_t pages = 16; pages <= 8192; pages = pages * 9 / 8) {
    costs.push_back({pages, (pages <= 72 ? 0.0 : pages <= 3072 ? 2.0 : 9.0) + error(random)});
  }
  const std::vector<TlbStep> steps = find_tlb_steps(costs);
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_LE(steps[0].pages, 72u);
  EXPECT_GT(steps[0].pages * 9 / 8 + 1, 72u);
  EXPECT_LE(steps[1].pages, 3072u);
  EXPECT_GT(steps[1].pages * 9 / 8 + 1, 3072u);
  EXPECT_NEAR(steps[1].beyond_ns, 9, 0.3);
}

TEST(TlbSteps, AreNoneWhereAPageCostsNothing) {
  std::vector<PageCost> costs;
  for (std::uint32_t pages = 16; pages <= 4096; pages *= 2) costs.push_back({pages, 0.01 * (pages % 3)});
  EXPECT_TRUE(find_tlb_steps(costs).empty());
  EXPECT_TRUE(find_tlb_steps({}).empty());
}

/// A memory in which the next line comes with each read.
class NextLineMemory : public TimedMemory {
 public:
  Place bytes() const override { return 64u << 20; }
  double ns_a_read(const Places& period) override {
    double ns = 0;
    Place next = 0;
    for (const Place place : period) {
      ns += place / 64 == next ? 4 : 20;
      next = place / 64 + 1;
    }
    return ns / static_cast<double>(period.size());
  }
  double ns_after(Place, const Places&) override { return 0; }
};

TEST(PrefetchEffects, ShowThePatternThatIsPrefetched) {
  NextLineMemory memory;
  std::mt19937_64 random(1);
  const std::vector<PrefetchEffect> effects = measure_prefetch_effects(memory, random);
  ASSERT_EQ(effects.size(), line_patterns().size());
  for (std::size_t i = 0; i < effects.size(); ++i) {
    ASSERT_EQ(effects[i].ns.size(), reads_a_page.size());
    for (std::size_t n = 0; n < reads_a_page.size(); ++n) {
      const double first = 1.0 / reads_a_page[n];
      const double expected = line_patterns()[i].stride == 1 ? 20 * first + 4 * (1 - first) : 20;
      EXPECT_NEAR(effects[i].ns[n], expected, 0.5) << effects[i].pattern;
    }
  }
}

TEST(CachesFound, ComesBackFromJson) {
  CachesFound found;
  found.large_share = 0.5;
  found.first =
      LevelFound{.shape = {64, 8, 64}, .penalty_ns = 2.5, .spread = 0, .sequences = 3, .miss_ratios = {1, 2, 3}};
  found.page_costs = {{16, 0.1}, {18, 0.2}};
  found.prefetches = {{"at random", {1, 2, 3}}};
  found.forwarded = {{"8 bytes, read as 8", 1.5}};
  const CachesFound again = caches_from_json(to_json(found));
  EXPECT_EQ(to_json(again), to_json(found));
  EXPECT_EQ(again.first->miss_ratios, found.first->miss_ratios);
  EXPECT_FALSE(again.second.has_value());
}

TEST(StoreForwarding, IsMeasuredForSeveralKinds) {
  const std::vector<ForwardedLoad> loads = measure_store_forwarding();
  EXPECT_GE(loads.size(), 4u);
  for (const ForwardedLoad& load : loads) EXPECT_GT(load.ns, 0) << load.name;
}

TEST(OwnMemory, RefusesMoreVisitsThanWords) {
  OwnMemory memory(2u << 20, false);
  EXPECT_GT(memory.ns_a_read(Places(8, 128)), 0);
  EXPECT_THROW(memory.ns_a_read(Places(9, 128)), std::logic_error);
}

}  // namespace
}  // namespace slidebench
