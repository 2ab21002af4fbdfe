// SPDX-License-Identifier: MIT
#include "extras/model/ladder/latency_ladder.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fstream>
#include <numeric>
#include <sstream>
#include <utility>

#include "harness/base/errors.hpp"
#include "harness/base/text_output.hpp"
#include "harness/base/text_table.hpp"
#include "harness/measure/table_pages.hpp"
#include "harness/pressure/pressure.hpp"
#include "harness/statistics/statistics.hpp"

namespace slidebench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t timed_steps = 1u << 16;
constexpr std::size_t fewest_rounds = 3;
const std::uint64_t page_bytes = base_page_bytes();
const auto page_lines = static_cast<std::uint32_t>(page_bytes / cache_line_bytes);
constexpr std::uint64_t smallest_lines = smallest_ladder_bytes / cache_line_bytes;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// How much of a block lies on 2 MiB pages now, as a fraction.
double share_on_large_pages(const OtherLines& block) {
  std::ifstream file("/proc/self/smaps");
  std::ostringstream smaps;
  smaps << file.rdbuf();
  const std::uint64_t bytes = whole_large_pages(block.bytes);
  const auto start = reinterpret_cast<std::uintptr_t>(block.memory.get());
  return static_cast<double>(bytes_on_large_pages(smaps.str(), start, bytes)) / static_cast<double>(bytes);
}

/// Sizes on one kind of page, from small to large.
class Rungs {
 public:
  Rungs(const std::vector<std::uint64_t>& sizes, const std::string& pages, std::mt19937_64& random)
      : sizes_(sizes), pages_(pages), times_(sizes.size()), random_(random()) {
    const bool large = pages == "2m";
    others_ = std::make_shared<const OtherLines>(OtherLines{sizes.back(), memory_for_chase(sizes.back(), large)});
    for (const std::uint64_t bytes : sizes) rungs_.emplace_back(others_, bytes, large, random);
  }

  void measure(std::size_t i) {
    rungs_[i].move(random_);
    rungs_[i].revisit();  // other lines than these came before
    std::vector<double> times;
    for (unsigned revisit = 0; revisit < revisits; ++revisit) times.push_back(rungs_[i].revisit());
    times_[i].push_back(median(times));
  }

  LadderStep step(std::size_t i) const {
    std::vector<double> sorted = times_[i];
    std::sort(sorted.begin(), sorted.end());
    return {.bytes = sizes_[i],
            .pages = pages_,
            .large_share = share_on_large_pages(*others_),
            .chases = sorted.size(),
            .loads = std::uint64_t{revisits} * RevisitedLines::lines,
            .lines_between = sizes_[i] / cache_line_bytes + RevisitedLines::lines - 1,
            .pages_between = (sizes_[i] + page_bytes - 1) / page_bytes + rungs_[i].few_pages() - 1,
            .median_ns = quantile(sorted, 0.5),
            .low_ns = quantile(sorted, 0.25),
            .high_ns = quantile(sorted, 0.75)};
  }

 private:
  static constexpr unsigned revisits = 7;

  std::vector<std::uint64_t> sizes_;
  std::string pages_;
  std::vector<std::vector<double>> times_;  ///< ns a load, by size and pass
  std::mt19937_64 random_;
  std::shared_ptr<const OtherLines> others_;
  std::vector<RevisitedLines> rungs_;
};

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
    throw UserError("no memory for a chase through " + readable_bytes(bytes) + "; use a smaller --max-bytes");
  }
  advise_pages(memory, bytes, large_pages);
  std::memset(memory, 0, whole_large_pages(bytes));
  return ChaseMemory(memory);
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

RevisitedLines::RevisitedLines(std::shared_ptr<const OtherLines> others, std::uint64_t bytes_between, bool large_pages,
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
  first_ = draw(random, others_->bytes / cache_line_bytes - order_.size() + 1);
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

std::uint64_t RevisitedLines::round_trip() const {
  std::uint64_t steps = 1;
  for (const void* at = chase_from(end_, 1); at != end_; at = chase_from(at, 1)) ++steps;
  return steps;
}

[[gnu::noinline]] double RevisitedLines::revisit() {
  end_ = chase_from(end_, lines);
  const std::byte* const others = others_->memory.get() + first_ * cache_line_bytes;
  for (const std::uint32_t line : order_) {
    asm volatile("" : : "r"(std::to_integer<unsigned>(others[std::size_t{line} * cache_line_bytes])));
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
  std::vector<Rungs> ladders;
  for (const std::string& pages : plan.pages) ladders.emplace_back(sizes, pages, random);

  std::vector<std::size_t> order(sizes.size() * ladders.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const Clock::time_point start = Clock::now();
  for (std::size_t round = 0; round < fewest_rounds || seconds_since(start) < plan.seconds; ++round) {
    for (std::size_t i = order.size() - 1; i > 0; --i) std::swap(order[i], order[draw(random, i + 1)]);
    for (const std::size_t i : order) ladders[i / sizes.size()].measure(i % sizes.size());
  }

  std::vector<LadderStep> steps;
  for (const Rungs& ladder : ladders) {
    for (std::size_t i = 0; i < sizes.size(); ++i) steps.push_back(ladder.step(i));
  }
  return steps;
}

std::string ladder_csv(const std::vector<LadderStep>& steps) {
  std::string text =
      "bytes,pages,large_page_share,chases,loads_per_chase,lines_between,pages_between,ns_per_load,ns_per_load_q1,"
      "ns_per_load_q3\n";
  for (const LadderStep& s : steps) {
    const std::array cells{std::to_string(s.bytes),         s.pages,
                           decimals(s.large_share, 3),      std::to_string(s.chases),
                           std::to_string(s.loads),         std::to_string(s.lines_between),
                           std::to_string(s.pages_between), decimals(s.median_ns, 4),
                           decimals(s.low_ns, 4),           decimals(s.high_ns, 4)};
    text += joined(cells, ",") + "\n";
  }
  return text;
}

std::string ladder_table(const std::vector<LadderStep>& steps) {
  TextTable table{.sides = "r", .gap = 3, .rows = {{"size"}}};
  std::size_t row = 0;
  for (const LadderStep& s : steps) {
    const std::string head = s.pages + " pages: ns a load [quartiles]";
    if (table.rows.front().back() != head) {
      table.sides += 'r';
      table.rows.front().push_back(head);
      row = 0;
    }
    if (++row == table.rows.size()) table.rows.push_back({readable_bytes(s.bytes)});
    table.rows[row].push_back(decimals(s.median_ns, 2) + " [" + decimals(s.low_ns, 2) + ", " + decimals(s.high_ns, 2) +
                              "]");
  }
  return table.text();
}

}  // namespace slidebench
