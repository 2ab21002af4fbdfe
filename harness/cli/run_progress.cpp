// SPDX-License-Identifier: MIT
#include "harness/cli/run_progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace slidebench {
namespace {

constexpr int columns = 100;

std::string duration(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, seconds < 90 ? "%.0f s" : "%.0f min", seconds < 90 ? seconds : seconds / 60);
  return text;
}

}  // namespace

RunProgress::RunProgress() : visible_(isatty(2) != 0) {}

RunProgress::~RunProgress() {
  if (visible_) std::fprintf(stderr, "\r%*s\r", columns, "");
}

void RunProgress::put(const std::string& text) { std::fprintf(stderr, "\r%-*.*s", columns, columns, text.c_str()); }

void RunProgress::show_share(unsigned launch, unsigned launches, std::size_t done, std::size_t total) {
  const auto now = std::chrono::steady_clock::now();
  if (!visible_ || now - shown_ < std::chrono::milliseconds(200)) return;
  shown_ = now;
  const double share = static_cast<double>(done) / static_cast<double>(total);
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  char text[columns + 1];
  std::snprintf(text, sizeof text, "launch %u of %u, %3.0f %%, about %s left", launch + 1, launches, 100 * share,
                duration(share > 0 ? elapsed / share - elapsed : 0).c_str());
  put(text);
}

void RunProgress::show_decisions(unsigned launch, const Decisions& decisions, double seconds, double left) {
  const double needed = seconds * static_cast<double>(decisions.launches_left());
  std::string text = "launch " + std::to_string(launch + 1) + ": " + std::to_string(decisions.decided()) + " of " +
                     std::to_string(decisions.judged()) + " decided";
  const std::string open = decisions.open_text(3);
  if (!open.empty()) {
    text += ", " +
            (needed <= left ? "the rest perhaps in " + duration(needed) : duration(left) + " left, too short for all");
    text += "; open: " + open;
  }
  if (visible_) {
    put(text);
  } else if (decisions.decided() != decided_) {
    std::fprintf(stderr, "slidebench: %s\n", text.c_str());
  }
  decided_ = decisions.decided();
}

}  // namespace slidebench
