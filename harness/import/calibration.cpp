// SPDX-License-Identifier: MIT
#include "harness/import/calibration.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/engine/move_generator.hpp"
#include "harness/engine/query_recorder.hpp"
#include "harness/engine/search.hpp"
#include "harness/engine/search_memory.hpp"
#include "harness/pressure/pressure.hpp"
#include "methods/calculation/hyperbola.hpp"

namespace slidebench::engine {
namespace {

using WatchedPosition = RecordedPosition<Hyperbola, ListeningObserver<true>>;

enum class LineKind : std::size_t { hash, board, moves, history, tables, accumulators, rows, layers };
constexpr bool is_network(std::size_t kind) { return kind >= static_cast<std::size_t>(LineKind::accumulators); }

/// Notes lines, each numbered from 0 within its kind.
class LineLog {
 public:
  void touch(LineKind kind, std::uint64_t line) {
    const auto k = static_cast<std::size_t>(kind);
    std::vector<Seen>& lines = seen_[k];
    if (line >= lines.size()) lines.resize(std::max<std::size_t>(line + 1, 2 * lines.size()));
    Seen& seen = lines[line];
    distinct_[k] += seen.node == 0;
    in_node_[k] += seen.node != node_;
    in_interval_[k] += seen.interval != interval_;
    seen = {node_, interval_};
  }
  void touch(LineKind kind, std::uint64_t first, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) touch(kind, first + i);
  }

  void next_node() {
    std::uint64_t lines = 0;
    for (std::size_t k = 0; k < line_kinds.size(); ++k) {
      if (!is_network(k)) lines += in_node_[k];
      node_sums_[k] += std::exchange(in_node_[k], 0);
    }
    // What happens before the first node is none.
    if (node_ > 1) per_node_.add(lines);
    ++node_;
  }

  void next_interval() {
    std::uint64_t lines = 0;
    for (std::size_t k = 0; k < line_kinds.size(); ++k) {
      lines += in_interval_[k];
      interval_sums_[k] += std::exchange(in_interval_[k], 0);
    }
    if (interval_ > 1) per_interval_.add(lines);
    ++interval_;
  }

  void report(CalibrationRow& row) const {
    row.per_node = quantiles_of(per_node_);
    row.per_interval = quantiles_of(per_interval_);
    for (std::size_t k = 0; k < line_kinds.size(); ++k) {
      row.kinds[k] = {share(node_sums_[k], node_), share(interval_sums_[k], interval_), distinct_[k]};
      row.distinct += distinct_[k];
    }
  }

 private:
  /// When a line was touched last; 0: never.
  struct Seen {
    std::uint32_t node = 0;
    std::uint32_t interval = 0;
  };
  using Counts = std::array<std::uint64_t, line_kinds.size()>;

  static double share(std::uint64_t sum, std::uint32_t number) {
    return number < 2 ? 0 : static_cast<double>(sum) / (number - 1);
  }

  std::array<std::vector<Seen>, line_kinds.size()> seen_;
  std::uint32_t node_ = 1;
  std::uint32_t interval_ = 1;
  Counts in_node_{};
  Counts in_interval_{};
  Counts node_sums_{};
  Counts interval_sums_{};
  Counts distinct_{};
  Distribution per_node_;
  Distribution per_interval_;
};

/// A network that notes what it reads, and lets the real one do the work.
struct WatchedNetwork : NetworkCalls {
  WatchedNetwork(const NetworkCalls& network, const std::int16_t* accumulator_memory, LineLog& line_log)
      : NetworkCalls(network), real(network), accumulators(accumulator_memory), log(line_log) {
    update = [](const NetworkCalls& calls, const std::int16_t* in, std::int16_t* out, Perspective perspective,
                const FeatureChange& change) {
      const WatchedNetwork& watched = of(calls);
      watched.touch_accumulator(in);
      watched.touch_accumulator(out);
      watched.touch_pieces(change.pieces_added, perspective);
      watched.touch_pieces(change.pieces_removed, perspective);
      watched.touch_threats(change.threats.came, perspective);
      watched.touch_threats(change.threats.went, perspective);
      watched.real.update(watched.real, in, out, perspective, change);
    };
    refresh = [](const NetworkCalls& calls, std::int16_t* out, Perspective perspective,
                 const ActiveFeatures& features) {
      const WatchedNetwork& watched = of(calls);
      watched.touch_accumulator(out);
      watched.touch_pieces(features.pieces, perspective);
      watched.touch_threats(features.threats, perspective);
      watched.real.refresh(watched.real, out, perspective, features);
    };
    evaluate = [](const NetworkCalls& calls, const std::int16_t* own, const std::int16_t* other) {
      const WatchedNetwork& watched = of(calls);
      watched.touch_accumulator(own);
      watched.touch_accumulator(other);
      watched.touch_layers(own, 0);
      watched.touch_layers(other, calls.weights.width / inputs_per_line);
      return watched.real.evaluate(watched.real, own, other);
    };
    layer_lines = [](const NetworkCalls& calls, const std::int16_t* own, const std::int16_t* other) {
      return of(calls).real.layer_lines(of(calls).real, own, other);
    };
  }

 private:
  static constexpr unsigned inputs_per_line = 64 / first_layer_outputs;

  static const WatchedNetwork& of(const NetworkCalls& calls) { return static_cast<const WatchedNetwork&>(calls); }

  void touch_accumulator(const std::int16_t* accumulator) const {
    const auto first = static_cast<std::uint64_t>(accumulator - accumulators) * sizeof(std::int16_t) / 64;
    log.touch(LineKind::accumulators, first, accumulator_lines(weights));
  }

  template <unsigned capacity>
  void touch_pieces(const FeatureList<PieceFeature, capacity>& features, Perspective perspective) const {
    const std::uint64_t lines = accumulator_lines(weights);
    for (const PieceFeature& feature : features) {
      log.touch(LineKind::rows, piece_row(perspective, feature) * lines, lines);
    }
  }

  /// Threat rows lie behind the piece rows.
  template <class List>
  void touch_threats(const List& features, Perspective perspective) const {
    const std::uint64_t first = std::uint64_t{piece_rows} * accumulator_lines(weights);
    const std::uint64_t lines = weights.width / 64;
    for (const ThreatFeature& feature : features) {
      log.touch(LineKind::rows, first + threat_row(perspective, feature) * lines, lines);
    }
  }

  /// The weights of inputs above zero, from the line `first` on; the small layers and the biases lie behind them all.
  void touch_layers(const std::int16_t* accumulator, std::uint64_t first) const {
    constexpr unsigned lines_behind = 12;
    for (unsigned i = 0; i < weights.width; i += inputs_per_line) {
      const bool active = std::any_of(accumulator + i, accumulator + i + inputs_per_line, [](int x) { return x > 0; });
      if (active) log.touch(LineKind::layers, first + i / inputs_per_line);
    }
    log.touch(LineKind::layers, 2 * weights.width / inputs_per_line, lines_behind);
  }

  NetworkCalls real;
  const std::int16_t* accumulators;
  LineLog& log;
};

/// Notes what the search touches besides the network.
class LineListener final : public EngineListener {
 public:
  LineListener(LineLog& log, CalibrationRow& row, std::size_t hash_clusters, bool classical)
      : log_(log), row_(row), hash_clusters_(hash_clusters), classical_(classical) {}

  /// The position must stand where it is until the search ends.
  void watch(const WatchedPosition& position) { position_ = &position; }

  void query(const RecordedQuery&) override { ++row_.queries; }
  void made(Bitboard, Move) override { touch_move(); }
  void unmade(Bitboard) override { touch_board(); }
  void null_made(Bitboard) override { touch_move(); }
  void null_unmade(Bitboard) override { touch_board(); }

  void probed() override {
    log_.next_node();
    ++row_.nodes;
    touch_hash();
    touch_board();
  }

  void evaluated() override {
    log_.next_interval();
    ++row_.evaluations;
    touch_board();
    if (classical_) touch_tables();
  }

  void touched(unsigned lines) override { network_lines_.add(lines); }

  void generating(bool deep) override {
    if (position_ == nullptr) return;
    const ListeningScope silence(nullptr);
    MoveList moves;
    deep ? generate<GenKind::all>(*position_, moves) : generate<GenKind::captures>(*position_, moves);
    touch_board();
    const std::uint64_t list = std::uint64_t{position_->ply()} * lines_of_list;
    log_.touch(LineKind::moves, list, lines_of(moves.size() * sizeof(Move)));
    log_.touch(LineKind::moves, list + lines_of_moves, lines_of(moves.size() * sizeof(int)));
    for (const Move move : moves) touch_history(move);
  }

  const Distribution& network_lines() const { return network_lines_; }

 private:
  static constexpr std::uint64_t lines_of_moves = sizeof(MoveList) / 64 + 1;
  static constexpr std::uint64_t lines_of_list = lines_of_moves + 256 * sizeof(int) / 64;
  static constexpr std::uint64_t lines_of_board = 4;

  static std::uint64_t lines_of(std::uint64_t bytes) { return (bytes + 63) / 64; }

  /// The same cluster as HashTable's.
  void touch_hash() { log_.touch(LineKind::hash, (position_->key() >> 20) & (hash_clusters_ - 1)); }

  void touch_board() { log_.touch(LineKind::board, 0, lines_of_board); }

  void touch_move() {
    touch_board();
    log_.touch(LineKind::board, lines_of_board + position_->ply());
    touch_hash();
  }

  void touch_history(Move move) {
    if (is_tactical(*position_, move) || move.is_promotion()) return;
    const std::uint64_t slot = (index_of(position_->side()) * 64 + move.from()) * 64 + move.to();
    log_.touch(LineKind::history, slot * sizeof(std::int16_t) / 64);
  }

  void touch_tables() {
    for (Bitboard left = position_->occupied(); left != 0;) {
      const Square s = pop_lowest(left);
      const bool white = (position_->pieces(Color::white) & bit(s)) != 0;
      const Square seen = white ? s : s ^ 56;
      const auto piece = static_cast<std::uint64_t>(position_->piece_on(s));
      log_.touch(LineKind::tables, (piece * 64 + seen) * sizeof(Tapered) / 64);
      constexpr std::uint64_t first_mask = sizeof(classical::places) / 64;
      if (piece == 0) log_.touch(LineKind::tables, first_mask + seen * sizeof(Bitboard) / 64);
    }
  }

  LineLog& log_;
  CalibrationRow& row_;
  std::size_t hash_clusters_;
  bool classical_;
  const WatchedPosition* position_ = nullptr;
  Distribution network_lines_;
};

std::string cell(const std::string& text, std::size_t width) {
  return text.size() >= width ? text + " " : text + std::string(width - text.size(), ' ');
}

std::string number(double value, int digits = 1) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

std::string quantiles_text(const Quantiles& q) {
  return cell(number(q.mean), 9) + cell(std::to_string(q.median), 8) + cell(std::to_string(q.p90), 8) +
         cell(std::to_string(q.p99), 8) + std::to_string(q.max);
}

std::string quantiles_table(const std::vector<CalibrationRow>& rows, const std::string& title,
                            Quantiles CalibrationRow::*figure) {
  std::string text = "\n" + cell(title, 48) + "mean     median  90 %    99 %    max\n";
  for (const CalibrationRow& row : rows) text += cell("  " + row.form, 48) + quantiles_text(row.*figure) + "\n";
  return text;
}

}  // namespace

CalibrationRow calibrate(const std::vector<PositionState>& positions, const CalibrationForm& form,
                         const CalibrationOptions& options) {
  CalibrationRow row;
  row.form = form.name;
  const SearchMemory memory(form.network, form.threats, options.hash_clusters);
  SearchRequest request = memory.request(options.depth, options.max_nodes);
  LineLog log;
  const WatchedNetwork network(memory.network(), request.accumulators, log);
  if (form.network != 0) request.network = &network;
  LineListener listener(log, row, options.hash_clusters, form.network == 0);
  const ListeningScope listening(&listener);
  SearchResult result{};
  for (const PositionState& state : positions) {
    const auto position = std::make_unique<WatchedPosition>(state, ListeningObserver<true>{});
    listener.watch(*position);
    std::make_unique<Search<WatchedPosition>>(*position, request, result)->run();
  }
  log.next_node();
  log.next_interval();
  log.report(row);
  row.network_evaluation = quantiles_of(listener.network_lines());
  return row;
}

nlohmann::json to_json(const CalibrationRow& row) {
  nlohmann::json kinds = nlohmann::json::object();
  for (std::size_t k = 0; k < line_kinds.size(); ++k) {
    kinds[std::string(line_kinds[k])] = {{"lines_per_node", row.kinds[k].per_node},
                                         {"lines_per_interval", row.kinds[k].per_interval},
                                         {"distinct_lines", row.kinds[k].distinct}};
  }
  return {{"form", row.form},
          {"nodes", row.nodes},
          {"evaluations", row.evaluations},
          {"queries", row.queries},
          {"lines_per_node_without_network", row.per_node},
          {"lines_between_evaluations", row.per_interval},
          {"network_lines_per_evaluation", row.network_evaluation},
          {"distinct_lines", row.distinct},
          {"kinds", kinds}};
}

std::string calibration_text(const std::vector<CalibrationRow>& rows) {
  std::string text = cell("form", 22) + cell("calls per node", 14) + cell("calls an eval.", 16) +
                     cell("nodes an eval.", 16) + "distinct lines (KiB)\n";
  for (const CalibrationRow& row : rows) {
    const auto per = [](std::uint64_t part, std::uint64_t whole) {
      return whole == 0 ? std::string("-") : number(static_cast<double>(part) / static_cast<double>(whole), 2);
    };
    text += cell(row.form, 22) + cell(per(row.queries, row.nodes), 14) + cell(per(row.queries, row.evaluations), 16) +
            cell(per(row.nodes, row.evaluations), 16) + std::to_string(row.distinct) + " (" +
            std::to_string(row.distinct / 16) + ")\n";
  }
  text += quantiles_table(rows, "different lines per node, network left out", &CalibrationRow::per_node);
  text += quantiles_table(rows, "different lines from evaluation to evaluation", &CalibrationRow::per_interval);
  text += quantiles_table(rows, "lines of the network an evaluation", &CalibrationRow::network_evaluation);
  text += "\n" + cell("from evaluation to evaluation, by kind", 48);
  for (const std::string_view kind : line_kinds) text += cell(std::string(kind), 14);
  for (const CalibrationRow& row : rows) {
    text += "\n" + cell("  " + row.form, 48);
    for (const CalibrationRow::Kind& kind : row.kinds) text += cell(number(kind.per_interval), 14);
  }
  text += "\n\npreset      specification\n";
  for (const PressurePreset& preset : pressure_presets) {
    if (!preset.specification.empty()) {
      text += cell(std::string(preset.name), 12) + std::string(preset.specification) + "\n";
    }
  }
  return text;
}

}  // namespace slidebench::engine
