// SPDX-License-Identifier: MIT
//
// Whole numbers that come one by one, and their quantiles. Memory grows with the different numbers only.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>

namespace slidebench {

class Distribution {
 public:
  void add(std::uint64_t value) {
    ++counts_[value];
    ++size_;
    sum_ += value;
  }

  std::uint64_t size() const { return size_; }
  std::uint64_t sum() const { return sum_; }

  /// 0 if there are no numbers.
  double mean() const { return size_ == 0 ? 0 : static_cast<double>(sum_) / static_cast<double>(size_); }

  /// The smallest number that at least `percent` per cent do not exceed; 0 if there are no numbers.
  std::uint64_t quantile(std::uint64_t percent) const {
    std::uint64_t below = 0;
    for (const auto& [value, count] : counts_) {
      below += count;
      if (below * 100 >= size_ * percent) return value;
    }
    return 0;
  }

 private:
  std::map<std::uint64_t, std::uint64_t> counts_;
  std::uint64_t size_ = 0;
  std::uint64_t sum_ = 0;
};

/// What is said of a distribution.
struct Quantiles {
  double mean = 0;
  std::uint64_t median = 0;
  std::uint64_t p90 = 0;
  std::uint64_t p99 = 0;
  std::uint64_t max = 0;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Quantiles, mean, median, p90, p99, max)

inline Quantiles quantiles_of(const Distribution& d) {
  return {d.mean(), d.quantile(50), d.quantile(90), d.quantile(99), d.quantile(100)};
}

}  // namespace slidebench
