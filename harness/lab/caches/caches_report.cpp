// SPDX-License-Identifier: MIT
#include "harness/lab/caches/caches_report.hpp"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "harness/base/csv_table.hpp"
#include "harness/lab/caches/visited_set.hpp"
#include "harness/measure/table_pages.hpp"

namespace slidebench {
namespace {

constexpr std::uint64_t visits_seed = 1;  // the same visits in every process run, so that they can be compared

LevelFound visit(VisitedSet set, const CacheShape& shape, unsigned sequences, std::mt19937_64& random) {
  LevelFound level{
      .shape = shape, .penalty_ns = set.penalty_ns(), .spread = 0, .sequences = sequences, .miss_ratios = {}};
  for (const Visits& visits : random_visits(shape.ways, sequences, visits_seed)) {
    level.miss_ratios.push_back(set.miss_ratio(visits, random));
  }
  return level;
}

nlohmann::json level_json(const LevelFound& level) {
  return {{"line_bytes", level.shape.line_bytes}, {"ways", level.shape.ways}, {"sets", level.shape.sets},
          {"penalty_ns", level.penalty_ns},       {"spread", level.spread},   {"sequences", level.sequences},
          {"miss_ratios", level.miss_ratios}};
}

LevelFound level_from(const nlohmann::json& json) {
  return {.shape = {json.at("line_bytes"), json.at("ways"), json.at("sets")},
          .penalty_ns = json.at("penalty_ns"),
          .spread = json.at("spread"),
          .sequences = json.at("sequences"),
          .miss_ratios = json.at("miss_ratios").get<std::vector<double>>()};
}

std::string said_of(const ReplacementFit& fit) {
  std::string best = name_of(fit.policies[0].replacement);
  switch (fit.fit) {
    case Fit::one: return best;
    case Fit::several: return best + " or " + name_of(fit.policies[1].replacement);
    case Fit::none: break;
  }
  return "none fits";
}

/// Collects findings.
class Findings {
 public:
  explicit Findings(const std::vector<CachesFound>& process_runs) : process_runs_(process_runs) {}

  std::vector<CacheFinding> take() {
    numbers("memory", "share on 2 MiB pages", "", 2, all([](const CachesFound& f) { return f.large_share; }));
    numbers("L1D", "a hit", "ns", 2, all([](const CachesFound& f) { return f.hit_ns; }));
    level("L1D", &CachesFound::first);
    level("L2", &CachesFound::second);
    pages();
    prefetches();
    forwarded();
    return std::move(findings_);
  }

 private:
  using LevelOf = std::optional<LevelFound> CachesFound::*;

  template <class Figure>
  std::vector<double> all(Figure figure) const {
    std::vector<double> values;
    for (const CachesFound& found : process_runs_) values.push_back(figure(found));
    return values;
  }

  /// Of those process runs that found the level.
  template <class Figure>
  std::vector<double> of_level(LevelOf of, Figure figure) const {
    std::vector<double> values;
    for (const CachesFound& found : process_runs_) {
      if (found.*of) values.push_back(static_cast<double>(figure(*(found.*of))));
    }
    return values;
  }

  void word(const std::string& part, const std::string& property, const std::string& value) {
    findings_.push_back({part, property, value, "", {}, {}});
  }

  void numbers(const std::string& part, const std::string& property, const std::string& unit, int places,
               const std::vector<double>& values) {
    if (values.empty()) return word(part, property, "not found");
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    findings_.push_back({part, property, decimals(median(values), places), unit, *low, *high});
  }

  void level(const std::string& part, LevelOf of) {
    numbers(part, "line", "bytes", 0, of_level(of, [](const LevelFound& l) { return l.shape.line_bytes; }));
    numbers(part, "ways", "", 0, of_level(of, [](const LevelFound& l) { return l.shape.ways; }));
    numbers(part, "sets", "", 0, of_level(of, [](const LevelFound& l) { return l.shape.sets; }));
    numbers(part, "a miss", "ns", 2, of_level(of, [](const LevelFound& l) { return l.penalty_ns; }));
    if (of == &CachesFound::second) {
      const std::vector<double> spreads = of_level(of, [](const LevelFound& l) { return l.spread; });
      numbers(part, "sets with lines of one L1D set", "", 0, spreads);
    }
    replacement(part, of);
  }

  /// Of those process runs that found as many ways as most did.
  void replacement(const std::string& part, LevelOf of) {
    std::vector<double> ways = of_level(of, [](const LevelFound& l) { return l.shape.ways; });
    if (ways.empty()) return word(part, "replacement", "not found");
    std::sort(ways.begin(), ways.end());
    const auto usual = static_cast<std::uint32_t>(ways[ways.size() / 2]);
    std::vector<std::vector<double>> ratios;
    unsigned sequences = 0;
    for (const CachesFound& found : process_runs_) {
      const std::optional<LevelFound>& level = found.*of;
      if (!level || level->shape.ways != usual) continue;
      sequences = level->sequences;
      ratios.push_back(level->miss_ratios);
    }
    const ReplacementFit fit = fit_replacement(random_visits(usual, sequences, visits_seed), usual, ratios);
    word(part, "replacement", said_of(fit));
    for (const PolicyResidual& policy : fit.policies) {
      findings_.push_back({part, "residual of " + name_of(policy.replacement), decimals(policy.residual.value, 4), "",
                           policy.residual.low, policy.residual.high});
    }
    word(part, "process runs' distance from their median", decimals(fit.spread, 4));
  }

  void pages() {
    static constexpr const char* names[] = {"first level", "second level"};
    for (std::size_t level = 0; level < 2; ++level) {
      std::vector<double> pages, ns;
      for (const CachesFound& found : process_runs_) {
        const std::vector<TlbStep> steps = find_tlb_steps(found.page_costs);
        if (steps.size() > level) pages.push_back(steps[level].pages), ns.push_back(steps[level].beyond_ns);
      }
      numbers("DTLB", std::string("pages that the ") + names[level] + " reaches", "", 0, pages);
      numbers("DTLB", std::string("a page beyond the ") + names[level], "ns", 2, ns);
    }
  }

  void prefetches() {
    for (std::size_t i = 0; i < process_runs_.front().prefetches.size(); ++i) {
      for (std::size_t n = 0; n < reads_a_page.size(); ++n) {
        numbers("prefetch",
                process_runs_.front().prefetches[i].pattern + ", " + std::to_string(reads_a_page[n]) + " of a page",
                "ns", 2, all([&](const CachesFound& f) { return f.prefetches.at(i).ns.at(n); }));
      }
    }
  }

  void forwarded() {
    for (std::size_t i = 0; i < process_runs_.front().forwarded.size(); ++i) {
      numbers("forwarding", process_runs_.front().forwarded[i].name, "ns", 2,
              all([&](const CachesFound& f) { return f.forwarded.at(i).ns; }));
    }
  }

  const std::vector<CachesFound>& process_runs_;
  std::vector<CacheFinding> findings_;
};

using enum CellKind;
using enum Need;

std::string number_or_empty(const std::optional<double>& number) { return number ? decimals(*number, 4) : ""; }

constexpr CsvTable caches{
    "caches.csv", "a property of the caches, of `slidebench caches --format csv`",
    std::to_array<Column<CacheFinding>>({
        {"part", text, needed, "memory, L1D, L2, DTLB, prefetch or forwarding",
         [](const CacheFinding& f) { return f.part; }},
        {"property", text, needed, "what was found out", [](const CacheFinding& f) { return f.property; }},
        {"value", text, needed, "the median over process runs, or a word",
         [](const CacheFinding& f) { return f.value; }},
        {"unit", text, optional, "ns or bytes; empty for counts, ratios and words",
         [](const CacheFinding& f) { return f.unit; }},
        {"low", any, optional, "of residuals the lower end of the interval (95 %); the least of the process runs",
         [](const CacheFinding& f) { return number_or_empty(f.low); }},
        {"high", any, optional, "the upper end; the most",
         [](const CacheFinding& f) { return number_or_empty(f.high); }},
    })};

}  // namespace

void find_levels(TimedMemory& memory, unsigned sequences, std::mt19937_64& random, CachesFound& found) {
  const std::optional<FirstLevel> first = find_first_level(memory, random);
  if (!first) return;
  found.hit_ns = first->hit_ns;
  found.first = visit(VisitedSet(memory, *first, random), first->shape, sequences, random);
  const std::optional<SecondLevelSet> second = find_second_level(memory, *first, random);
  if (!second) return;
  found.second = visit(VisitedSet(memory, *first, *second, random), second->shape, sequences, random);
  found.second->spread = second->spread;
}

CachesFound measure_caches(const CachesPlan& plan) {
  std::mt19937_64 random(plan.seed);
  CachesFound found;
  {
    OwnMemory memory(plan.megabytes << 20, large_pages_refused().empty());
    found.large_share = memory.large_share();
    find_levels(memory, plan.sequences, random, found);
    found.prefetches = measure_prefetch_effects(memory, random);
  }
  OwnMemory small(plan.megabytes << 17, false);
  found.page_costs = measure_page_costs(small, static_cast<std::uint32_t>(base_page_bytes()), random);
  found.forwarded = measure_store_forwarding();
  return found;
}

nlohmann::json to_json(const CachesFound& found) {
  nlohmann::json json{{"large_share", found.large_share},
                      {"hit_ns", found.hit_ns},
                      {"page_costs", nlohmann::json::array()},
                      {"prefetches", nlohmann::json::array()},
                      {"forwarded", nlohmann::json::array()}};
  if (found.first) json["first"] = level_json(*found.first);
  if (found.second) json["second"] = level_json(*found.second);
  for (const PageCost& cost : found.page_costs) json["page_costs"].push_back({cost.pages, cost.added_ns});
  for (const PrefetchEffect& effect : found.prefetches) {
    json["prefetches"].push_back({{"pattern", effect.pattern}, {"ns", effect.ns}});
  }
  for (const ForwardedLoad& load : found.forwarded) {
    json["forwarded"].push_back({{"name", load.name}, {"ns", load.ns}});
  }
  return json;
}

CachesFound caches_from_json(const nlohmann::json& json) {
  CachesFound found;
  found.large_share = json.at("large_share");
  found.hit_ns = json.at("hit_ns");
  if (json.contains("first")) found.first = level_from(json["first"]);
  if (json.contains("second")) found.second = level_from(json["second"]);
  for (const nlohmann::json& cost : json.at("page_costs")) found.page_costs.push_back({cost.at(0), cost.at(1)});
  for (const nlohmann::json& effect : json.at("prefetches")) {
    found.prefetches.push_back({effect.at("pattern"), effect.at("ns").get<std::vector<double>>()});
  }
  for (const nlohmann::json& load : json.at("forwarded")) found.forwarded.push_back({load.at("name"), load.at("ns")});
  return found;
}

std::vector<CacheFinding> findings_of(const std::vector<CachesFound>& process_runs) {
  return Findings(process_runs).take();
}

std::string caches_csv(const std::vector<CacheFinding>& findings) { return caches.lines(findings); }

TableText caches_columns() { return caches.describe(); }

std::string caches_table(const std::vector<CacheFinding>& findings) {
  std::string text, part;
  for (const CacheFinding& f : findings) {
    if (f.part != part) text += (part.empty() ? "" : "\n") + f.part + "\n";
    part = f.part;
    std::string line = "  " + f.property;
    line.resize(std::max<std::size_t>(line.size() + 1, 44), ' ');
    line += f.value + (f.unit.empty() ? "" : " " + f.unit);
    if (f.low && f.high && *f.low != *f.high) {
      const int places = f.unit == "ns" ? 2 : f.property.starts_with("residual") ? 4 : 0;
      line += "  [" + decimals(*f.low, places) + ", " + decimals(*f.high, places) + "]";
    }
    text += line + "\n";
  }
  return text;
}

}  // namespace slidebench
