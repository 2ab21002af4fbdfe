// SPDX-License-Identifier: MIT
#include "extras/engines/uci/uci_program.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "extras/engines/duel/engine_process.hpp"
#include "extras/engines/duel/uci_protocol.hpp"
#include "harness/base/errors.hpp"
#include "harness/base/text.hpp"
#include "harness/cli/numbers.hpp"
#include "harness/engine/fen.hpp"
#include "harness/engine/legal_moves.hpp"
#include "harness/engine/search.hpp"

namespace slidebench {
namespace {

using duel::Clock;
using duel::seconds_since;
using Words = std::vector<std::string_view>;

/// A whole line at once: two threads speak.
void say(const std::string& text) {
  std::fputs((printable(text) + '\n').c_str(), stdout);
  std::fflush(stdout);
}

/// The number after a word, 0 without one.
std::int64_t number_after(const Words& words, std::string_view name) {
  const auto found = std::find(words.begin(), words.end(), name);
  std::int64_t value = 0;
  if (found == words.end() || found + 1 == words.end()) return 0;
  std::from_chars(found[1].data(), found[1].data() + found[1].size(), value);
  return std::max<std::int64_t>(value, 0);
}

/// The words from one up to another, with blanks between them.
std::string between(const Words& words, std::string_view first, std::string_view last) {
  std::string text;
  const auto begin = std::find(words.begin(), words.end(), first);
  for (auto word = begin; word != words.end() && *word != last; ++word) {
    if (word != begin) text += (text.empty() ? "" : " ") + std::string(*word);
  }
  return text;
}

std::string uci_score(int score) {
  if (std::abs(score) <= engine::mate_bound) return "cp " + std::to_string(score);
  const int moves = (engine::mate_score - std::abs(score) + 1) / 2;
  return "mate " + std::to_string(score > 0 ? moves : -moves);
}

void say_info(const engine::RootResult& root, std::uint64_t nodes, double seconds) {
  std::string line = "info";
  if (root.depth > 0) line += " depth " + std::to_string(root.depth) + " score " + uci_score(root.score);
  line += " nodes " + std::to_string(nodes) + " time " + std::to_string(std::llround(1000 * seconds));
  if (seconds > 0) line += " nps " + std::to_string(std::llround(static_cast<double>(nodes) / seconds));
  if (root.depth > 0 && root.move != engine::Move{}) line += " pv " + engine::to_uci(root.move);
  say(line);
}

}  // namespace

GoLimits parse_go(const Words& words, engine::Color side) {
  GoLimits limits;
  limits.nodes = static_cast<std::uint64_t>(number_after(words, "nodes"));
  limits.depth = static_cast<unsigned>(std::min<std::int64_t>(number_after(words, "depth"), engine::max_search_depth));
  limits.milliseconds = number_after(words, "movetime");
  const bool white = side == engine::Color::white;
  const std::int64_t left = number_after(words, white ? "wtime" : "btime");
  const std::int64_t more = number_after(words, white ? "winc" : "binc");
  if (limits.milliseconds == 0 && left > 0) limits.milliseconds = std::max<std::int64_t>(1, left / 30 + more * 3 / 4);
  return limits;
}

UciProgram::UciProgram(const Plugin& method, const EngineForm& form, unsigned hash_mib)
    : method_(method),
      form_(form),
      memory_(make_search_memory(form, hash_mib, false)),
      hash_mib_(hash_mib),
      position_(engine::parse_fen(engine::start_position)),
      searcher_([this] { work(); }) {}

UciProgram::~UciProgram() {
  finish_search();
  {
    const std::lock_guard lock(mutex_);
    leaving_ = true;
    changed_.notify_all();
  }
  searcher_.join();
}

void UciProgram::serve() {
  for (std::string line; std::getline(std::cin, line);) {
    const Words words = duel::words_of(line);
    if (!words.empty() && words.front() == "quit") {
      if (is_idle()) return;  // what the module has to say at exit() is said
      std::_Exit(0);
    }
    if (!words.empty()) obey(words);
  }
  finish_search();
}

bool UciProgram::is_idle() {
  const std::lock_guard lock(mutex_);
  return !asked_;
}

void UciProgram::obey(const Words& words) {
  const std::string_view command = words.front();
  if (command == "isready") return say("readyok");
  if (command == "stop") {
    stop_ = true;
    return;
  }
  finish_search();  // all else has to wait for it
  if (command == "uci") return introduce();
  if (command == "setoption") return set_option(words);
  if (command == "ucinewgame") return memory_.forget_positions();
  if (command == "position") return set_position(words);
  if (command == "go") return go(parse_go(words, position_.side));
  say("info string unknown command " + std::string(command));
}

void UciProgram::introduce() const {
  say("id name slidebench " + method_.id() + " " + to_string(form_));
  say("id author slidebench; the method's: " + std::string(method_.info().inventor));
  say("option name Hash type spin default " + std::to_string(hash_mib_) + " min 1 max " +
      std::to_string(most_hash_mib));
  say("option name Threads type spin default 1 min 1 max 1");
  say("option name Clear Hash type button");
  say("uciok");
}

void UciProgram::set_option(const Words& words) {
  const std::string name = between(words, "name", "value");
  if (duel::same_option(name, "Clear Hash")) return memory_.forget_positions();
  if (duel::same_option(name, "Threads")) return;
  if (!duel::same_option(name, "Hash")) return say("No such option: " + name);
  const std::int64_t asked = std::clamp<std::int64_t>(number_after(words, "value"), 1, most_hash_mib);
  const unsigned mib = std::bit_floor(static_cast<unsigned>(asked));  // the table is a power of two
  if (mib == hash_mib_) return;
  try {
    memory_ = make_search_memory(form_, mib, false);
    hash_mib_ = mib;
  } catch (const UserError& error) {
    say("info string " + std::string(error.what()));
  }
}

/// Keeps the position that there was if the new one is none.
void UciProgram::set_position(const Words& words) {
  try {
    const bool given = words.size() > 1 && words[1] == "fen";
    if (!given && (words.size() < 2 || words[1] != "startpos"))
      throw UserError("position startpos, or position fen FEN");
    engine::PositionState state =
        engine::parse_fen(given ? between(words, "fen", "moves") : std::string(engine::start_position));
    const auto moves = std::find(words.begin(), words.end(), "moves");
    for (auto word = moves; word != words.end(); ++word) {
      if (word == moves) continue;
      const std::optional<engine::Move> move = engine::legal_move(state, *word);
      if (!move) throw UserError("illegal move " + std::string(*word));
      state = engine::after(state, *move);
    }
    position_ = state;
  } catch (const UserError& error) {
    say("info string " + std::string(error.what()));
  }
}

void UciProgram::go(const GoLimits& limits) {
  const std::lock_guard lock(mutex_);
  stop_ = false;
  asked_ = limits;
  changed_.notify_all();
}

/// Waits for a search; stops it if it has no end of its own.
void UciProgram::finish_search() {
  std::unique_lock lock(mutex_);
  if (asked_ && !asked_->is_one_search() && asked_->milliseconds == 0) stop_ = true;
  changed_.wait(lock, [this] { return !asked_; });
}

void UciProgram::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return asked_ || leaving_; });
    if (!asked_) return;
    const GoLimits limits = *asked_;
    lock.unlock();
    search(limits);
    lock.lock();
    asked_.reset();
    changed_.notify_all();
  }
}

void UciProgram::search(const GoLimits& limits) {
  const engine::RootResult root = limits.is_one_search() ? search_once(limits) : search_in_steps(limits);
  engine::Move move = root.move;
  // Even a search that did not end its first depth has to answer.
  const engine::MoveList moves = engine::legal_moves(position_);
  if (move == engine::Move{} && moves.size() > 0) move = moves[0];
  say("bestmove " + engine::to_uci(move));
}

engine::SearchResult UciProgram::ask(unsigned depth, std::uint64_t nodes, engine::RootResult& root) {
  engine::SearchRequest request = memory_.request(depth, nodes);
  request.positions = &position_;
  request.count = 1;
  request.results = &root;
  return method_.descriptor().engine.search(request);
}

engine::RootResult UciProgram::search_once(const GoLimits& limits) {
  const Clock::time_point start = Clock::now();
  engine::RootResult root{};
  const unsigned depth = limits.depth > 0 ? limits.depth : engine::max_search_depth;
  const std::uint64_t nodes = ask(depth, limits.nodes, root).nodes;
  say_info(root, nodes, seconds_since(start));
  return root;
}

/// The search knows no clock. So it is asked for some nodes at a time, again and again from the hash table as it is,
/// and between two steps there is a look at the clock and at "stop". A step is a tenth of a second at most.
engine::RootResult UciProgram::search_in_steps(const GoLimits& limits) {
  constexpr std::uint64_t least_step = 10'000;
  constexpr double longest_step = 0.1;
  const double most = limits.milliseconds > 0 ? 1e-3 * static_cast<double>(limits.milliseconds) : INFINITY;
  const Clock::time_point start = Clock::now();
  engine::RootResult best{};
  std::uint64_t nodes = 0, step = least_step;
  double elapsed = 0;
  while (!stop_ && elapsed < most && best.depth < engine::max_search_depth) {
    engine::RootResult root{};
    nodes += ask(engine::max_search_depth, step, root).nodes;
    elapsed = seconds_since(start);
    if (root.depth >= best.depth && root.depth > 0) best = root;
    say_info(best, nodes, elapsed);
    const double speed = static_cast<double>(nodes) / elapsed;
    step = static_cast<std::uint64_t>(speed * std::clamp(most - elapsed, 1e-3, longest_step)) + 1;
  }
  while (limits.milliseconds == 0 && !stop_) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return best;
}

}  // namespace slidebench
