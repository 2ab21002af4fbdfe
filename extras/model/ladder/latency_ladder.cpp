// SPDX-License-Identifier: MIT
#include "extras/model/ladder/latency_ladder.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <numeric>
#include <sstream>
#include <utility>

#include "harness/base/errors.hpp"
#include "harness/measure/table_pages.hpp"
#include "harness/pressure/pressure.hpp"
#include "harness/statistics/statistics.hpp"

namespace slidebench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t timed_steps = 1u << 16;
/// What is chased before each timed chase, at most: as much as most shared caches hold.
constexpr std::uint64_t most_warm_up_steps = (std::uint64_t{64} << 20) / cache_line_bytes;
constexpr std::size_t fewest_rounds = 3;
const std::uint64_t page_bytes = base_page_bytes();
const auto page_lines = static_cast<std::uint32_t>(page_bytes / cache_line_bytes);
constexpr std::uint64_t smallest_lines = smallest_ladder_bytes / cache_line_bytes;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// The address that is stored at an address.
const void* follow(const void* word) {
  const void* next = nullptr;
  std::memcpy(&next, word, sizeof next);
  return next;
}

/// "5.7 KiB": whole lines are no round numbers.
std::string size_text(std::uint64_t bytes) {
  const bool mib = bytes >= (1u << 20);
  char text[32];
  std::snprintf(text, sizeof text, "%.4g %s", static_cast<double>(bytes) / (mib ? 1 << 20 : 1 << 10),
                mib ? "MiB" : "KiB");
  return text;
}

std::uint64_t steps_around(const void* start) {
  std::uint64_t steps = 1;
  for (const void* at = follow(start); at != start; at = follow(at)) ++steps;
  return steps;
}

/// Sizes on one kind of page, from small to large.
class Rungs {
 public:
  virtual ~Rungs() = default;
  virtual void measure(std::size_t i) = 0;
  virtual LadderStep step(std::size_t i) const = 0;

 protected:
  explicit Rungs(std::vector<std::uint64_t> sizes, std::string pages)
      : sizes_(std::move(sizes)), pages_(std::move(pages)), times_(sizes_.size()) {}

  /// @param others  lines, and their pages, that are read between two reads of a line besides those of the size
  LadderStep summary(std::size_t i, double large_share, std::uint64_t loads, std::uint64_t other_lines,
                     std::uint64_t other_pages) const {
    std::vector<double> sorted = times_[i];
    std::sort(sorted.begin(), sorted.end());
    return {.bytes = sizes_[i],
            .pages = pages_,
            .large_share = large_share,
            .chases = sorted.size(),
            .loads = loads,
            .lines_between = sizes_[i] / cache_line_bytes + other_lines - 1,
            .pages_between = (sizes_[i] + page_bytes - 1) / page_bytes + other_pages - 1,
            .median_ns = quantile(sorted, 0.5),
            .low_ns = quantile(sorted, 0.25),
            .high_ns = quantile(sorted, 0.75)};
  }

  std::vector<std::uint64_t> sizes_;
  std::string pages_;
  std::vector<std::vector<double>> times_;  ///< ns a load, by size and chase
};

/// Chases through all lines of each size.
class ChasedRungs : public Rungs {
 public:
  ChasedRungs(const std::vector<std::uint64_t>& sizes, const std::string& pages, std::mt19937_64& random)
      : Rungs(sizes, pages) {
    for (std::size_t first = 0; first < sizes_.size(); first += ChaseBlock::most_cycles) {
      const std::size_t last = std::min(sizes_.size(), first + ChaseBlock::most_cycles);
      const std::vector<std::uint64_t> some(sizes_.begin() + static_cast<std::ptrdiff_t>(first),
                                            sizes_.begin() + static_cast<std::ptrdiff_t>(last));
      blocks_.push_back(std::make_unique<ChaseBlock>(some, pages_ == "2m", random));
    }
  }

  void measure(std::size_t i) override {
    ChaseBlock& block = *blocks_[i / ChaseBlock::most_cycles];
    const std::size_t cycle = i % ChaseBlock::most_cycles;
    block.chase(cycle, std::min(sizes_[i] / cache_line_bytes, most_warm_up_steps));
    const Clock::time_point start = Clock::now();
    block.chase(cycle, timed_steps);
    times_[i].push_back(seconds_since(start) * 1e9 / static_cast<double>(timed_steps));
  }

  LadderStep step(std::size_t i) const override {
    return summary(i, blocks_[i / ChaseBlock::most_cycles]->large_share(), timed_steps, 0, 0);
  }

 private:
  std::vector<std::unique_ptr<ChaseBlock>> blocks_;
};

/// Revisits a few lines after touches of each size.
class RevisitedRungs : public Rungs {
 public:
  RevisitedRungs(const std::vector<std::uint64_t>& sizes, const std::string& pages, std::mt19937_64& random)
      : Rungs(sizes, pages), random_(random()) {
    const bool large = pages == "2m";
    const auto others = std::make_shared<const ChaseBlock>(std::vector<std::uint64_t>{sizes.back()}, large, random);
    for (const std::uint64_t bytes : sizes) rungs_.emplace_back(others, bytes, large, random);
  }

  void measure(std::size_t i) override {
    rungs_[i].move(random_);
    rungs_[i].revisit();  // other lines than these came before
    std::vector<double> times;
    for (unsigned revisit = 0; revisit < revisits; ++revisit) times.push_back(rungs_[i].revisit());
    times_[i].push_back(median(times));
  }

  LadderStep step(std::size_t i) const override {
    return summary(i, rungs_[i].large_share(), std::uint64_t{revisits} * RevisitedLines::lines, RevisitedLines::lines,
                   rungs_[i].few_pages());
  }

 private:
  static constexpr unsigned revisits = 7;
  std::mt19937_64 random_;
  std::vector<RevisitedLines> rungs_;
};

std::unique_ptr<Rungs> rungs_for(const LadderPlan& plan, const std::vector<std::uint64_t>& sizes,
                                 const std::string& pages, std::mt19937_64& random) {
  if (plan.between == Between::touches) return std::make_unique<RevisitedRungs>(sizes, pages, random);
  return std::make_unique<ChasedRungs>(sizes, pages, random);
}

void check(const LadderPlan& plan) {
  if (plan.pages.empty()) throw UserError("a ladder needs pages: 4k or 2m");
  for (const std::string& pages : plan.pages) {
    if (pages != "4k" && pages != "2m") throw UserError("--pages " + pages + ": the pages are 4k and 2m");
    if (std::count(plan.pages.begin(), plan.pages.end(), pages) > 1)
      throw UserError("--pages " + pages + " stands twice");
    const std::string refused = pages == "2m" ? large_pages_refused() : "";
    if (!refused.empty()) throw UserError("--pages 2m: " + refused);
  }
  if (!std::isfinite(plan.seconds) || plan.seconds <= 0) throw UserError("--seconds must be more than 0");
}

}  // namespace

ChaseMemory memory_for_chase(std::uint64_t bytes, bool large_pages) {
  auto* const memory = static_cast<std::byte*>(std::aligned_alloc(large_page, whole_large_pages(bytes)));
  if (memory == nullptr) {
    throw UserError("no memory for a chase through " + size_text(bytes) + "; use a smaller --max-bytes");
  }
  advise_pages(memory, bytes, large_pages);
  std::memset(memory, 0, whole_large_pages(bytes));
  return ChaseMemory(memory);
}

double share_on_large_pages(const std::byte* memory, std::uint64_t bytes) {
  std::ifstream file("/proc/self/smaps");
  std::ostringstream smaps;
  smaps << file.rdbuf();
  const std::uint64_t large =
      bytes_on_large_pages(smaps.str(), reinterpret_cast<std::uintptr_t>(memory), whole_large_pages(bytes));
  return static_cast<double>(large) / static_cast<double>(whole_large_pages(bytes));
}

std::vector<std::uint64_t> ladder_sizes(std::uint64_t max_bytes) {
  if (max_bytes < smallest_ladder_bytes || max_bytes > largest_ladder_bytes) {
    throw UserError("--max-bytes " + std::to_string(max_bytes) + ": the ladder goes from 4096 bytes to at most 4 GiB");
  }
  std::vector<std::uint64_t> sizes;
  for (int half_octaves = 0;; ++half_octaves) {
    const auto lines = static_cast<std::uint64_t>(std::llround(double{smallest_lines} * std::exp2(half_octaves / 2.0)));
    const std::uint64_t bytes = lines * cache_line_bytes;
    if (bytes > max_bytes) return sizes;
    sizes.push_back(bytes);
  }
}

std::vector<std::uint32_t> random_cycle(std::uint32_t n, std::mt19937_64& random) {
  std::vector<std::uint32_t> next(n);
  std::iota(next.begin(), next.end(), 0u);
  for (std::uint32_t i = n - 1; i > 0; --i) std::swap(next[i], next[draw(random, i)]);
  return next;
}

ChaseBlock::ChaseBlock(const std::vector<std::uint64_t>& sizes, bool large_pages, std::mt19937_64& random)
    : bytes_(*std::max_element(sizes.begin(), sizes.end())), memory_(memory_for_chase(bytes_, large_pages)) {
  for (std::size_t cycle = 0; cycle < sizes.size(); ++cycle) {
    std::byte* const first = memory_.get() + cycle * sizeof(void*);
    const auto lines = static_cast<std::uint32_t>(sizes[cycle] / cache_line_bytes);
    const std::vector<std::uint32_t> next = random_cycle(lines, random);
    for (std::uint32_t i = 0; i < lines; ++i) {
      void* const target = first + std::size_t{next[i]} * cache_line_bytes;
      std::memcpy(first + std::size_t{i} * cache_line_bytes, &target, sizeof target);
    }
    ends_.push_back(first);
  }
}

const std::byte* ChaseBlock::line(std::size_t i) const { return memory_.get() + i * cache_line_bytes; }

[[gnu::noinline]] void ChaseBlock::chase(std::size_t cycle, std::uint64_t steps) {
  ends_[cycle] = chase_from(ends_[cycle], steps);
}

std::uint64_t ChaseBlock::length(std::size_t cycle) const { return steps_around(ends_[cycle]); }

double ChaseBlock::large_share() const { return share_on_large_pages(memory_.get(), bytes_); }

RevisitedLines::RevisitedLines(std::shared_ptr<const ChaseBlock> others, std::uint64_t bytes_between, bool large_pages,
                               std::mt19937_64& random)
    : others_(std::move(others)),
      order_(bytes_between / cache_line_bytes),
      packed_(large_pages),
      few_(memory_for_chase(std::uint64_t{pages} * page_bytes, large_pages)) {
  std::iota(order_.begin(), order_.end(), 0u);
  for (std::size_t i = order_.size() - 1; i > 0; --i) std::swap(order_[i], order_[draw(random, i + 1)]);
  move(random);
  const Clock::time_point start = Clock::now();
  end_ = chase_from(end_, timed_steps);
  first_level_ns_ = seconds_since(start) * 1e9 / static_cast<double>(timed_steps);
}

void RevisitedLines::move(std::mt19937_64& random) {
  first_ = draw(random, others_->lines() - order_.size() + 1);
  const std::vector<std::byte*> places = packed_ ? packed_places(random) : spread_places(random);
  for (std::uint32_t i = 0; i < lines; ++i) {
    const void* const next = places[(i + 1) % lines];
    std::memcpy(places[i], &next, sizeof next);
  }
  end_ = places.front();
}

/// Each on a page of its own.
std::vector<std::byte*> RevisitedLines::spread_places(std::mt19937_64& random) const {
  std::vector<std::byte*> places;
  const std::vector<std::uint32_t> next = random_cycle(pages, random);
  for (std::uint32_t i = 0, page = 0; i < lines; ++i, page = next[page]) {
    places.push_back(few_.get() + page * page_bytes + draw(random, page_lines) * cache_line_bytes);
  }
  return places;
}

/// Some of the lines of four neighbouring base pages.
std::vector<std::byte*> RevisitedLines::packed_places(std::mt19937_64& random) const {
  std::vector<std::byte*> places;
  std::byte* const start = few_.get() + draw(random, pages - packed_pages + 1) * page_bytes;
  const std::vector<std::uint32_t> next = random_cycle(packed_pages * page_lines, random);
  for (std::uint32_t i = 0, line = 0; i < lines; ++i, line = next[line])
    places.push_back(start + line * cache_line_bytes);
  return places;
}

std::uint64_t RevisitedLines::round_trip() const { return steps_around(end_); }

[[gnu::noinline]] double RevisitedLines::revisit() {
  end_ = chase_from(end_, lines);
  for (const std::uint32_t line : order_) {
    asm volatile("" : : "r"(std::to_integer<unsigned>(*others_->line(first_ + line))));
  }
  const Clock::time_point start = Clock::now();
  end_ = chase_from(end_, lines);
  const Clock::time_point middle = Clock::now();
  end_ = chase_from(end_, lines);
  const double again = seconds_since(middle);
  const double after = std::chrono::duration<double>(middle - start).count();
  return first_level_ns_ + (after - again) * 1e9 / lines;
}

std::vector<LadderStep> measure_ladder(const LadderPlan& plan) {
  check(plan);
  const std::vector<std::uint64_t> sizes = ladder_sizes(plan.max_bytes);
  std::mt19937_64 random(plan.seed);
  std::vector<std::unique_ptr<Rungs>> ladders;
  for (const std::string& pages : plan.pages) ladders.push_back(rungs_for(plan, sizes, pages, random));

  std::vector<std::size_t> order(sizes.size() * ladders.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const Clock::time_point start = Clock::now();
  for (std::size_t round = 0; round < fewest_rounds || seconds_since(start) < plan.seconds; ++round) {
    for (std::size_t i = order.size() - 1; i > 0; --i) std::swap(order[i], order[draw(random, i + 1)]);
    for (const std::size_t i : order) ladders[i / sizes.size()]->measure(i % sizes.size());
  }

  std::vector<LadderStep> steps;
  for (const std::unique_ptr<Rungs>& ladder : ladders) {
    for (std::size_t i = 0; i < sizes.size(); ++i) steps.push_back(ladder->step(i));
  }
  return steps;
}

std::string ladder_table(const std::vector<LadderStep>& steps) {
  std::vector<std::string> pages;
  for (const LadderStep& s : steps) {
    if (std::find(pages.begin(), pages.end(), s.pages) == pages.end()) pages.push_back(s.pages);
  }
  std::string text = "      size";
  for (const std::string& name : pages) text += "   " + name + " pages: ns a load [quartiles]";
  text += "\n";
  const std::size_t sizes = pages.empty() ? 0 : steps.size() / pages.size();
  for (std::size_t i = 0; i < sizes; ++i) {
    char cell[80];
    std::snprintf(cell, sizeof cell, "%10s", size_text(steps[i].bytes).c_str());
    text += cell;
    for (std::size_t page = 0; page < pages.size(); ++page) {
      const LadderStep& s = steps[page * sizes + i];
      std::snprintf(cell, sizeof cell, "   %12.2f [%7.2f, %7.2f]", s.median_ns, s.low_ns, s.high_ns);
      text += cell;
    }
    text += "\n";
  }
  return text;
}

}  // namespace slidebench
