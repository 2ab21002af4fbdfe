// SPDX-License-Identifier: MIT
#include "harness/import/game_trace.hpp"

#include <nlohmann/json.hpp>

#include "harness/base/errors.hpp"
#include "harness/base/json_optional.hpp"
#include "harness/base/text.hpp"
#include "harness/engine/slider_sets.hpp"
#include "harness/import/pgn_source.hpp"
#include "harness/import/played_game.hpp"
#include "harness/trace/writer.hpp"

namespace slidebench {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RejectedGame, source, line, game, reason)

namespace {

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
    ReadGames games = read_games(
        inputs_, bytes_total_, options_.games_limit, [this](const GameText& game) { return add(game); }, progress_);
    report_ = std::move(games.report);
    report_.nodes = writer_.nodes();
    report_.queries = writer_.queries();
    if (report_.nodes == 0) refuse_nothing();
    writer_.finish(provenance(games.sources));
    return report_;
  }

 private:
  std::string add(const GameText& game) {
    nodes_.clear();
    std::string problem =
        engine::play_game(game, [this](const engine::GamePosition& position, const engine::Move* next) {
          nodes_.push_back({position.state(), next == nullptr ? std::nullopt : std::optional(*next)});
        });
    if (problem.empty()) add_nodes();
    return problem;
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

  json provenance(const json& sources) const {
    return {{"kind", "game"},
            {"queries", options_.queries == QueryRecipe::all ? "all" : "default"},
            {"sources", sources},
            {"games", report_.games},
            {"plies", report_.plies},
            {"rejected", report_.rejected},
            {"rejected_games", report_.rejected_games},
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
  std::vector<GameNode> nodes_;  // of the game under way
  std::vector<QueryCode> queries_;
  BuildReport report_;
};

}  // namespace

BuildReport build_game_trace(const std::vector<std::string>& inputs, const std::string& out,
                             const GameTraceOptions& options, const ProgressFn& progress) {
  return GameTraceBuilder(inputs, out, options, progress).build();
}

}  // namespace slidebench
