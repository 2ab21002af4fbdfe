// SPDX-License-Identifier: MIT
#include "harness/import/pgn_source.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <utility>

#include "harness/base/child_process.hpp"
#include "harness/base/errors.hpp"
#include "harness/base/line_reader.hpp"
#include "harness/base/text.hpp"

namespace slidebench {
namespace {

ChildProcess start_pgn_extract(const std::vector<std::string>& arguments) {
  constexpr const char* by_debian = "/usr/games/pgn-extract";  // where root's PATH does not look
  const char* named = std::getenv("SLIDEBENCH_PGN_EXTRACT");
  const bool is_named = named != nullptr && *named != '\0';
  const std::string program = is_named ? named : "pgn-extract";
  try {
    return ChildProcess({.program = program, .arguments = arguments});
  } catch (const CannotStart& failure) {
    if (!is_named && std::filesystem::exists(by_debian)) {
      return ChildProcess({.program = by_debian, .arguments = arguments});
    }
    if (failure.error != ENOENT) throw;
    throw UserError(program + " is not installed; run scripts/install_deps.sh");
  }
}

/// Seven tags at most, no comments, variations and glyphs, a game's moves in one line. Not silent (-s), because only
/// the talkative mode ends with the number of games. Its complaints go to standard error by way of a log file: standard
/// error itself is not buffered, which costs a million small writes in a hundred thousand games.
const std::vector<std::string> pgn_extract_arguments{"-Wuci", "-7", "-C", "-V", "-N", "-w1000000", "-l/dev/stderr"};

/// What came out of pgn-extract.
struct PrintedGames {
  std::uint64_t with_moves = 0;
  std::uint64_t without_moves = 0;
  bool some_result = false;  ///< of one without moves
  bool stopped = false;      ///< by the callback: there may be more
};

PrintedGames take_games(int printed, const PackedSource& source, const GameCallback& on_game) {
  PrintedGames taken;
  GameReader games(printed);
  while (const auto game = taken.stopped ? std::nullopt : games.next()) {
    if (game->moves.empty()) {
      ++taken.without_moves;
      taken.some_result |= game->has_result;
    } else {
      ++taken.with_moves;
      taken.stopped = !on_game(*game, source.bytes());
    }
  }
  return taken;
}

void add_rejected(BuildReport& report, const std::string& name, const Complaints& complaints) {
  report.rejected += complaints.rejected;
  for (const RejectedGame& game : complaints.named) report.name_rejected(game);
  if (complaints.rejected <= complaints.reported) return;
  report.name_rejected({name, std::nullopt,
                        std::to_string(complaints.rejected - complaints.reported) + " without a name",
                        "rejected by pgn-extract; run it on the file to see its complaints"});
}

}  // namespace

bool feed_pgn(PackedSource& source, FileHandle pipe) {
  std::size_t left_to_probe = 1 << 16;  // PGN has no zero bytes
  for (auto text = source.next(); !text.empty(); text = source.next()) {
    const auto probe = text.first(std::min(text.size(), left_to_probe));
    if (std::find(probe.begin(), probe.end(), '\0') != probe.end()) {
      throw UserError(source.name() + " is not PGN text: it has zero bytes; give PGN files, plain or compressed");
    }
    left_to_probe -= probe.size();
    const int error = write_all(pipe.get(), text.data(), text.size());
    if (error == EPIPE) return false;
    if (error != 0) throw UserError("cannot feed " + source.name() + " to pgn-extract: " + error_text(error));
  }
  return true;
}

nlohmann::json read_pgn(const std::string& path, const GameCallback& on_game, BuildReport& report) {
  PackedSource source(path);
  // Both end when the process does, which is destroyed before them.
  std::future<bool> fed_whole;
  std::future<Complaints> listening;
  ChildProcess child = start_pgn_extract(pgn_extract_arguments);
  std::signal(SIGPIPE, SIG_IGN);  // if pgn-extract goes away, write() says so
  for (const FileHandle* pipe : {&child.input(), &child.output(), &child.errors()}) {
    ::fcntl(pipe->get(), F_SETPIPE_SZ, 1 << 20);  // fewer switches between the programs; slower where it may not
  }
  fed_whole = std::async(std::launch::async, feed_pgn, std::ref(source), std::move(child.input()));
  listening = std::async(std::launch::async, read_complaints, std::move(child.errors()), source.name());
  const PrintedGames printed = take_games(child.output().get(), source, on_game);
  if (printed.stopped) child.kill();
  const bool is_whole = fed_whole.get();
  const Complaints complaints = listening.get();
  const int status = child.wait();
  source.skip_rest();
  if (!printed.stopped) {
    const std::string& name = source.name();
    if (status > 128)
      throw UserError("pgn-extract failed on " + name + ": killed by signal " + std::to_string(status - 128));
    if (status != 0) throw UserError("pgn-extract failed on " + name + ": exit status " + std::to_string(status));
    if (!is_whole) throw UserError("pgn-extract stopped before the end of " + name);
    if (printed.with_moves == 0 && complaints.rejected == 0 && !printed.some_result) {
      throw UserError(name + " holds no chess game; give PGN files, plain or compressed");
    }
    report.empty += printed.without_moves - std::min(printed.without_moves, complaints.printed_without_moves);
    add_rejected(report, name, complaints);
  }
  return {{"name", source.name()}, {"sha256", source.sha256()}, {"bytes", source.bytes()}};
}

std::string pgn_extract_version() {
  ChildProcess child = start_pgn_extract({"--version"});
  child.input().close();
  constexpr std::string_view prefix = "pgn-extract ";
  LineReader lines(child.errors().get());
  while (const auto line = lines.next()) {
    if (line->starts_with(prefix))
      return to_utf8(line->substr(prefix.size(), line->find(' ', prefix.size()) - prefix.size()));
  }
  return "unknown";
}

}  // namespace slidebench
