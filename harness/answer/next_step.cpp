// SPDX-License-Identifier: MIT
#include "harness/answer/next_step.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <iomanip>
#include <sstream>

#include "harness/answer/words.hpp"
#include "harness/base/emulator.hpp"
#include "harness/statistics/statistics.hpp"

namespace slidebench {
namespace {

using nlohmann::json;

constexpr unsigned usual_minutes[] = {1, 2, 5, 10, 20, 40, 60};
constexpr double most_process_runs = 1e9;  // a damaged record may say anything

/// Of "2026-01-31T12:00:00Z".
std::optional<std::time_t> time_in(const json& record, const char* name) {
  const json said = record.value(name, json());
  std::tm utc = {};
  std::istringstream text(said.is_string() ? said.get<std::string>() : "");
  text >> std::get_time(&utc, "%Y-%m-%dT%H:%M:%SZ");
  return text.fail() ? std::nullopt : std::optional(timegm(&utc));
}

/// Of a run's process runs, the most that any contender has; and the seconds that they took, 0 if it does not say.
struct Effort {
  std::size_t process_runs = 0;
  double seconds = 0;
};

Effort effort_of(const RunFolder& run) {
  Effort effort;
  for (const SummaryRow& row : run.rows) effort.process_runs = std::max(effort.process_runs, row.process_runs);
  const json measured = run.record.value("measured_seconds", json());
  const auto began = time_in(run.record, "started"), ended = time_in(run.record, "finished");
  if (measured.is_number())
    effort.seconds = measured.get<double>();
  else if (began && ended)
    effort.seconds = std::difftime(*ended, *began);
  return effort;
}

/// The least of some usual numbers of minutes after which a difference of the wanted size would show, an hour at most,
/// and what would show then. Nothing where a run does not say how long it took, or an hour narrows little.
struct Forecast {
  unsigned minutes = 0;
  double unseen = 0;
};

std::optional<Forecast> forecast(const RunFolder& run, const Scatter& scatter, double wanted, Inference later) {
  const Effort effort = effort_of(run);
  if (effort.process_runs < 2 || effort.seconds <= 0) return std::nullopt;
  Forecast found;
  for (const unsigned minutes : usual_minutes) {
    const double narrowed =
        narrowing(effort.process_runs, effort.seconds, 60.0 * minutes, protocol_of(run).inference, later);
    found = {minutes, scatter.unseen(narrowed)};
    if (found.unseen <= wanted) break;
  }
  return found.unseen > 0.9 * scatter.unseen() ? std::nullopt : std::optional(found);
}

/// Measuring on until the least ratio would show, or twice the margin, or for an hour.
std::optional<NextStep> measuring_on(const RunFolder& run, const Situation& open) {
  if (!open.scatter) return std::nullopt;
  const double wanted = std::max(std::abs(open.ratio->value - 1), 2 * open.scatter->margin);
  const std::optional<Forecast> more = forecast(run, *open.scatter, wanted, Inference::sequential);
  if (!more) return std::nullopt;
  return NextStep{fmt::format("{} run --resume {} --time {}m", typed_program(), shell_word(run.path), more->minutes),
                  more->minutes, "a difference of " + percent(more->unseen) + " would be significant"};
}

/// Whether headers/ has a file for a method.
bool has_header(const std::string& id) {
  return (std::string(" ") + SLIDEBENCH_HEADERS + " ").find(" " + id + " ") != std::string::npos;
}

/// Its path from the current folder: of the tree that the program was built in, where that folder is not its root.
std::string header_file(const std::string& id) {
  namespace fs = std::filesystem;
  const fs::path file = fs::path("headers") / (id + ".h");
  std::error_code error;
  if (fs::exists(file, error)) return file.string();
  for (fs::path folder = fs::path(own_file()).parent_path(); folder.has_relative_path();
       folder = folder.parent_path()) {
    if (fs::exists(folder / file, error)) return (folder / file).string();
  }
  return file.string();
}

/// Whether a cell was added by a run of its own; a run is measured on in its own cells.
bool was_joined(const RunFolder& run, const Cell& cell) {
  const auto has_it = [wanted = nlohmann::json(cell)](const nlohmann::json& part) {
    return std::ranges::find(part.at("cells"), wanted) != part.at("cells").end();
  };
  const nlohmann::json parts = run.record.value("parts", nlohmann::json::array());
  return std::any_of(parts.begin(), parts.end(), has_it);
}

}  // namespace

std::string NextStep::text() const {
  return fmt::format("{}   ({}: {})", command, minutes < 1 ? "at once" : fmt::format("{} min", minutes), why);
}

double narrowing(std::size_t process_runs, double seconds, double more_seconds, Inference now, Inference later) {
  const auto n = static_cast<double>(process_runs);
  const double all = n * (1 + more_seconds / seconds);
  const auto half = [](double runs, Inference inference) {
    return reach(static_cast<std::size_t>(std::min(runs, most_process_runs)), usual_error, inference) / std::sqrt(runs);
  };
  return half(all, later) / half(n, now);
}

std::string shell_word(const std::string& word) {
  constexpr const char* plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+=:,@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::optional<NextStep> next_step(const RunFolder& run, const Answer& answer) {
  if (answer.situations.empty() || run.path.empty()) return std::nullopt;
  if (!run.record.value("complete", true) && run.resumable)
    return NextStep{typed_program() + " run --resume " + shell_word(run.path), 0,
                    "it was stopped, and goes on from there"};
  const auto deciding = std::find_if(answer.situations.begin(), answer.situations.end(),
                                     [&](const Situation& s) { return s.id == answer.deciding; });
  const bool open = deciding->method.empty() && deciding->most_gain.value_or(0) > small_gain;
  if (open && !deciding->least.empty() && !was_joined(run, deciding->cell) && run.resumable) {
    if (std::optional<NextStep> more = measuring_on(run, *deciding)) return more;
  }
  if (names_of(deciding->cell).trace == "random") return std::nullopt;  // boards that no engine asks about
  const bool gains = deciding->ratio && deciding->ratio->value < 1 && deciding->method != answer.reference;
  if (!gains || !has_header(deciding->method)) return std::nullopt;
  return NextStep{"cp " + shell_word(header_file(deciding->method)) + " attacks.h", 0,
                  "to try in your engine; " + typed_program() + " duel tells what it gains"};
}

}  // namespace slidebench
