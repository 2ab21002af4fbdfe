// SPDX-License-Identifier: MIT
#include "extras/engines/duel/uci_engine.hpp"

#include <algorithm>
#include <cmath>

#include "harness/base/errors.hpp"
#include "harness/base/text.hpp"
#include "harness/base/text_output.hpp"
#include "harness/engine/fen.hpp"
#include "harness/engine/legal_moves.hpp"

namespace slidebench::duel {
namespace {

Clock::time_point in(double seconds) {
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

/// What an engine said, short enough to quote.
std::string quoted(const std::string& text) { return "'" + shortened(to_utf8(text), 60) + "'"; }

/// The rest of a line that begins so; nothing if it does not.
std::optional<std::string> after_words(const std::string& line, const std::string& words) {
  return line.starts_with(words) ? std::optional(line.substr(words.size())) : std::nullopt;
}

ChildStart start_of(const EngineSpec& spec, std::size_t build, const std::string& environment,
                    const std::optional<unsigned>& cpu) {
  ChildStart start{.program = spec.builds.at(build),
                   .arguments = spec.arguments,
                   .environment = spec.environment,
                   .own_group = true,
                   .cpu = cpu};
  if (!environment.empty()) start.environment.push_back(environment);
  return start;
}

}  // namespace

std::string to_string(const SearchLimit& limit) {
  return limit.nodes > 0 ? "nodes " + std::to_string(limit.nodes) : "depth " + std::to_string(limit.depth);
}

UciEngine::UciEngine(const EngineSpec& spec, std::size_t build, const Conditions& conditions,
                     const std::string& environment, const std::atomic<bool>& stop)
    : spec_(spec),
      called_(spec.builds.size() > 1 ? spec.builds[build] : spec.command),
      conditions_(conditions),
      process_(start_of(spec, build, environment, conditions.cpu), stop) {
  const Clock::time_point deadline = in(conditions.start_seconds);
  introduce(deadline);
  set_up(deadline);
  wait_until_quiet(deadline);
}

void UciEngine::refuse(const std::string& what) const { throw UserError("engine '" + called_ + "' " + what); }

/// An engine may go on loading after it has said that it is ready; that is neither its search nor another's.
void UciEngine::wait_until_quiet(Clock::time_point deadline) {
  constexpr std::chrono::milliseconds look(5);
  constexpr std::int64_t quiet_ns = 500'000;  // of CPU time in a look
  for (std::int64_t before = process_.cpu_ns().value_or(0); Clock::now() < deadline;) {
    const EngineProcess::Reading reading = process_.read_line(std::min(deadline, Clock::now() + look));
    if (reading.heard == EngineProcess::Heard::line) continue;
    const std::int64_t now = process_.cpu_ns().value_or(0);
    if (reading.heard != EngineProcess::Heard::silence || now - before < quiet_ns) return;
    before = now;
  }
}

void UciEngine::send(const std::string& line) {
  if (!process_.write_line(line)) refuse(process_.obituary() + " instead of reading " + quoted(line));
}

/// The next line, while something is awaited until the deadline, which an option of so many seconds has set.
std::string UciEngine::hear(Clock::time_point deadline, const std::string& awaited, double seconds,
                            const char* option) {
  EngineProcess::Reading reading = process_.read_line(deadline);
  switch (reading.heard) {
    case EngineProcess::Heard::line: return std::move(reading.line);
    case EngineProcess::Heard::silence:
      refuse("has not said '" + awaited + "' after " + significant(seconds) + " s; is it a UCI engine? " + option +
             " gives it more time");
    case EngineProcess::Heard::end: refuse(process_.obituary() + " before it said '" + awaited + "'");
    case EngineProcess::Heard::flood: break;
  }
  refuse("floods its output instead of saying '" + awaited + "'; is it a UCI engine?");
}

void UciEngine::introduce(Clock::time_point deadline) {
  send("uci");
  for (;;) {
    const std::string line = hear(deadline, "uciok", conditions_.start_seconds, "--start-limit");
    if (const auto name = after_words(line, "id name ")) name_ = *name;
    if (const auto author = after_words(line, "id author ")) author_ = *author;
    if (std::optional<UciOption> option = parse_option(line)) options_.push_back(std::move(*option));
    const std::vector<std::string_view> words = words_of(line);
    if (!words.empty() && words.front() == "uciok") return;
  }
}

void UciEngine::set_up(Clock::time_point deadline) {
  std::vector<OptionValue> usual;
  if (has_option("Threads")) usual.push_back({"Threads", std::to_string(conditions_.threads)});
  if (has_option("Hash")) usual.push_back({"Hash", std::to_string(conditions_.hash_mib)});
  if (has_option("OwnBook")) usual.push_back({"OwnBook", "false"});
  for (const OptionValue& option : usual) set_option(option);
  for (const OptionValue& option : spec_.options) set_option(option);
  synchronise(deadline, conditions_.start_seconds, "--start-limit");
}

const UciOption* UciEngine::find_option(const std::string& name) const {
  const auto found = std::find_if(options_.begin(), options_.end(),
                                  [&name](const UciOption& option) { return same_option(option.name, name); });
  return found == options_.end() ? nullptr : &*found;
}

void UciEngine::set_option(const OptionValue& option) {
  const UciOption* known = find_option(option.name);
  if (known == nullptr) {
    const std::string names = joined(options_, ", ", [](const UciOption& other) { return to_utf8(other.name); });
    refuse("has no option " + quoted(option.name) + "; it has " + (names.empty() ? "none" : names));
  }
  const std::string why = refusal(*known, option.value);
  if (!why.empty()) refuse("takes no " + quoted(option.value) + " for its option " + known->name + ", which " + why);
  send("setoption name " + known->name + (known->type == "button" ? "" : " value " + option.value));
}

/// Waits until the engine has done all that it was told.
void UciEngine::synchronise(Clock::time_point deadline, double seconds, const char* option) {
  send("isready");
  for (;;) {
    const std::string line = hear(deadline, "readyok", seconds, option);
    if (complains_of_option(line)) refuse("refuses an option: " + quoted(line));
    const std::vector<std::string_view> words = words_of(line);
    if (!words.empty() && words.front() == "readyok") return;
  }
}

Turn UciEngine::search(const engine::PositionState& position) {
  const Clock::time_point deadline = in(conditions_.turn_seconds);
  send("ucinewgame");
  if (has_option("Clear Hash")) set_option({"Clear Hash", ""});
  synchronise(deadline, conditions_.turn_seconds, "--turn-limit");
  send("position fen " + engine::to_fen(position));
  synchronise(deadline, conditions_.turn_seconds, "--turn-limit");

  Turn turn;
  const std::optional<std::uint64_t> steal = steal_ticks("", conditions_.cpu);
  const ProcessNoise noise = process_.noise();
  std::size_t threads = 0;
  const std::optional<std::int64_t> before = process_.cpu_ns();
  send("go " + to_string(conditions_.limit));
  const SearchReport report = listen_to_search(deadline, turn.move, threads);
  const std::optional<std::int64_t> after = process_.cpu_ns();
  if (!before || !after) refuse(process_.obituary() + " after a search");
  turn.cpu_ns = *after - *before;
  turn.disturbance.noise = process_.noise() - noise;
  const std::optional<std::uint64_t> steal_after = steal_ticks("", conditions_.cpu);
  if (steal && steal_after) turn.disturbance.steal = *steal_after - *steal;
  turn.nodes = report.nodes.value_or(0);
  turn.signature = fold(report.course, std::to_string(turn.nodes) + ' ' + turn.move + ' ' + report.score);
  check(position, report, turn);
  synchronise(deadline, conditions_.turn_seconds, "--turn-limit");
  turn.ended_threads = process_.threads() < threads;
  return turn;
}

/// Looks at the CPU-time clock every millisecond meanwhile: that alone makes Linux count a running thread's time up to
/// now. When a thread ends, what was not counted yet is lost, which without these looks can be all of a search.
SearchReport UciEngine::listen_to_search(Clock::time_point deadline, std::string& move, std::size_t& threads) {
  constexpr std::chrono::milliseconds between_looks(1);
  SearchReport report;
  for (;;) {
    const EngineProcess::Reading reading = process_.read_line(std::min(deadline, Clock::now() + between_looks));
    if (reading.heard == EngineProcess::Heard::silence && Clock::now() < deadline) {
      process_.cpu_ns();
      if (threads == 0) threads = process_.threads();
      continue;
    }
    const std::string asked = "'go " + to_string(conditions_.limit) + "'";
    if (reading.heard == EngineProcess::Heard::silence) {
      refuse("has not answered " + asked + " after " + significant(conditions_.turn_seconds) +
             " s; if it does not know that limit, try " + (conditions_.limit.nodes > 0 ? "--depth" : "--nodes") +
             "; --turn-limit gives it more time");
    }
    if (reading.heard == EngineProcess::Heard::end) refuse(process_.obituary() + " while it searched");
    if (reading.heard == EngineProcess::Heard::flood) refuse("floods its output instead of answering " + asked);
    if (const std::optional<std::string> best = parse_best_move(reading.line)) {
      move = *best;
      return report;
    }
    add_info(reading.line, report);
  }
}

/// Whether a turn is one that can be compared.
void UciEngine::check(const engine::PositionState& position, const SearchReport& report, const Turn& turn) const {
  const std::string where = ", in " + engine::to_fen(position);
  if (!engine::legal_move(position, turn.move)) refuse("answers " + quoted(turn.move) + ", no legal move" + where);
  if (!report.nodes || turn.nodes == 0) {
    refuse("reports no nodes, so nothing can be divided by them" + where +
           "; does it answer from a book or tables, or the only move at once?");
  }
  // Engines look at their counter every few thousand nodes.
  const std::uint64_t limit = conditions_.limit.nodes;
  if (limit > 0 && turn.nodes > 2 * limit + 50'000) {
    refuse("searched " + std::to_string(turn.nodes) + " nodes where " + std::to_string(limit) +
           " were asked for: it does not know 'go nodes'; use --depth");
  }
}

/// Where a host takes the core, Linux leaves as much out of the next CPU times, which can be all of short searches;
/// what it leaves out it leaves out once, so a second of searches shows the time of one.
Turn UciEngine::timed_search(const engine::PositionState& position) {
  constexpr double least_ns_a_node = 2;
  constexpr unsigned least_tries = 4;
  const Clock::time_point patience = Clock::now() + std::chrono::seconds(1);
  double ns_a_node = 0;
  for (unsigned repeats = 0; repeats < least_tries || Clock::now() < patience; ++repeats) {
    Turn turn = search(position);
    turn.repeats = repeats;
    ns_a_node = static_cast<double>(turn.cpu_ns) / static_cast<double>(turn.nodes);
    if (ns_a_node >= least_ns_a_node) return turn;
  }
  refuse("used " + significant(std::round(1e3 * ns_a_node) / 1e3) +
         " ns of CPU time per node, which no engine can: if it is a script that starts the engine, let it do so with "
         "exec");
}

}  // namespace slidebench::duel
