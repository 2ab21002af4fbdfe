// SPDX-License-Identifier: MIT
#include "harness/import/games.hpp"

#include <atomic>
#include <filesystem>

#include "harness/base/errors.hpp"
#include "harness/base/text.hpp"
#include "harness/import/pgn_source.hpp"

namespace slidebench {

namespace fs = std::filesystem;

std::uint64_t check_inputs(const std::vector<std::string>& inputs, const std::string& out) {
  if (inputs.empty()) throw UserError("no PGN file given; name one, or - for standard input");
  std::uint64_t total = 0;
  bool known = true;
  for (const std::string& input : inputs) {
    std::error_code error;
    if (input == "-") {
      known = false;
      continue;
    }
    const fs::file_status status = fs::status(input, error);
    if (!fs::exists(status)) throw UserError("cannot open " + input + ": no such file; check the name");
    if (fs::is_directory(status)) throw UserError(input + " is a directory; name the PGN files in it");
    if (fs::equivalent(input, out, error)) throw UserError(input + " is both input and output; choose another output");
    known = known && fs::is_regular_file(status);
    if (known) total += fs::file_size(input, error);
  }
  return known ? total : 0;
}

ReadGames read_games(const std::vector<std::string>& inputs, std::uint64_t bytes_total, std::uint64_t limit,
                     const PlayFn& play, const ProgressFn& progress) {
  ReadGames read{.report = {}, .sources = nlohmann::json::array()};
  BuildReport& report = read.report;
  std::atomic<std::uint64_t> bytes_read = 0;
  const auto name_rejected = [&report](const RejectedGame& game) {
    if (report.rejected_games.size() < max_named_rejections) report.rejected_games.push_back(game);
  };
  const auto is_full = [&] { return limit != 0 && report.games >= limit; };
  const auto show = [&] {
    if (progress) progress(report.games, bytes_read, bytes_total);
  };
  for (const std::string& input : inputs) {
    if (is_full()) break;
    const auto add = [&](const GameText& game) {
      const std::string problem = play(game);
      if (problem.empty()) {
        ++report.games;
        report.plies += game.moves.size();
      } else {
        ++report.rejected;
        name_rejected({source_name(input), std::nullopt, game_name(game), problem});
      }
      constexpr std::uint64_t games_between_reports = 512;
      if (report.games % games_between_reports == 0) show();
      return !is_full();
    };
    const PgnSourceReport source = read_pgn(input, add, bytes_read);
    read.sources.push_back({{"name", source.name}, {"sha256", source.sha256}, {"bytes", source.bytes}});
    report.empty += source.empty;
    report.rejected += source.rejected;
    for (const RejectedGame& game : source.named) name_rejected(game);
  }
  show();
  return read;
}

}  // namespace slidebench
