// SPDX-License-Identifier: MIT
//
// How far a run is, for people: on a terminal one line that changes, elsewhere nothing but what a process run decided.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "harness/run/decisions.hpp"

namespace slidebench {

/// "40 s" or "12 min".
std::string duration_text(double seconds);

class RunProgress {
 public:
  RunProgress();
  ~RunProgress();
  RunProgress(const RunProgress&) = delete;
  RunProgress& operator=(const RunProgress&) = delete;

  /// A fixed run: so much of it is done, in samples.
  void show_share(unsigned process_run, unsigned process_runs, std::size_t done, std::size_t total);

  /// Any other work that is made of `total` equal pieces.
  void show(std::string_view what, std::size_t done, std::size_t total);

  /// A run until decided, after a process run. `seconds` is what a process run took, `left` what remains of the time.
  void show_decisions(unsigned process_run, const Decisions& decisions, double seconds, double left);

 private:
  void put(const std::string& text);

  bool visible_;
  std::size_t decided_ = 0;  ///< when it was last told
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point shown_;
};

}  // namespace slidebench
