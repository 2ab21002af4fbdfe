// SPDX-License-Identifier: MIT
//
// The estimator of the native program (harness/statistics), for the page that measures: it takes what the page timed
// and says what `slidebench run` would say of it. A start of a worker stands for a process run.
#include <algorithm>
#include <cmath>

#include "extras/web/wasm/method_exports.hpp"
#include "harness/statistics/statistics.hpp"

namespace slidebench::wasm {
namespace {

using Rows = std::vector<std::vector<double>>;

std::vector<double> numbers;  // what a question is about, then what is answered

Estimate alone(const std::vector<double>& logs) { return mean_interval(logs, usual_error, Inference::fixed); }

/// Whether a method is shown to be faster than the loop without one.
bool is_void(const Rows& methods, const std::vector<double>& empty) {
  return std::any_of(methods.begin(), methods.end(), [&](std::vector<double> net) {
    for (std::size_t i = 0; i < net.size(); ++i) net[i] -= empty[i];
    return alone(net).high < 0;
  });
}

}  // namespace

/// Room for so many numbers.
SLIDEBENCH_EXPORT(numbers_room) double* numbers_room(std::uint32_t count) {
  numbers.assign(count, 0);
  return numbers.data();
}

/// The trimmed mean of the numbers in the room.
SLIDEBENCH_EXPORT(trimmed) double trimmed() {
  std::sort(numbers.begin(), numbers.end());
  return trimmed_mean(numbers);
}

/// Good until the next call.
SLIDEBENCH_EXPORT(verdict_name) const char* verdict_name(std::uint32_t verdict) {
  static std::string text;
  text = to_string(static_cast<Verdict>(verdict));
  return text.c_str();
}

/// Judges a cell. The room has a row for each contender, of its log ratios to the reference, one a start: the reference
/// itself, its twin, the loop without a method, then the methods. Where the answer stands: by how much identical code
/// may have differed, whether it was not told apart (1 or 0), and for each row of the room mean, low, high (95 %, by
/// itself), verdict (as of verdict_name), whether it may be the fastest. Verdicts are of methods alone, and hold at
/// once.
SLIDEBENCH_EXPORT(judge) const double* judge_cell(std::uint32_t starts, double margin) {
  Rows rows;
  const auto width = static_cast<std::ptrdiff_t>(starts);
  for (auto from = numbers.begin(); from != numbers.end(); from += width) rows.emplace_back(from, from + width);
  const Rows methods(rows.begin() + 3, rows.end());
  const Estimate twin = alone(rows[1]);
  const Resolution resolution{.margin = margin, .aa_bound = aa_bound(twin)};
  const std::vector<Judged> judged = judge_together(methods, resolution, Inference::fixed);
  Rows ranked = methods;
  ranked.insert(ranked.begin(), rows[0]);
  const std::vector<bool> fastest = may_be_fastest(ranked, usual_error, Inference::fixed);
  const bool no_cell = is_void(methods, rows[2]);
  const Verdict same = judge(twin, {.margin = margin, .aa_bound = 0});
  numbers = {resolution.aa_bound, same != Verdict::faster && same != Verdict::slower ? 1.0 : 0.0};
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const Estimate log = alone(rows[row]);
    const Verdict verdict = no_cell || row < 3 ? Verdict::void_cell : judged[row - 3].verdict;
    const bool may_be = row == 0 ? fastest[0] : row >= 3 && fastest[row - 2];
    numbers.insert(numbers.end(), {log.value, log.low, log.high, static_cast<double>(verdict), may_be ? 1.0 : 0.0});
  }
  return numbers.data();
}

}  // namespace slidebench::wasm
