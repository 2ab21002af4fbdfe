// SPDX-License-Identifier: MIT
#include "extras/model/predict/machine_model.hpp"

#include <algorithm>
#include <cmath>

namespace slidebench {

MachineModel::MachineModel(const OverlapBounds& bounds, const Computation& computation, bool chained, double touch_ns)
    : bounds_(bounds),
      computation_(computation),
      chained_(chained),
      touch_ns_(touch_ns),
      slots_(static_cast<std::size_t>(std::max(1.0, std::round(bounds.reads_in_flight)))) {}

double MachineModel::run(std::span<const QueryCost> queries) {
  for (const QueryCost& query : queries) {
    if (query.touches != 0) touch(query.touches);
    ask(query);
  }
  const double end = std::max({enters_, left_, answered_});
  return queries.empty() ? 0 : end / static_cast<double>(queries.size());
}

/// A branch that cannot be foreseen, how many queries a node asks, stands before the touches: they wait for what is
/// older.
void MachineModel::touch(std::uint32_t lines) {
  enters_ = std::max(enters_, left_);
  enters_ += touch_ns_ * lines;
  left_ = enters_;
}

void MachineModel::ask(const QueryCost& query) {
  const double entered = std::max(enters_, window_opens_for(position_));
  const double known = start_reads(entered, query.ahead_ns, query.ahead_reads) + query.ahead_ns;
  const double operand = chained_ ? std::max(known, answered_) : known;
  const double read = start_reads(operand, query.chain_ns, query.chain_reads) + query.chain_ns;
  if (chained_) answered_ = read + computation_.latency_ns;
  left_ = std::max(left_, chained_ ? answered_ : read);
  in_flight_.push_back({position_, left_});
  position_ += computation_.instructions;
  enters_ = entered + computation_.throughput_ns;
}

/// When the instruction `window` before this position has left. Within a query instructions leave at the rate at which
/// they enter.
double MachineModel::window_opens_for(double position) {
  const double leaver = position - bounds_.window_instructions;
  if (in_flight_.empty() || leaver < in_flight_.front().position) return 0;
  while (in_flight_.size() > 1 && in_flight_[1].position <= leaver) in_flight_.pop_front();
  const double further = (leaver - in_flight_.front().position) / computation_.instructions;
  return in_flight_.front().left + std::min(further, 1.0) * computation_.throughput_ns;
}

/// Takes a slot for each read from when it starts until it ends. Returns when the last one starts.
double MachineModel::start_reads(double ready, double ns, std::uint32_t reads) {
  if (ns <= 0) return ready;
  double start = ready;
  for (std::uint32_t i = 0; i < reads; ++i) {
    start = std::max(start, slots_[next_slot_]);
    slots_[next_slot_] = start + ns;
    next_slot_ = next_slot_ + 1 == slots_.size() ? 0 : next_slot_ + 1;
  }
  return start;
}

}  // namespace slidebench
