// SPDX-License-Identifier: MIT
#include "harness/import/game_trace.hpp"

#include <atomic>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "harness/base/errors.hpp"
#include "harness/base/text.hpp"
#include "harness/engine/slider_sets.hpp"
#include "harness/import/pgn_source.hpp"
#include "harness/import/played_game.hpp"
#include "harness/trace/writer.hpp"

namespace slidebench {
namespace {

namespace fs = std::filesystem;
using engine::Color;
using engine::PieceType;
using nlohmann::json;

/// What a node of the trace needs of a position.
struct GameNode {
  engine::PositionState state;
  std::optional<engine::Move> next;  ///< absent at the end of the game
};

void ask(std::vector<QueryCode>& queries, QueryKind kind, Bitboard squares) {
  while (squares != 0) queries.push_back(encode_query(kind, pop_lowest(squares)));
}

constexpr std::array<std::pair<PieceType, QueryKind>, 3> slider_kinds{
    {{PieceType::bishop, QueryKind::bishop}, {PieceType::rook, QueryKind::rook}, {PieceType::queen, QueryKind::queen}}};

Bitboard pieces(const engine::PositionState& state, Color color, PieceType type) {
  return state.colors[static_cast<std::size_t>(color)] & state.pieces[static_cast<std::size_t>(type)];
}

void ask_standard(std::vector<QueryCode>& queries, const GameNode& node) {
  const Color us = node.state.side;
  for (const auto& [piece, kind] : slider_kinds) ask(queries, kind, pieces(node.state, us, piece));
  ask(queries, QueryKind::both, pieces(node.state, ~us, PieceType::king));
  if (node.next) queries.push_back(encode_query(QueryKind::both, node.next->to()));
}

void ask_all(std::vector<QueryCode>& queries, const GameNode& node) {
  for (const auto& [piece, kind] : slider_kinds) {
    for (const Color side : {Color::white, Color::black}) ask(queries, kind, pieces(node.state, side, piece));
  }
}

std::string recipe_name(QueryRecipe recipe) { return recipe == QueryRecipe::all ? "all" : "default"; }

json to_json(const RejectedGame& game) {
  return {{"source", game.source},
          {"line", game.line ? json(*game.line) : json(nullptr)},
          {"game", game.game},
          {"reason", game.reason}};
}

/// Refuses what can be refused before anything is written, and adds up the sizes: 0 if one is unknown.
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

class GameTraceBuilder {
 public:
  GameTraceBuilder(const std::vector<std::string>& inputs, const std::string& out, const GameTraceOptions& options,
                   const ProgressFn& progress)
      : inputs_(inputs),
        options_(options),
        progress_(progress),
        bytes_total_(check_inputs(inputs, out)),
        pgn_extract_(pgn_extract_version()),
        writer_(out) {}

  BuildReport build() {
    for (const std::string& input : inputs_) {
      if (limit_reached()) break;
      read(input);
    }
    report_.nodes = writer_.nodes();
    report_.queries = writer_.queries();
    if (report_.nodes == 0) refuse_nothing();
    writer_.finish(provenance());
    report_progress();
    return report_;
  }

 private:
  bool limit_reached() const { return options_.games_limit != 0 && report_.games >= options_.games_limit; }

  void read(const std::string& input) {
    source_ = source_name(input);
    const PgnSourceReport source = read_pgn(
        input, [this](const GameText& game) { return add(game); }, bytes_read_);
    sources_.push_back({{"name", source.name}, {"sha256", source.sha256}, {"bytes", source.bytes}});
    report_.empty += source.empty;
    report_.rejected += source.rejected;
    for (const RejectedGame& game : source.named) name_rejected(game);
  }

  bool add(const GameText& game) {
    nodes_.clear();
    const std::string problem =
        engine::play_game(game, [this](const engine::GamePosition& position, const engine::Move* next) {
          nodes_.push_back({position.state(), next == nullptr ? std::nullopt : std::optional(*next)});
        });
    if (problem.empty()) {
      add_nodes();
      ++report_.games;
      report_.plies += game.moves.size();
    } else {
      ++report_.rejected;
      name_rejected({source_, std::nullopt, game_name(game), problem});
    }
    constexpr std::uint64_t games_between_reports = 512;
    if (report_.games % games_between_reports == 0) report_progress();
    return !limit_reached();
  }

  void add_nodes() {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const engine::PositionState& state = nodes_[i].state;
      queries_.clear();
      options_.queries == QueryRecipe::all ? ask_all(queries_, nodes_[i]) : ask_standard(queries_, nodes_[i]);
      const NodeEvent event = i == 0 ? NodeEvent::root : NodeEvent::make;
      const auto tag = static_cast<NodeTag>(static_cast<unsigned>(event) | (i % 2 == 1 ? evaluated_flag : 0u));
      const PieceEvent pieces =
          i == 0 ? PieceEvent::root(engine::board_of(state)) : PieceEvent::make(nodes_[i - 1].next->bits());
      writer_.add_node(state.colors[0] | state.colors[1], tag, engine::sliders_of(state), queries_, pieces);
    }
  }

  void name_rejected(const RejectedGame& game) {
    if (report_.rejected_games.size() < max_named_rejections) report_.rejected_games.push_back(game);
  }

  void report_progress() const {
    if (progress_) progress_(report_.games, bytes_read_, bytes_total_);
  }

  [[noreturn]] void refuse_nothing() const {
    std::string message = "no game can be replayed: " + std::to_string(report_.rejected) + " rejected, " +
                          std::to_string(report_.empty) + " without moves";
    if (!report_.rejected_games.empty()) {
      const RejectedGame& first = report_.rejected_games.front();
      message += "; the first, in " + first.source + ": " + first.game + ": " + first.reason;
    }
    throw UserError(message + "; give other PGN files");
  }

  std::string recipe() const {
    std::string command = "slidebench trace build --kind game";
    if (options_.queries == QueryRecipe::all) command += " --queries all";
    if (options_.games_limit != 0) command += " --games " + std::to_string(options_.games_limit);
    for (const std::string& input : inputs_) command += " " + (input == "-" ? input : source_name(input));
    return command;
  }

  json provenance() const {
    json rejected_games = json::array();
    for (const RejectedGame& game : report_.rejected_games) rejected_games.push_back(to_json(game));
    return {{"kind", "game"},
            {"queries", recipe_name(options_.queries)},
            {"sources", sources_},
            {"games", report_.games},
            {"plies", report_.plies},
            {"rejected", report_.rejected},
            {"rejected_games", rejected_games},
            {"empty", report_.empty},
            {"games_limit", options_.games_limit == 0 ? json(nullptr) : json(options_.games_limit)},
            {"recipe", recipe()},
            {"seed", nullptr},
            {"pgn_extract", pgn_extract_},
            {"slidebench", SLIDEBENCH_VERSION}};
  }

  const std::vector<std::string>& inputs_;
  const GameTraceOptions& options_;
  const ProgressFn& progress_;
  std::uint64_t bytes_total_;
  std::string pgn_extract_;
  TraceWriter writer_;
  std::atomic<std::uint64_t> bytes_read_ = 0;
  std::string source_;
  std::vector<GameNode> nodes_;  // of the game under way
  std::vector<QueryCode> queries_;
  json sources_ = json::array();
  BuildReport report_;
};

}  // namespace

BuildReport build_game_trace(const std::vector<std::string>& inputs, const std::string& out,
                             const GameTraceOptions& options, const ProgressFn& progress) {
  return GameTraceBuilder(inputs, out, options, progress).build();
}

}  // namespace slidebench
