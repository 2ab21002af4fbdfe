// SPDX-License-Identifier: MIT
#include "harness/import/game_trace.hpp"

#include <fmt/core.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "harness/base/errors.hpp"
#include "harness/base/json_optional.hpp"
#include "harness/base/text.hpp"
#include "harness/engine/slider_sets.hpp"
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
  GameTraceBuilder(const std::string& out, const GameTraceOptions& options) : options_(options), writer_(out) {}

  BuildReport build(const std::vector<std::string>& inputs, const std::string& out, const ProgressFn& progress) {
    auto [report, provenance] =
        read_games(inputs, out, options_.games_limit, std::bind_front(&GameTraceBuilder::add, this), progress);
    report.nodes = writer_.nodes();
    report.queries = writer_.queries();
    if (report.nodes == 0) refuse_nothing(report);
    provenance.update({{"kind", "game"},
                       {"queries", options_.queries == QueryRecipe::all ? "all" : "default"},
                       {"rejected_games", report.rejected_games},
                       {"games_limit", options_.games_limit == 0 ? json(nullptr) : json(options_.games_limit)},
                       {"recipe", recipe(inputs)},
                       {"seed", nullptr}});
    writer_.finish(provenance);
    return report;
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

  [[noreturn]] static void refuse_nothing(const BuildReport& report) {
    std::string first;
    if (!report.rejected_games.empty()) {
      const RejectedGame& game = report.rejected_games.front();
      first = fmt::format("; the first, in {}: {}: {}", game.source, game.game, game.reason);
    }
    throw UserError(fmt::format("no game can be replayed: {} rejected, {} without moves{}; give other PGN files",
                                report.rejected, report.empty, first));
  }

  std::string recipe(const std::vector<std::string>& inputs) const {
    std::string command = "slidebench trace build --kind game";
    if (options_.queries == QueryRecipe::all) command += " --queries all";
    if (options_.games_limit != 0) command += " --games " + std::to_string(options_.games_limit);
    for (const std::string& input : inputs) command += " " + (input == "-" ? input : source_name(input));
    return command;
  }

  const GameTraceOptions& options_;
  TraceWriter writer_;
  std::vector<GameNode> nodes_;  // of the game under way
  std::vector<QueryCode> queries_;
};

}  // namespace

BuildReport build_game_trace(const std::vector<std::string>& inputs, const std::string& out,
                             const GameTraceOptions& options, const ProgressFn& progress) {
  return GameTraceBuilder(out, options).build(inputs, out, progress);
}

}  // namespace slidebench
