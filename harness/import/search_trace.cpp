// SPDX-License-Identifier: MIT
#include "harness/import/search_trace.hpp"

#include <fmt/core.h>

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/base/errors.hpp"
#include "harness/base/text.hpp"
#include "harness/engine/search.hpp"
#include "harness/engine/search_memory.hpp"
#include "harness/engine/slider_sets.hpp"
#include "harness/import/position_sample.hpp"
#include "harness/trace/writer.hpp"
#include "methods/calculation/hyperbola.hpp"

namespace slidebench::engine {
namespace {

using nlohmann::json;

using TracedPosition = RecordedPosition<Hyperbola>;

constexpr std::size_t hash_clusters = std::size_t{1} << 18;  // 16 MiB

/// Tells the recorder what it hears, and adds what only the position knows.
class PositionListener final : public EngineListener {
 public:
  explicit PositionListener(SearchRecorder& recorder) : recorder_(recorder) {}

  /// The position must stand where it is until the search ends.
  void watch(const TracedPosition& position) { position_ = &position; }

  void query(const RecordedQuery& query) override { recorder_.query(query); }
  void made(Bitboard occupied, Move move) override {
    recorder_.made(NodeEvent::make, occupied, sliders_of(position_->state()), PieceEvent::make(move.bits()));
  }
  void unmade(Bitboard occupied) override {
    recorder_.unmade(NodeEvent::unmake, occupied, sliders_of(position_->state()), PieceEvent::unmake());
  }
  void null_made(Bitboard occupied) override {
    recorder_.made(NodeEvent::null_move, occupied, sliders_of(position_->state()));
  }
  void null_unmade(Bitboard occupied) override {
    recorder_.unmade(NodeEvent::null_move, occupied, sliders_of(position_->state()));
  }
  void evaluated() override { recorder_.evaluated(); }
  void probed() override { recorder_.probed(); }

 private:
  SearchRecorder& recorder_;
  const TracedPosition* position_ = nullptr;
};

class SearchTraceBuilder {
 public:
  SearchTraceBuilder(const std::vector<std::string>& inputs, const std::string& out, const SearchTraceOptions& options,
                     const ProgressFn& progress)
      : options_(checked(options)),
        sample_(sample_positions(inputs, out, {options.positions, options.seed, options.fewer}, progress)),
        memory_(options.network, options.threats, hash_clusters),
        writer_(out) {}

  BuildReport build(const std::vector<std::string>& inputs) {
    SearchRecorder recorder(std::bind_front(&TraceWriter::add_node, &writer_));
    for (const PositionState& state : sample_.positions) search(state, recorder);
    auto [report, provenance] = sample_.games;
    report.nodes = writer_.nodes();
    report.queries = writer_.queries();
    provenance.update({{"kind", "search"},
                       {"positions", sample_.positions.size()},
                       {"seed", options_.seed},
                       {"depth", options_.depth},
                       {"nodes_limit", options_.max_nodes},
                       {"network", options_.network},
                       {"threats", options_.threats},
                       {"hash_bytes", hash_clusters * sizeof(HashCluster)},
                       {"search", search_summary(recorder)},
                       {"recipe", recipe(inputs)}});
    writer_.finish(provenance);
    return report;
  }

 private:
  static const SearchTraceOptions& checked(const SearchTraceOptions& options) {
    if (options.threats && options.network == 0) {
      throw UserError("threats are features of a network, and there is none; choose its width, such as 1024");
    }
    return options;
  }

  void search(const PositionState& state, SearchRecorder& recorder) {
    PositionListener listener(recorder);
    recorder.begin(state.colors[0] | state.colors[1], sliders_of(state), PieceEvent::root(board_of(state)));
    const ListeningScope listening(&listener);
    TracedPosition position(state, {});
    listener.watch(position);
    const SearchRequest request = memory_.request(options_.depth, options_.max_nodes);
    const auto search = std::make_unique<Search<TracedPosition>>(position, request, result_);
    search->run();
    recorder.end();
  }

  std::string recipe(const std::vector<std::string>& inputs) const {
    std::string command =
        fmt::format("slidebench trace build --kind search --positions {} --seed {} --depth {} --nodes {} --net {}{}",
                    sample_.positions.size(), options_.seed, options_.depth, options_.max_nodes, options_.network,
                    options_.threats ? " --threats" : "");
    for (const std::string& input : inputs) command += " " + (input == "-" ? input : source_name(input));
    return command;
  }

  json search_summary(const SearchRecorder& recorder) const {
    json callers = json::object();
    for (std::size_t i = 0; i < caller_names.size(); ++i) {
      callers[std::string(caller_names[i])] = recorder.callers()[i];
    }
    return {{"nodes", result_.nodes},
            {"evaluations", result_.evaluations},
            {"visits", recorder.calls_per_visit().size()},
            {"calls_per_visit", quantiles_of(recorder.calls_per_visit())},
            {"callers", callers}};
  }

  const SearchTraceOptions& options_;
  PositionSample sample_;
  SearchMemory memory_;
  TraceWriter writer_;
  SearchResult result_{};
};

/// Whether two queries are the two halves of a `both`.
bool are_halves(const RecordedQuery& a, const RecordedQuery& b) {
  const bool kinds = (a.kind == QueryKind::bishop && b.kind == QueryKind::rook) ||
                     (a.kind == QueryKind::rook && b.kind == QueryKind::bishop);
  return kinds && a.square == b.square && a.occupied == b.occupied;
}

}  // namespace

void SearchRecorder::begin(Bitboard occupied, const SliderSets& sliders, const PieceEvent& pieces) {
  home_ = occupied;
  sliders_ = sliders;
  visits_.assign(1, 0);
  enter(NodeEvent::root, occupied, pieces);
}

void SearchRecorder::end() {
  release();
  write_node();
  leave_visit();
}

void SearchRecorder::query(const RecordedQuery& query) {
  if (held_ && are_halves(*held_, query)) {
    held_->kind = QueryKind::both;
    return;
  }
  release();
  held_ = query;
}

void SearchRecorder::made(NodeEvent event, Bitboard occupied, const SliderSets& sliders, const PieceEvent& pieces) {
  std::optional<RecordedQuery> from_king = std::exchange(held_, std::nullopt);
  go_home();
  home_ = occupied;
  sliders_ = sliders;
  visits_.back() -= of_next_visit_;
  visits_.push_back(std::exchange(of_next_visit_, 0));
  enter(event, occupied, pieces);
  held_ = from_king;
}

void SearchRecorder::unmade(NodeEvent event, Bitboard occupied, const SliderSets& sliders, const PieceEvent& pieces) {
  release();
  go_home();
  home_ = occupied;
  sliders_ = sliders;
  leave_visit();
  enter(event, occupied, pieces);
}

/// Puts the query that was held into a node of its occupancy.
void SearchRecorder::release() {
  if (!held_) return;
  if (held_->occupied != node_->occupied) {
    enter(held_->occupied == home_ ? NodeEvent::unmake : NodeEvent::make, held_->occupied);
  }
  queries_.push_back(encode_query(held_->kind, held_->square));
  ++visits_.back();
  ++callers_[static_cast<std::size_t>(held_->caller)];
  // A refresh of the network asks bishops, rooks and queens one by one, and never `both`.
  const bool of_move = held_->caller == Caller::threats && held_->kind == QueryKind::both;
  of_next_visit_ = of_move ? of_next_visit_ + 1 : 0;
  held_.reset();
}

void SearchRecorder::enter(NodeEvent event, Bitboard occupied, const PieceEvent& pieces) {
  write_node();
  node_ = Node{occupied, static_cast<NodeTag>(event), sliders_.on(occupied), pieces};
}

void SearchRecorder::write_node() {
  if (!node_) return;
  sink_(node_->occupied, node_->tag, node_->sliders, queries_, node_->pieces);
  queries_.clear();
  node_.reset();
}

/// Back to the position's own occupancy.
void SearchRecorder::go_home() {
  if (node_->occupied != home_) enter(NodeEvent::unmake, home_);
}

void SearchRecorder::flag(NodeTag bit) {
  release();
  of_next_visit_ = 0;
  go_home();
  const bool again = bit == evaluated_flag && (node_->tag & evaluated_flag) != 0;
  if (again) enter(NodeEvent::null_move, home_);
  node_->tag |= bit;
}

void SearchRecorder::leave_visit() {
  of_next_visit_ = 0;
  calls_per_visit_.add(visits_.back());
  visits_.pop_back();
}

BuildReport build_search_trace(const std::vector<std::string>& inputs, const std::string& out,
                               const SearchTraceOptions& options, const ProgressFn& progress) {
  return SearchTraceBuilder(inputs, out, options, progress).build(inputs);
}

}  // namespace slidebench::engine
