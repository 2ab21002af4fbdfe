// SPDX-License-Identifier: MIT
#include "extras/magics/overlapped/search.hpp"

#include <algorithm>
#include <stdexcept>
#include <thread>

#include "extras/magics/deadline.hpp"
#include "extras/magics/overlapped/packer.hpp"
#include "extras/magics/overlapped/pools.hpp"
#include "extras/magics/overlapped/table.hpp"
#include "harness/base/errors.hpp"

namespace slidebench {
namespace {

using overlap::array_count;
using overlap::Candidate;

constexpr std::size_t most_candidates = 300;
constexpr std::size_t most_slots = overlap::SlotMap::capacity / 2;
constexpr std::size_t most_walk_steps = 400'000;

const FactorRow& entry(const FactorFile& table, std::size_t array) {
  return array < 64 ? table.bishop[array] : table.rook[array - 64];
}

FactorFile to_table(const overlap::Layout& layout, const MagicVariant* variant) {
  FactorFile table{.variant = variant};
  for (std::size_t a = 0; a < array_count; ++a) {
    (a < 64 ? table.bishop[a] : table.rook[a - 64]) = {layout[a].candidate->factor, layout[a].first};
  }
  table.slots = overlap::slots_of(layout);
  return table;
}

/// The search's shared state: the pools, and the best table with the lock that guards it and the reports.
class Search {
 public:
  Search(const FindOptions& options, const std::optional<FactorFile>& start, const OverlapProgress& progress,
         std::stop_token stop)
      : options_(options),
        progress_(progress),
        stop_(std::move(stop)),
        pools_(options.variant->is_black(), most_candidates) {
    if (start && start->slots > most_slots) throw UserError("the table to begin with is huge; begin without it");
    if (start) {
      best_ = *start;
      overlap::Rater rater;
      for (std::size_t a = 0; a < array_count; ++a) pools_.add(a, entry(*start, a).factor, rater);
    } else {
      begin_from_nothing();
    }
  }

  FactorFile run() {
    {
      std::vector<std::jthread> threads;
      for (unsigned job = 0; job < std::max(1U, options_.jobs); ++job) {
        threads.emplace_back([this, job] { work(job); });
      }
    }
    return best_;
  }

 private:
  bool done() const { return stop_.stop_requested() || end_.is_over(); }

  void begin_from_nothing() {
    overlap::Tools tools(options_.seed);
    for (std::size_t a = 0; a < array_count; ++a) pools_.add(a, random_factor(shapes_[a], tools), tools.rater);
    const overlap::Pools pools = pools_.snapshot();
    overlap::Packer packer(shapes_, pools, options_.seed);
    packer.start_from_nothing();
    best_ = to_table(packer.best(), options_.variant);
  }

  /// One thread's share: it anneals a layout of its own, while the pools that all threads grow become better.
  void work(unsigned job) {
    overlap::Tools tools(options_.seed + 0x9E3779B97F4A7C15 * (job + 1));
    overlap::Pools pools = pools_.snapshot();
    overlap::Packer packer(shapes_, pools, tools.random.next());
    packer.start_from(current_layout());
    for (std::size_t round = 0; !done(); ++round) {
      // The first rounds are short, for a quick first result.
      const std::size_t effort = std::min<std::size_t>(round + 1, 64);
      for (std::size_t walk = 0; walk < walks_in(round) && !done(); ++walk) {
        pools_.grow(most_walk_steps * effort / 64, tools);
      }
      pools = pools_.snapshot();
      if (restart_pays(round, job)) packer.start_from_nothing();
      if (round % 256 == 255) packer.start_from(current_layout());
      packer.improve({5 * effort, temperature(), 40});
      for (int i = 0; i < 8 && !done(); ++i) refit_one(packer, 16 * effort, tools);
      offer(packer);
      report(false);
    }
  }

  /// The pools come first, as long as they improve fast; in the end they rest for most of the time.
  static std::size_t walks_in(std::size_t round) { return round < 200 ? 8 : round % 8 == 0 ? 1 : 0; }

  /// Pools that have become much better are worth a new beginning.
  static bool restart_pays(std::size_t round, unsigned job) { return round < 400 && round % 20 == job % 20; }

  double temperature() const {
    constexpr double hottest = 15;
    return hottest * std::max(0.05, 1 - end_.elapsed() / options_.seconds);
  }

  void refit_one(overlap::Packer& packer, std::size_t steps, overlap::Tools& tools) {
    const std::uint64_t r = tools.random.next();
    const std::size_t array = (r % 8 == 0 ? 0 : 64) + (r >> 8) % 64;
    if (const auto found = packer.refit(array, steps)) pools_.add(array, found->factor, tools.rater);
  }

  /// The best table as a layout.
  overlap::Layout current_layout() {
    const std::lock_guard lock(mutex_);
    overlap::Layout layout;
    overlap::Rater rater;
    for (std::size_t a = 0; a < array_count; ++a) {
      const auto candidate = std::make_shared<Candidate>(make_candidate(shapes_[a], entry(best_, a).factor));
      candidate->cost = rater.rate(*candidate);
      layout.push_back({candidate, static_cast<std::uint32_t>(entry(best_, a).second)});
    }
    return layout;
  }

  void offer(const overlap::Packer& packer) {
    {
      const std::lock_guard lock(mutex_);
      if (packer.best_slots() >= best_.slots) return;
      const FactorFile table = to_table(packer.best(), options_.variant);
      if (!is_valid(table)) throw std::logic_error("the packer made an invalid table");
      best_ = table;
    }
    report(true);
  }

  void report(bool improved) {
    const std::lock_guard lock(mutex_);
    const double now = end_.elapsed();
    if (!progress_ || (!improved && now < last_report_ + 5)) return;
    last_report_ = now;
    std::size_t used = 0;
    for (std::size_t a = 0; a < array_count; ++a) used += make_candidate(shapes_[a], entry(best_, a).factor).used;
    progress_(best_, now, used);
  }

  const FindOptions& options_;
  const OverlapProgress& progress_;
  std::stop_token stop_;
  Deadline end_{options_.seconds};
  std::vector<overlap::ArrayShape> shapes_ = overlap::all_shapes(options_.variant->is_black());
  overlap::SharedPools pools_;
  std::mutex mutex_;
  FactorFile best_;
  double last_report_ = 0;
};

}  // namespace

FactorFile search_overlap(const FindOptions& options, const std::optional<FactorFile>& start,
                          const OverlapProgress& progress, std::stop_token stop) {
  return Search(options, start, progress, std::move(stop)).run();
}

}  // namespace slidebench
