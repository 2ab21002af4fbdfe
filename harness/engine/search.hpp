// SPDX-License-Identifier: MIT
//
// The search: iterative deepening, principal variation search (alpha-beta with null windows), a quiescence search of
// captures that lose nothing, a transposition table, null moves, late move reductions, check extensions.
//
// It is small and knows no clock: the same request visits the same nodes for every method, on every machine. What it
// does between its attack queries is what engines do, so that the caches look as they do in an engine.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>

#include "harness/engine/accumulator_stack.hpp"
#include "harness/engine/engine_api.hpp"
#include "harness/engine/evaluation.hpp"
#include "harness/engine/move.hpp"
#include "harness/engine/move_picker.hpp"
#include "harness/engine/network.hpp"
#include "harness/engine/position_state.hpp"
#include "harness/engine/transposition.hpp"

namespace slidebench::engine {

/// Being mated in n plies scores n - mate_score.
inline constexpr int mate_score = 32'000;
inline constexpr int infinite_score = mate_score + 1;
/// Scores beyond this are mates.
inline constexpr int mate_bound = mate_score - 2 * static_cast<int>(max_search_ply);

inline constexpr unsigned max_search_depth = 64;

/// More than an evaluation differs from the balance of material as a rule.
inline constexpr int lazy_margin = 200;

/// Scores in the table count mates from the position that they belong to, not from the root.
constexpr std::int16_t score_to_hash(int score, unsigned ply) {
  const int distance = static_cast<int>(ply);
  return static_cast<std::int16_t>(score > mate_bound ? score + distance
                                                      : (score < -mate_bound ? score - distance : score));
}
constexpr int score_from_hash(int score, unsigned ply) {
  const int distance = static_cast<int>(ply);
  return score > mate_bound ? score - distance : (score < -mate_bound ? score + distance : score);
}

/// The search of one position. Large (about 200 KiB): make one at a time.
template <class Position>
class Search {
 public:
  /// Counts into `result`. Everything that is referred to outlives the search.
  Search(Position& position, const SearchRequest& request, SearchResult& result)
      : position_(position),
        request_(request),
        result_(result),
        hash_(request.hash, request.hash_clusters, request.hash_generation),
        node_limit_(request.max_nodes == 0 ? UINT64_MAX : result.nodes + request.max_nodes),
        accumulators_(request.network, request.threats, request.accumulators) {}

  RootResult run() {
    RootResult root{};
    if (accumulators_.used()) accumulators_.reset(position_);
    for (root_depth_ = 1; root_depth_ <= request_.depth; ++root_depth_) {
      const int score = search(-infinite_score, infinite_score, static_cast<int>(root_depth_), 0, false);
      if (stopped_) break;
      root = {root_move_, score, root_depth_};
      fold(static_cast<std::uint64_t>(static_cast<std::uint32_t>(score)) << 16 | root_move_.bits());
    }
    return root;
  }

 private:
  /// FNV-1a over 64-bit words.
  void fold(std::uint64_t word) { result_.signature = (result_.signature ^ word) * 0x100000001B3; }

  /// Counts a node. @return false if the search has to stop
  bool enter_node() {
    if (result_.nodes >= node_limit_) stopped_ = true;
    if (stopped_) return false;
    ++result_.nodes;
    return true;
  }

  const HashEntry* probe() {
    position_.observer().probed();
    return hash_.probe(position_.key());
  }

  /// Whether a stored score decides a node with this window.
  static bool decides(const HashEntry& entry, int score, int alpha, int beta) {
    switch (entry.bound) {
      case Bound::exact: return true;
      case Bound::lower: return score >= beta;
      case Bound::upper: return score <= alpha;
      case Bound::none: break;
    }
    return false;
  }

  void store(Move move, int score, std::int16_t evaluation, int depth, Bound bound, unsigned ply) {
    hash_.store(HashEntry{.key = position_.key(),
                          .score = score_to_hash(score, ply),
                          .evaluation = evaluation,
                          .move = move,
                          .depth = static_cast<std::int8_t>(depth),
                          .bound = bound});
  }

  int evaluate() {
    ++result_.evaluations;
    position_.observer().evaluated();
    if (!accumulators_.used()) return evaluate_classical(position_);
    return material_balance(position_) + accumulators_.evaluate(position_);
  }

  /// The static evaluation, from the table if the position is there.
  std::int16_t static_evaluation(const HashEntry* entry) {
    if (entry != nullptr && entry->evaluation != no_evaluation) return entry->evaluation;
    return static_cast<std::int16_t>(evaluate());
  }

  void make(Move move) {
    if (accumulators_.used()) accumulators_.before_make(position_, move);
    position_.make(move);
    hash_.prefetch(position_.key());
    if (accumulators_.used()) accumulators_.after_make(position_, move);
  }
  void unmake(Move move) {
    position_.unmake(move);
    if (accumulators_.used()) accumulators_.unmake();
  }

  bool has_pieces() const {
    const Bitboard pawns_and_king = position_.pieces(PieceType::pawn) | position_.pieces(PieceType::king);
    return (position_.pieces(position_.side()) & ~pawns_and_king) != 0;
  }

  /// What search() and its parts know of their node.
  struct Node {
    int alpha;
    int beta;
    int depth;
    unsigned ply;
    bool in_check;
    bool principal;  ///< the window is open: exact scores are wanted
    std::int16_t evaluation;
  };

  /// The score of the position, `depth` plies deep; exact within the window, else a bound.
  int search(int alpha, int beta, int depth, unsigned ply, bool may_pass) {
    const bool in_check = position_.checkers() != 0;
    if (in_check && ply < 2 * root_depth_) ++depth;
    if (depth <= 0) return quiesce(alpha, beta, ply);
    if (!enter_node()) return 0;
    if (ply > 0) {
      if (position_.is_draw()) return 0;
      if (ply >= max_search_ply) return evaluate();
      // No mate here is shorter than one that is known already.
      alpha = std::max(alpha, static_cast<int>(ply) - mate_score);
      beta = std::min(beta, mate_score - static_cast<int>(ply) - 1);
      if (alpha >= beta) return alpha;
    }
    Node node{alpha, beta, depth, ply, in_check, beta - alpha > 1, no_evaluation};

    const HashEntry* const entry = probe();
    const Move hash_move = entry != nullptr ? entry->move : Move{};
    if (entry != nullptr && !node.principal && entry->depth >= depth) {
      const int score = score_from_hash(entry->score, ply);
      if (decides(*entry, score, alpha, beta)) return score;
    }
    if (!in_check && !node.principal && may_pass && std::abs(beta) < mate_bound) {
      node.evaluation = static_evaluation(entry);
      int score = 0;
      if (prune_node(node, score)) return score;
    }
    return search_moves(node, hash_move);
  }

  /// Whether the side to move is so far ahead that it need not move at all. Sets the score if so.
  bool prune_node(const Node& node, int& score) {
    if (node.depth <= 6 && node.evaluation - 90 * node.depth >= node.beta) {
      score = node.evaluation;
      return true;
    }
    if (node.depth < 3 || node.evaluation < node.beta || !has_pieces()) return false;
    position_.make_null();
    if (accumulators_.used()) accumulators_.make_null(position_);
    score = -search(-node.beta, -node.beta + 1, node.depth - 3 - node.depth / 4, node.ply + 1, false);
    position_.unmake_null();
    if (accumulators_.used()) accumulators_.unmake();
    if (score >= mate_bound) score = node.beta;  // not a proven mate
    return stopped_ || score >= node.beta;
  }

  int search_moves(const Node& node, Move hash_move) {
    MovePicker<Position, GenKind::all> picker(position_, hash_move, killers_[node.ply], history_);
    const Color side = position_.side();
    int alpha = node.alpha;
    int best = -infinite_score;
    Move best_move{};
    int tried = 0;
    std::array<Move, 64> quiets;
    unsigned quiet_count = 0;
    for (Move move = picker.next(); move != Move{}; move = picker.next()) {
      const bool quiet = !is_tactical(position_, move);
      make(move);
      const int score = search_move(node, alpha, tried, quiet);
      unmake(move);
      if (stopped_) return 0;
      ++tried;
      if (score > best) {
        best = score;
        if (score > alpha) {
          best_move = move;
          alpha = score;
          if (node.ply == 0) root_move_ = move;
        }
        if (alpha >= node.beta) {
          if (quiet) reward(side, move, node, quiets.data(), quiet_count);
          break;
        }
      }
      if (quiet && quiet_count < quiets.size()) quiets[quiet_count++] = move;
    }
    if (tried == 0) return node.in_check ? static_cast<int>(node.ply) - mate_score : 0;

    const Bound bound = best >= node.beta ? Bound::lower : (best > node.alpha ? Bound::exact : Bound::upper);
    store(best_move, best, node.evaluation, node.depth, bound, node.ply);
    return best;
  }

  /// Scores the move that has just been made: with the full window if it is the first, else with a null window, less
  /// deep if it comes late, and again when it turns out better than thought.
  int search_move(const Node& node, int alpha, int tried, bool quiet) {
    const int depth = node.depth - 1;
    const unsigned ply = node.ply + 1;
    if (tried == 0) return -search(-node.beta, -alpha, depth, ply, true);
    int score = alpha + 1;
    const int reduction = quiet && !node.in_check ? late_move_reduction(node, tried) : 0;
    if (reduction > 0) score = -search(-alpha - 1, -alpha, depth - reduction, ply, true);
    if (score > alpha) score = -search(-alpha - 1, -alpha, depth, ply, true);
    if (score > alpha && score < node.beta) score = -search(-node.beta, -alpha, depth, ply, true);
    return score;
  }

  /// Plies that a quiet move loses: about the product of the logarithms of depth and of the moves before it.
  static int late_move_reduction(const Node& node, int tried) {
    if (node.depth < 3 || tried < 3) return 0;
    const auto logarithm = [](int n) { return static_cast<int>(std::bit_width(static_cast<unsigned>(n))); };
    const int reduction = logarithm(node.depth) * logarithm(tried) / 4 - (node.principal ? 1 : 0);
    return std::clamp(reduction, 0, node.depth - 2);
  }

  void reward(Color side, Move move, const Node& node, const Move* tried_before, unsigned count) {
    Killers& killers = killers_[node.ply];
    if (killers[0] != move) killers = {move, killers[0]};
    const int bonus = std::min(16 * node.depth * node.depth, 1200);
    history_.reward(side, move, bonus);
    for (unsigned i = 0; i < count; ++i) history_.reward(side, tried_before[i], -bonus);
  }

  /// Only captures that lose nothing and promotions, until none is left that helps; in check, every evasion.
  int quiesce(int alpha, int beta, unsigned ply) {
    if (!enter_node()) return 0;
    if (position_.is_draw()) return 0;
    if (ply >= max_search_ply) return evaluate();
    const HashEntry* const entry = probe();
    if (entry != nullptr) {
      const int score = score_from_hash(entry->score, ply);
      if (decides(*entry, score, alpha, beta)) return score;
    }
    Node node{alpha, beta, 0, ply, position_.checkers() != 0, beta - alpha > 1, no_evaluation};
    const Move hash_move = entry != nullptr ? entry->move : Move{};
    if (node.in_check) return quiesce_moves<GenKind::all>(node, hash_move, -infinite_score);

    if (entry == nullptr || entry->evaluation == no_evaluation) {
      // Material alone decides what no evaluation can bring back: lazy evaluation.
      const int material = material_balance(position_);
      if (material - lazy_margin >= beta) return material - lazy_margin;
    }
    node.evaluation = static_evaluation(entry);
    if (node.evaluation >= beta) {
      if (entry == nullptr) store(Move{}, node.evaluation, node.evaluation, 0, Bound::lower, ply);
      return node.evaluation;
    }
    node.alpha = std::max<int>(alpha, node.evaluation);
    const bool useful = hash_move != Move{} && is_tactical(position_, hash_move);
    return quiesce_moves<GenKind::captures>(node, useful ? hash_move : Move{}, node.evaluation);
  }

  template <GenKind kind>
  int quiesce_moves(const Node& node, Move hash_move, int best) {
    constexpr int margin = 150;  // what a capture may bring beyond the captured piece
    MovePicker<Position, kind> picker(position_, hash_move, killers_[node.ply], history_);
    int alpha = node.alpha;
    Move best_move{};
    bool any = false;
    for (Move move = picker.next(); move != Move{}; move = picker.next()) {
      any = true;
      if (!node.in_check && !move.is_promotion()) {
        const int hope = node.evaluation + margin + value_of(position_.piece_on(move.to()));
        if (hope <= alpha && !move.is_en_passant()) {
          best = std::max(best, hope);
          continue;
        }
      }
      make(move);
      const int score = -quiesce(-node.beta, -alpha, node.ply + 1);
      unmake(move);
      if (stopped_) return 0;
      if (score > best) {
        best = score;
        if (score > alpha) {
          best_move = move;
          alpha = score;
        }
        if (alpha >= node.beta) break;
      }
    }
    if (node.in_check && !any) return static_cast<int>(node.ply) - mate_score;
    const Bound bound = best >= node.beta ? Bound::lower : (best_move != Move{} ? Bound::exact : Bound::upper);
    store(best_move, best, node.evaluation, 0, bound, node.ply);
    return best;
  }

  Position& position_;
  const SearchRequest& request_;
  SearchResult& result_;
  HashTable hash_;
  std::uint64_t node_limit_;
  AccumulatorStack<Position> accumulators_;
  unsigned root_depth_ = 0;
  Move root_move_{};
  bool stopped_ = false;
  std::array<Killers, max_search_ply + 1> killers_{};
  History history_;
};

}  // namespace slidebench::engine
