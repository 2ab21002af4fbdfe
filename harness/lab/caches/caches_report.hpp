// SPDX-License-Identifier: MIT
//
// All that one process run finds of this machine's caches, and what several of them say together.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/lab/caches/cache_shape.hpp"
#include "harness/lab/caches/prefetch_effect.hpp"
#include "harness/lab/caches/replacement_fit.hpp"
#include "harness/lab/caches/store_forwarding.hpp"
#include "harness/lab/caches/tlb_reach.hpp"

namespace slidebench {

struct TableText;

/// What is measured.
struct CachesPlan {
  std::uint64_t seed = 1;         ///< of the process run: places and orders
  unsigned sequences = 100;       ///< of visits, for each level; the same in every process run
  std::uint32_t megabytes = 256;  ///< searched for a set of the second level; an eighth as much lies on base pages
};

/// One level in one process run.
struct LevelFound {
  CacheShape shape;
  double penalty_ns = 0;            ///< of a miss
  double spread = 0;                ///< second level: as in SecondLevelSet
  unsigned sequences = 0;           ///< of random_visits(), with the seed of all process runs
  std::vector<double> miss_ratios;  ///< by sequence
};

struct CachesFound {
  double large_share = 0;  ///< of the memory on 2 MiB pages
  double hit_ns = 0;       ///< of a read that hits the first level
  std::optional<LevelFound> first, second;
  std::vector<PageCost> page_costs;
  std::vector<PrefetchEffect> prefetches;
  std::vector<ForwardedLoad> forwarded;
};

/// Measures in this process. Throws UserError if there is not enough memory.
CachesFound measure_caches(const CachesPlan& plan);

/// The two first levels of a memory. @param found  gets them, and the time of a hit
void find_levels(TimedMemory& memory, unsigned sequences, std::mt19937_64& random, CachesFound& found);

/// For the process that collects what others found.
nlohmann::json to_json(const CachesFound& found);
CachesFound caches_from_json(const nlohmann::json& json);

/// One line of the table and of the CSV.
struct CacheFinding {
  std::string part;                 ///< memory, L1D, L2, DTLB, prefetch, forwarding
  std::string property;             ///< such as "ways", "replacement", "residual of plru"
  std::string value;                ///< a word or a number
  std::string unit;                 ///< empty for a word and for a ratio
  std::optional<double> low, high;  ///< of residuals: 95 % over process runs; of others: the least and the most
};

/// What process runs say together: medians, and the fit of policies. Precondition: at least one.
std::vector<CacheFinding> findings_of(const std::vector<CachesFound>& process_runs);

std::string caches_csv(const std::vector<CacheFinding>& findings);
TableText caches_columns();

/// The same for people.
std::string caches_table(const std::vector<CacheFinding>& findings);

}  // namespace slidebench
