// SPDX-License-Identifier: MIT
//
// slidebench trace: builds traces from games, by searching, or at random, imports an engine's logs, and says what is in
// one; samples positions.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "harness/base/errors.hpp"
#include "harness/base/text_output.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/numbers.hpp"
#include "harness/engine/search.hpp"
#include "harness/import/game_trace.hpp"
#include "harness/import/log_import.hpp"
#include "harness/import/position_sample.hpp"
#include "harness/import/search_trace.hpp"
#include "harness/trace/random_trace.hpp"
#include "harness/trace/reader.hpp"
#include "harness/trace/trace_info.hpp"

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
  std::cerr << "slidebench: " << counted(report.games, "game", "games") << ", "
            << counted(report.plies, "ply", "plies");
  if (report.queries > 0) std::cerr << ", " << counted(report.queries, "query", "queries");
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
  engine::SearchTraceOptions search;
};

/// Options of one kind of trace are refused with the other one.
void refuse_options_of_the_other_kind(const CLI::App& command, const BuildSettings& s) {
  const bool search = s.kind == "search";
  const std::vector<const char*> others =
      search ? std::vector{"--queries", "--games"}
             : std::vector{"--positions", "--seed", "--depth", "--nodes", "--net", "--threats"};
  for (const char* option : others) {
    if (command.count(option) == 0) continue;
    throw UserError(std::string(option) + " is an option of --kind " + (search ? "game" : "search") +
                    ", not of --kind " + s.kind + "; leave it out");
  }
}

void add_search_options(CLI::App& command, engine::SearchTraceOptions& search) {
  counts(command.add_option("--positions", search.positions,
                            "search: how many positions are searched; by default fewer if the games have fewer"),
         1, engine::max_sample)
      ->capture_default_str();
  seeds(command.add_option("--seed", search.seed, "search: which positions of the games"))->capture_default_str();
  counts(command.add_option("--depth", search.depth, "search: plies, at most"), 1, engine::max_search_depth)
      ->capture_default_str();
  counts(command.add_option("--nodes", search.max_nodes, "search: nodes of each position, at most"))
      ->capture_default_str();
  counts(
      command.add_option("--net", search.network, "search: width of the evaluation's network, 0 for the classical one"),
      0, widest_network)
      ->capture_default_str();
  command.add_flag("--threats,!--no-threats", search.threats,
                   "search: with or without threat features (default: with them if there is a network)");
}

void add_build(CLI::App& trace) {
  CLI::App* command = trace.add_subcommand("build", "Builds a trace from games");
  auto s = std::make_shared<BuildSettings>();
  command->add_option("--kind", s->kind, "game: what an engine asks at each position; search: what its search asks")
      ->check(CLI::IsMember({"game", "search"}))
      ->capture_default_str();
  command
      ->add_option("--queries", s->queries,
                   "game: default, what move generation, checks and exchanges ask; all, every slider")
      ->check(CLI::IsMember({"default", "all"}))
      ->capture_default_str();
  counts(command->add_option("--games", s->options.games_limit, "game: stop after so many games (default: all)"));
  add_search_options(*command, s->search);
  command->add_option("--out", s->out, "The trace; compressed if its name ends in .zst")->type_name("FILE")->required();
  command->add_option("games", s->inputs, "PGN files, plain or compressed; - is standard input")
      ->type_name("FILE...")
      ->required();
  command->footer(
      "Games are read by pgn-extract; what it rejects is counted and named, the rest goes on.\n\n"
      "Examples:\n  slidebench trace build --kind game --out game.trace datasets/sample.pgn more.pgn.gz\n"
      "  slidebench trace build --kind search --out search.trace datasets/sample.pgn");
  command->callback([s, command] {
    refuse_options_of_the_other_kind(*command, *s);
    if (s->kind == "search") {
      s->search.fewer = command->count("--positions") == 0;
      if (command->count("--threats") == 0) s->search.threats = s->search.network != 0;
      report_build(engine::build_search_trace(s->inputs, s->out, s->search, progress_on_terminal()));
      return;
    }
    s->options.queries = s->queries == "all" ? QueryRecipe::all : QueryRecipe::standard;
    report_build(build_game_trace(s->inputs, s->out, s->options, progress_on_terminal()));
  });
}

struct PositionsSettings {
  engine::PositionSampleOptions options;
  std::string out;
  std::vector<std::string> inputs;
};

void add_positions(CLI::App& trace) {
  CLI::App* command = trace.add_subcommand("positions", "Samples positions from games, for an engine to search");
  auto s = std::make_shared<PositionsSettings>();
  counts(command->add_option("--count", s->options.count, "How many"), 1, engine::max_sample)->capture_default_str();
  seeds(command->add_option("--seed", s->options.seed, "Seed"))->capture_default_str();
  command->add_option("--out", s->out, "The positions, one FEN a line")->type_name("FILE")->required();
  command->add_option("games", s->inputs, "PGN files, plain or compressed; - is standard input")
      ->type_name("FILE...")
      ->required();
  command->footer(
      "A third each from openings, middlegames and endgames; none twice, and none in which the game is over.\n\n"
      "Example:\n  slidebench trace positions --count 64 --seed 1 --out positions.fen datasets/sample.pgn");
  command->callback([s] {
    const engine::PositionSample sample =
        engine::sample_positions(s->inputs, s->out, s->options, progress_on_terminal());
    engine::write_fens(s->out, sample.positions);
    report_build(sample.games.report);
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
    const Trace opened = Trace::open(*path);
    const TraceInfo info = describe(opened);
    opened.check_unchanged();
    if (*format == "json") {
      nlohmann::json told = to_json(info);
      told["pieces"] = opened.has_pieces();
      std::cout << told.dump(2) << '\n';
    } else {
      std::cout << to_text(info) << "It " << (opened.has_pieces() ? "tells" : "does not tell") << " the pieces.\n";
    }
  });
}

/// What became of the logs, on standard error.
void report_import(const ImportReport& report) {
  if (isatty(STDERR_FILENO) != 0) std::cerr << "\r\033[K";
  const GroupingCounts& counts = report.counts;
  const auto tell = [](std::uint64_t number, const char* one, const char* many, const char* what) {
    if (number > 0) std::cerr << "slidebench: " << counted(number, one, many) << " " << what << "\n";
  };
  for (const ImportedLog& log : report.logs) {
    if (log.cut_off > 0) {
      std::cerr << "slidebench: " << log.name << " is cut off in its last line; left out "
                << counted(log.cut_off, "byte", "bytes") << "\n";
    }
  }
  tell(counts.dropped, "event", "events", "dropped: nothing was known of the position yet");
  tell(counts.occupancy_changes, "node", "nodes", "of a query whose occupancy had changed without a move");
  tell(counts.unknown_occupancies, "node", "nodes", "without a query or an occupancy, kept with the one before");
  tell(counts.merged, "pair", "pairs", "of a bishop and a rook query merged into both");
  std::cerr << "slidebench: trace " << report.name << ": " << counted(counts.queries, "query", "queries") << " of "
            << counted(report.logs.size(), "log", "logs") << " became " << with_commas(report.queries) << " in "
            << counted(report.nodes, "node", "nodes") << (report.has_pieces ? " with their pieces" : "")
            << (report.limit_reached ? "; the rest is beyond the limit" : "") << "\n";
}

void add_import(CLI::App& trace) {
  CLI::App* command = trace.add_subcommand("import", "Imports what an engine asked, from the logs that it wrote");
  auto options = std::make_shared<LogImportOptions>();
  auto out = std::make_shared<std::string>();
  auto logs = std::make_shared<std::vector<std::string>>();
  counts(command->add_option("--limit", options->limit, "Stop after so many recorded queries (default: all)"));
  counts(command->add_option(
             "--merge-both", options->merge_both,
             "A bishop and a rook query of a node and square, so many queries apart at most, become `both`"),
         0, LogGrouping::most_merge_distance)
      ->capture_default_str();
  command->add_flag_callback(
      "--no-pieces", [options] { options->pieces = false; }, "Leave out the boards and moves that the logs tell");
  command->add_option("--name", options->name, "Name of the trace in results (default: the output's)")
      ->type_name("NAME");
  command->add_option("--out", *out, "The trace; compressed if its name ends in .zst")->type_name("FILE")->required();
  command->add_option("logs", *logs, "Logs, plain or compressed; - is standard input")->type_name("LOG...")->required();
  command->footer(
      "An engine in C or C++ writes a log by slidebench_record.h, any other program by printing lines such as\n"
      "\"b e4 0xffff00000000ffff\": extras/engines/README.md. A log that was cut off is imported up to "
      "there.\n\n"
      "Example:\n  slidebench trace import search.queries search.queries.2 --out myengine.trace");
  command->callback([options, out, logs] {
    ImportProgressFn progress;
    if (isatty(STDERR_FILENO) != 0) {
      progress = [](std::uint64_t queries) { std::fprintf(stderr, "\r%s queries ", with_commas(queries).c_str()); };
    }
    report_import(import_logs(*logs, *out, *options, progress));
  });
}

void add_random(CLI::App& trace) {
  CLI::App* command = trace.add_subcommand("random", "Builds a random trace, the usual unrealistic contrast");
  auto options = std::make_shared<RandomTraceOptions>();
  auto out = std::make_shared<std::string>();
  seeds(command->add_option("--seed", options->seed, "Seed"))->capture_default_str();
  counts(command->add_option("--nodes", options->nodes, "How many positions"), 1, std::uint64_t{1} << 30)
      ->capture_default_str();
  command->add_option("--out", *out, "The trace; compressed if its name ends in .zst")->type_name("FILE")->required();
  command->footer("Example:\n  slidebench trace random --seed 1 --out random.trace");
  command->callback([options, out] { build_random_trace(*out, *options); });
}

}  // namespace

void add_trace_command(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("trace", "Builds and imports traces, and says what is in them; samples positions");
  command->require_subcommand(1);
  add_build(*command);
  add_info(*command);
  add_random(*command);
  add_import(*command);
  add_positions(*command);
  command->footer(
      "Example:\n  slidebench trace build --kind search --out search.trace datasets/sample.pgn\n"
      "  slidebench trace info search.trace");
}

}  // namespace slidebench
