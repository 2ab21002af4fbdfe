// SPDX-License-Identifier: MIT
#include "harness/import/log_grouping.hpp"

#include <algorithm>

namespace slidebench {
namespace {

/// A node of more queries than this is handed on in parts.
constexpr std::size_t most_held = 4096;

/// Deeper than any search: moves that are never taken back must not fill the memory.
constexpr std::size_t most_visits = 1024;

}  // namespace

void LogGrouping::add(const LogRecord& record) {
  if (record.event == LogEvent::board) return pieces_.board(record.board);
  if (!node_) return begin_log(record);
  switch (record.event) {
    case LogEvent::root: return begin(record.occupied);
    case LogEvent::move: return pieces_.move(record.move);
    case LogEvent::make: return make(record.occupied);
    case LogEvent::unmake: return take_back(record.occupied);
    case LogEvent::null_move: open_visit(true); return pass(0);
    case LogEvent::evaluated: return flag(evaluated_flag);
    case LogEvent::probed: return flag(probed_flag);
    default: return ask(kind_of(record.event), record.square, record.occupied);
  }
}

void LogGrouping::end_log() {
  write_node();
  while (!visits_.empty()) close_visit();
  pieces_.end_log();
}

/// A log begins with the first position that it says anything of.
void LogGrouping::begin_log(const LogRecord& record) {
  const bool is_known = record.event == LogEvent::root || is_query(record.event) || record.occupied != 0;
  if (!is_known) {
    ++counts_.dropped;
    return;
  }
  begin(record.occupied);
  if (is_query(record.event)) add(record);
}

void LogGrouping::begin(Bitboard occupied) {
  while (!visits_.empty()) close_visit();
  open_visit(false);
  const PieceEvent pieces = pieces_.root(occupied);
  enter(NodeEvent::root, occupied, true, pieces);
  home_ = occupied;
}

void LogGrouping::enter(NodeEvent event, Bitboard occupied, bool is_known, const PieceEvent& pieces) {
  write_node();
  node_ = Node{occupied, static_cast<NodeTag>(event), is_known, false, pieces_.sliders(occupied), pieces};
}

void LogGrouping::move(NodeEvent event, Bitboard occupied, const PieceEvent& pieces) {
  if (pieces_.are_told()) occupied = pieces_.occupied();
  const bool is_known = occupied != 0;
  enter(event, is_known ? occupied : node_->occupied, is_known, pieces);
  home_ = is_known ? std::optional(occupied) : std::nullopt;
}

void LogGrouping::make(Bitboard occupied) {
  open_visit(false);
  move(NodeEvent::make, occupied, pieces_.make(occupied));
}

/// A null move, or its end: the occupancy stays the position's.
void LogGrouping::pass(Bitboard occupied) {
  pieces_.pass(occupied);
  enter(NodeEvent::null_move, home_.value_or(node_->occupied), home_.has_value());
}

void LogGrouping::take_back(Bitboard occupied) {
  const bool was_null = visits_.back().is_null;
  if (visits_.size() > 1) close_visit();
  was_null ? pass(occupied) : move(NodeEvent::unmake, occupied, pieces_.unmake(occupied));
}

void LogGrouping::flag(NodeTag bit) {
  counts_.evaluations += bit == evaluated_flag;
  const bool again = (node_->tag & bit) != 0 || node_->is_begun;
  if (again) enter(NodeEvent::null_move, node_->occupied, node_->is_known);
  node_->tag |= bit;
}

void LogGrouping::ask(QueryKind kind, Square square, Bitboard occupied) {
  if (!node_->is_known) {
    home_ = node_->occupied = occupied;
    node_->is_known = true;
  } else if (occupied != node_->occupied) {
    ++counts_.occupancy_changes;
    enter(occupied == home_ ? NodeEvent::unmake : NodeEvent::make, occupied, true);
  }
  ++counts_.queries;
  if (merge(kind, square)) return;
  ++visits_.back().calls;
  held_.push_back({encode_query(kind, square), counts_.queries});
  if (held_.size() >= most_held + merge_both_) hand_on(most_held);
}

/// Makes a `both` of this query and its other half, if that was asked of this node a short while ago.
bool LogGrouping::merge(QueryKind kind, Square square) {
  if (kind != QueryKind::bishop && kind != QueryKind::rook) return false;
  const QueryCode half = encode_query(kind == QueryKind::bishop ? QueryKind::rook : QueryKind::bishop, square);
  for (auto held = held_.rbegin(); held != held_.rend() && counts_.queries - held->number <= merge_both_; ++held) {
    if (held->code != half) continue;
    held->code = encode_query(QueryKind::both, square);
    ++counts_.merged;
    return true;
  }
  return false;
}

/// Hands on the first of the node's queries.
void LogGrouping::hand_on(std::size_t queries) {
  codes_.clear();
  for (std::size_t i = 0; i < queries; ++i) codes_.push_back(held_[i].code);
  held_.erase(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(queries));
  const auto more = static_cast<NodeTag>(static_cast<NodeTag>(NodeEvent::null_move) | continued_flag);
  if (node_->is_begun) {
    sink_(node_->occupied, more, node_->sliders, codes_, {});
  } else {
    sink_(node_->occupied, node_->tag, node_->sliders, codes_, node_->pieces);
  }
  node_->is_begun = true;
}

void LogGrouping::write_node() {
  if (!node_) return;
  if (!node_->is_known) ++counts_.unknown_occupancies;
  if (!held_.empty() || !node_->is_begun) hand_on(held_.size());
  node_.reset();
}

void LogGrouping::open_visit(bool is_null) {
  if (visits_.size() == most_visits) {
    calls_per_visit_.add(visits_.front().calls);
    visits_.pop_front();
  }
  visits_.push_back({is_null, 0});
}

void LogGrouping::close_visit() {
  calls_per_visit_.add(visits_.back().calls);
  visits_.pop_back();
}

}  // namespace slidebench
