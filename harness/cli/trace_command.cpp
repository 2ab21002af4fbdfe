// SPDX-License-Identifier: MIT
//
// slidebench trace: builds traces from games or at random, and says what is in one.
#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <memory>

#include "harness/cli/commands.hpp"
#include "harness/cli/text_output.hpp"
#include "harness/trace/errors.hpp"
#include "harness/trace/game_trace.hpp"
#include "harness/trace/info.hpp"
#include "harness/trace/random_trace.hpp"
#include "harness/trace/reader.hpp"

namespace slidebench {
namespace {

/// A line on a terminal that counts the games; nothing elsewhere.
ProgressFn progress_on_terminal() {
  if (isatty(STDERR_FILENO) == 0) return {};
  return [](std::uint64_t games, std::uint64_t bytes_read, std::uint64_t bytes_total) {
    std::fprintf(stderr, "\r%s games", with_commas(games).c_str());
    if (bytes_total > 0) {
      std::fprintf(stderr, ", %.0f %% read", 100 * static_cast<double>(bytes_read) / static_cast<double>(bytes_total));
    }
    std::fprintf(stderr, "   ");
  };
}

std::string counted(std::uint64_t number, const char* one, const char* many) {
  return with_commas(number) + " " + (number == 1 ? one : many);
}

/// What was built, and every game that was left out, on standard error.
void report_build(const BuildReport& report) {
  if (isatty(STDERR_FILENO) != 0) std::cerr << "\r\033[K";
  for (const RejectedGame& game : report.rejected_games) {
    std::cerr << "slidebench: left out " << game.source;
    if (game.line) std::cerr << ", line " << *game.line;
    std::cerr << ": " << game.game << ": " << game.reason << "\n";
  }
  if (report.rejected > report.rejected_games.size()) {
    std::cerr << "slidebench: and "
              << counted(report.rejected - report.rejected_games.size(), "more game", "more games") << "\n";
  }
  std::cerr << "slidebench: " << counted(report.games, "game", "games") << ", " << counted(report.plies, "ply", "plies")
            << ", " << counted(report.queries, "query", "queries");
  if (report.rejected > 0) std::cerr << "; " << counted(report.rejected, "game", "games") << " rejected";
  if (report.empty > 0) std::cerr << "; " << counted(report.empty, "game", "games") << " without moves";
  std::cerr << "\n";
}

struct BuildSettings {
  std::string kind = "game";
  std::string queries = "default";
  std::string out;
  std::vector<std::string> inputs;
  GameTraceOptions options;
};

void add_build(CLI::App& trace) {
  CLI::App* command = trace.add_subcommand("build", "Builds a trace from games");
  auto s = std::make_shared<BuildSettings>();
  command->add_option("--kind", s->kind, "What is traced: game")->check(CLI::IsMember({"game"}))->capture_default_str();
  command
      ->add_option("--queries", s->queries,
                   "default: what move generation, checks and exchanges ask; all: every slider")
      ->check(CLI::IsMember({"default", "all"}))
      ->capture_default_str();
  command->add_option("--games", s->options.games_limit, "Stop after so many games (default: all)")->type_name("N");
  command->add_option("--out", s->out, "The trace; compressed if its name ends in .zst")->type_name("FILE")->required();
  command->add_option("games", s->inputs, "PGN files, plain or compressed; - is standard input")
      ->type_name("FILE...")
      ->required();
  command->footer(
      "Games are read by pgn-extract; what it rejects is counted and named, the rest goes on.\n\n"
      "Example:\n  slidebench trace build --kind game --out game.trace datasets/sample.pgn more.pgn.gz");
  command->callback([s] {
    s->options.queries = s->queries == "all" ? QueryRecipe::all : QueryRecipe::standard;
    report_build(build_game_trace(s->inputs, s->out, s->options, progress_on_terminal()));
  });
}

void add_info(CLI::App& trace) {
  CLI::App* command = trace.add_subcommand("info", "Says what is in a trace");
  auto path = std::make_shared<std::string>();
  auto format = std::make_shared<std::string>("text");
  command->add_option("trace", *path, "The trace")->type_name("FILE")->required();
  command->add_option("--format", *format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command->footer("Example:\n  slidebench trace info game.trace --format json");
  command->callback([path, format] {
    const TraceInfo info = describe(Trace::open(*path));
    if (*format == "json") {
      std::cout << to_json(info).dump(2) << '\n';
    } else {
      std::cout << to_text(info);
    }
  });
}

void add_random(CLI::App& trace) {
  CLI::App* command = trace.add_subcommand("random", "Builds a random trace, the usual unrealistic contrast");
  auto options = std::make_shared<RandomTraceOptions>();
  auto out = std::make_shared<std::string>();
  command->add_option("--seed", options->seed, "Seed")->capture_default_str();
  command->add_option("--nodes", options->nodes, "How many positions")->capture_default_str();
  command->add_option("--out", *out, "The trace; compressed if its name ends in .zst")->type_name("FILE")->required();
  command->footer("Example:\n  slidebench trace random --seed 1 --out random.trace");
  command->callback([options, out] { build_random_trace(*out, *options); });
}

}  // namespace

void add_trace_command(CLI::App& program) {
  CLI::App* command = program.add_subcommand("trace", "Builds traces, and says what is in them");
  command->require_subcommand(1);
  add_build(*command);
  add_info(*command);
  add_random(*command);
}

}  // namespace slidebench
