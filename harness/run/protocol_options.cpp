// SPDX-License-Identifier: MIT
#include "harness/run/protocol_options.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "harness/base/errors.hpp"

namespace slidebench {
namespace {

/// The number before an x, which leaves the text with it; 0 where there is none.
unsigned take_count(std::string& text) {
  unsigned count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc{} || count > 1'000'000) return 0;
  const auto used = static_cast<std::size_t>(end - text.data());
  text.erase(0, used + (used < text.size() && text[used] == 'x' ? 1 : 0));
  return count;
}

}  // namespace

Profile parse_profile(const std::string& text) {
  for (const Profile& profile : profiles) {
    if (profile.name == text) return profile;
  }
  const auto refuse = [&text](const std::string& why) { return UserError("--profile " + text + ": " + why); };
  const std::size_t border = std::min(text.find('/'), text.size());
  std::string samples = text.substr(0, border), sessions = text.substr(std::min(border + 1, text.size()));
  Profile profile{text, take_count(samples), take_count(samples)};
  if (!samples.empty() || profile.process_runs == 0 || profile.rounds == 0)
    throw refuse("quick, standard, publication, or process runs and rounds, such as 16x4");
  if (profile.process_runs < 2) throw refuse("with one process run nothing can be said of their spread");
  if (border == text.size()) return profile;
  profile.sessions = take_count(sessions);
  if (profile.sessions == 0 || profile.sessions > profile.process_runs / 2)
    throw refuse(fmt::format("1 to {} sessions of {} process runs, and a pause, such as /3x5m",
                             profile.process_runs / 2, profile.process_runs));
  profile.pause_seconds = parse_duration("--profile", sessions);
  profile.controls = true;
  return profile;
}

double parse_margin(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string unit(end, text.data() + text.size());
  if (unit == "%") value /= 100;
  if (error != std::errc{} || (!unit.empty() && unit != "%") || !(value >= 1e-4 && value <= 0.25)) {
    throw UserError("--margin " + text + ": from 0.01% to 25%, such as 1% or 0.01");
  }
  return value;
}

double parse_duration(const std::string& option, const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string unit(end, text.data() + text.size());
  const double factor = unit.empty() || unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
  if (error != std::errc{} || factor == 0 || !(value * factor >= 1) || value * factor > 30 * 24 * 3600) {
    throw UserError(option + " " + text + ": from 1s to 30 days, such as 90s, 30m or 2h");
  }
  return value * factor;
}

}  // namespace slidebench
