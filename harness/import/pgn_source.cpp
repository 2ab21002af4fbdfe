// SPDX-License-Identifier: MIT
#include "harness/import/pgn_source.hpp"

#include <fcntl.h>
#include <pthread.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <optional>
#include <thread>
#include <utility>

#include "harness/base/child_process.hpp"
#include "harness/base/errors.hpp"
#include "harness/base/line_reader.hpp"
#include "harness/base/text.hpp"
#include "harness/trace/packed_source.hpp"

namespace slidebench {
namespace {

std::vector<std::string> pgn_extract_programs() {
  const char* chosen = std::getenv("SLIDEBENCH_PGN_EXTRACT");
  if (chosen != nullptr && *chosen != '\0') return {chosen};
  return {"pgn-extract", "/usr/games/pgn-extract"};  // Debian installs it where root's PATH does not look
}

/// A pipe that holds much: fewer switches between the programs. Where it may not, it is slower, not wrong.
void enlarge(const FileHandle& pipe) { ::fcntl(pipe.get(), F_SETPIPE_SZ, 1 << 20); }

/// Starts pgn-extract where it is found first.
ChildProcess start_pgn_extract(const std::vector<std::string>& arguments) {
  const std::vector<std::string> programs = pgn_extract_programs();
  std::optional<CannotStart> refused;
  for (const std::string& program : programs) {
    try {
      return ChildProcess({.program = program, .arguments = arguments});
    } catch (const CannotStart& failure) {
      if (failure.error != ENOENT && failure.error != EACCES) throw;
      if (failure.error == EACCES) refused = failure;  // by any folder in PATH
    }
  }
  if (refused) throw CannotStart(*refused);
  throw UserError(programs.front() + " is not installed; run scripts/install_deps.sh");
}

/// "exit status 3", "killed by signal 9"; "" for the status 0.
std::string ending(int status) {
  if (status == 0) return {};
  return status > 128 ? "killed by signal " + std::to_string(status - 128) : "exit status " + std::to_string(status);
}

/// Seven tags at most, no comments, variations and glyphs, a game's moves in one line. Not silent (-s), because only
/// the talkative mode ends with the number of games. Its complaints go to standard error by way of a log file: standard
/// error itself is not buffered, which costs a million small writes in a hundred thousand games.
const std::vector<std::string> pgn_extract_arguments{"-Wuci", "-7", "-C", "-V", "-N", "-w1000000", "-l/dev/stderr"};

/// One source on its way through pgn-extract. Destroying it ends everything that it started.
class PgnSession {
 public:
  PgnSession(const std::string& path, std::atomic<std::uint64_t>& bytes_read)
      : name_(source_name(path)),
        child_(start_pgn_extract(pgn_extract_arguments)),
        diagnostics_(name_),
        feeder_([this, path, &bytes_read] { feed(path, bytes_read); }),
        listener_([this] { listen(); }) {}

  PgnSession(const PgnSession&) = delete;
  PgnSession& operator=(const PgnSession&) = delete;

  ~PgnSession() {
    stop_feeding_ = true;
    child_.kill();
    join();
  }

  PgnSourceReport run(const GameCallback& on_game) {
    read_games(on_game);
    if (stopped_) child_.kill();
    join();
    if (feed_error_) std::rethrow_exception(feed_error_);
    const std::string failure = ending(child_.wait());
    return stopped_ ? report_of_a_part() : report(failure);
  }

 private:
  void feed(const std::string& path, std::atomic<std::uint64_t>& bytes_read) noexcept {
    // A pgn-extract that goes away must show as an error of write(), not as a signal that ends the program. Blocked in
    // this thread only, which is the one that writes.
    sigset_t pipe_signal;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_signal, nullptr);
    enlarge(child_.input());
    try {
      fed_ = feed_pgn(path, child_.input(), bytes_read, stop_feeding_);
    } catch (...) {
      feed_error_ = std::current_exception();
    }
    child_.input().close();
  }

  void listen() {
    enlarge(child_.errors());
    LineReader lines(child_.errors().get());
    while (const auto line = lines.next()) diagnostics_.add_line(*line);
  }

  void join() {
    if (feeder_.joinable()) feeder_.join();
    if (listener_.joinable()) listener_.join();
  }

  void read_games(const GameCallback& on_game) {
    enlarge(child_.output());
    GameReader games(child_.output().get());
    while (const auto game = games.next()) {
      if (!take(*game, on_game)) return;
    }
  }

  bool take(const GameText& game, const GameCallback& on_game) {
    if (game.moves.empty()) {
      ++without_moves_;
      some_result_ |= game.has_result;
      return true;
    }
    ++with_moves_;
    stopped_ = !on_game(game);
    return !stopped_;
  }

  PgnSourceReport report_of_a_part() const { return {name_, fed_.sha256, fed_.bytes, 0, 0, {}}; }

  PgnSourceReport report(const std::string& failure) const {
    if (!failure.empty()) throw UserError("pgn-extract failed on " + name_ + ": " + failure);
    if (fed_.cut_short) throw UserError("pgn-extract stopped before the end of " + name_);
    if (with_moves_ == 0 && diagnostics_.rejected() == 0 && !some_result_) {
      throw UserError(name_ + " holds no chess game; give PGN files, plain or compressed");
    }
    PgnSourceReport report{name_, fed_.sha256, fed_.bytes, 0, diagnostics_.rejected(), diagnostics_.named()};
    report.empty = without_moves_ - std::min(without_moves_, diagnostics_.printed_without_moves());
    if (report.rejected > diagnostics_.reported() && report.named.size() < max_named_rejections) {
      const std::uint64_t nameless = report.rejected - diagnostics_.reported();
      report.named.push_back({name_, std::nullopt, std::to_string(nameless) + " without a name",
                              "rejected by pgn-extract; run it on the file to see its complaints"});
    }
    return report;
  }

  std::string name_;
  ChildProcess child_;
  std::atomic<bool> stop_feeding_ = false;
  FedSource fed_;
  std::exception_ptr feed_error_;
  DiagnosticsParser diagnostics_;
  std::uint64_t with_moves_ = 0;
  std::uint64_t without_moves_ = 0;
  bool some_result_ = false;
  bool stopped_ = false;
  std::thread feeder_;
  std::thread listener_;
};

}  // namespace

FedSource feed_pgn(const std::string& path, const FileHandle& pipe, std::atomic<std::uint64_t>& bytes_read,
                   const std::atomic<bool>& stopped) {
  PackedSource source(
      path, [&bytes_read](std::uint64_t bytes) { bytes_read += bytes; }, &stopped);
  FedSource fed;
  std::size_t left_to_probe = 1 << 16;  // PGN has no zero bytes
  for (auto text = source.next(); !text.empty() && !fed.cut_short; text = source.next()) {
    const auto probe = text.first(std::min(text.size(), left_to_probe));
    if (std::find(probe.begin(), probe.end(), '\0') != probe.end()) {
      throw UserError(source_name(path) + " is not PGN text: it has zero bytes; give PGN files, plain or compressed");
    }
    left_to_probe -= probe.size();
    const int error = write_all(pipe.get(), text.data(), text.size());
    if (error != 0 && error != EPIPE) {
      throw UserError("cannot feed " + source_name(path) + " to pgn-extract: " + error_text(error));
    }
    fed.cut_short = error == EPIPE;
  }
  source.skip_rest();
  fed.sha256 = source.sha256();
  fed.bytes = source.bytes();
  return fed;
}

PgnSourceReport read_pgn(const std::string& path, const GameCallback& on_game, std::atomic<std::uint64_t>& bytes_read) {
  return PgnSession(path, bytes_read).run(on_game);
}

std::string pgn_extract_version() {
  ChildProcess child = start_pgn_extract({"--version"});
  child.input().close();
  std::string version = "unknown";
  for (FileHandle* stream : {&child.output(), &child.errors()}) {
    LineReader lines(stream->get());
    while (const auto line = lines.next()) {
      const std::string_view prefix = "pgn-extract ";
      if (!line->starts_with(prefix)) continue;
      version = to_utf8(line->substr(prefix.size(), line->find(' ', prefix.size()) - prefix.size()));
    }
  }
  return version;
}

}  // namespace slidebench
