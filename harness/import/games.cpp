// SPDX-License-Identifier: MIT
#include "harness/import/games.hpp"

#include <filesystem>

#include "harness/base/errors.hpp"
#include "harness/base/text.hpp"

namespace slidebench {
namespace {

namespace fs = std::filesystem;

/// Refuses what can be refused before anything is read. Returns the bytes of all inputs, 0 if unknown.
std::uint64_t check_inputs(const std::vector<std::string>& inputs, const std::string& out) {
  std::uint64_t total = 0;
  bool known = true;
  for (const std::string& input : inputs) {
    std::error_code error;
    const fs::file_status status = fs::status(input, error);
    known = known && input != "-" && fs::is_regular_file(status);
    if (input == "-") continue;
    if (!fs::exists(status)) throw UserError("cannot open " + input + ": no such file; check the name");
    if (fs::is_directory(status)) throw UserError(input + " is a directory; name the PGN files in it");
    if (fs::equivalent(input, out, error)) throw UserError(input + " is both input and output; choose another output");
    if (known) total += fs::file_size(input, error);
  }
  return known ? total : 0;
}

}  // namespace

ReadGames read_games(const std::vector<std::string>& inputs, const std::string& out, std::uint64_t limit,
                     const PlayFn& play, const ProgressFn& progress) {
  const std::uint64_t bytes_total = check_inputs(inputs, out);
  const std::string version = pgn_extract_version();
  BuildReport report;
  nlohmann::json sources = nlohmann::json::array();
  std::uint64_t bytes_before = 0;  // of the sources that have been read
  const auto is_full = [&] { return limit != 0 && report.games >= limit; };
  const auto show = [&](std::uint64_t bytes_read) {
    if (progress) progress(report.games, bytes_read, bytes_total);
  };
  for (const std::string& input : inputs) {
    if (is_full()) break;
    const auto add = [&](const GameText& game, std::uint64_t bytes_read) {
      const std::string problem = play(game);
      if (problem.empty()) {
        ++report.games;
        report.plies += game.moves.size();
      } else {
        ++report.rejected;
        report.name_rejected({source_name(input), std::nullopt, game_name(game), problem});
      }
      constexpr std::uint64_t games_between_reports = 512;
      if (report.games % games_between_reports == 0) show(bytes_before + bytes_read);
      return !is_full();
    };
    sources.push_back(read_pgn(input, add, report));
    bytes_before += sources.back().at("bytes").get<std::uint64_t>();
  }
  show(bytes_before);
  return {report,
          {{"sources", sources},
           {"games", report.games},
           {"plies", report.plies},
           {"rejected", report.rejected},
           {"empty", report.empty},
           {"pgn_extract", version},
           {"slidebench", SLIDEBENCH_VERSION}}};
}

}  // namespace slidebench
