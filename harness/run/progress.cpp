// SPDX-License-Identifier: MIT
#include "harness/run/progress.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace slidebench {
namespace {

constexpr int line_columns = 79;  // a longer line would break, and could not be written over

/// "[#####-----]  50 %, 3 min left": how much of a work is done, and how long the rest takes at the same pace.
/// @param share    0 to 1
/// @param elapsed  seconds so far
std::string progress_bar(double share, double elapsed) {
  constexpr std::size_t width = 30;
  const double done = std::clamp(share, 0.0, 1.0);
  const auto filled = static_cast<std::size_t>(done * width);
  const std::string left = done > 0 ? ", " + duration_text(elapsed / done - elapsed) + " left" : "";
  return fmt::format("[{:#<{}}{:-<{}}] {:3.0f} %{}", "", filled, "", width - filled, 100 * done, left);
}

}  // namespace

std::string duration_text(double seconds) {
  return seconds < 90 ? fmt::format("{:.0f} s", seconds) : fmt::format("{:.0f} min", seconds / 60);
}

RunProgress::RunProgress() : visible_(isatty(2) != 0) {}

RunProgress::~RunProgress() {
  if (visible_) std::fprintf(stderr, "\r%*s\r", line_columns, "");
}

void RunProgress::put(const std::string& text) {
  std::fprintf(stderr, "\r%-*.*s", line_columns, line_columns, text.c_str());
}

void RunProgress::show_share(unsigned process_run, unsigned process_runs, std::size_t done, std::size_t total) {
  show(fmt::format("process run {} of {}", process_run + 1, process_runs), done, total);
}

void RunProgress::show(std::string_view what, std::size_t done, std::size_t total) {
  const auto now = std::chrono::steady_clock::now();
  if (!visible_ || total == 0 || now - shown_ < std::chrono::milliseconds(200)) return;
  shown_ = now;
  const double share = static_cast<double>(done) / static_cast<double>(total);
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  put(progress_bar(share, elapsed) + ", " + std::string(what));
}

void RunProgress::show_decisions(unsigned process_run, const Decisions& decisions, double seconds, double left) {
  const double needed = seconds * static_cast<double>(decisions.process_runs_left());
  std::string text =
      fmt::format("process run {}: {} of {} decided", process_run + 1, decisions.decided(), decisions.judged());
  const std::string open = decisions.open_text(3);
  if (!open.empty()) {
    text += fmt::format(", {}; open: {}",
                        needed <= left ? "the rest perhaps in " + duration_text(needed)
                                       : duration_text(left) + " left, too short for all",
                        open);
  }
  if (visible_) {
    put(text);
  } else if (decisions.decided() != decided_) {
    std::fprintf(stderr, "slidebench: %s\n", text.c_str());
  }
  decided_ = decisions.decided();
}

}  // namespace slidebench
