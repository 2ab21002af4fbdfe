// SPDX-License-Identifier: MIT
#include "harness/measure/replay_work.hpp"

#include <chrono>
#include <cmath>

#include "harness/plugin/replay_moves.hpp"
#include "harness/statistics/checks.hpp"
#include "methods/calculation/ray_walk.hpp"
#include "methods/empty.hpp"

namespace slidebench {
namespace {

using Clock = std::chrono::steady_clock;

/// The host's own kernels: the oracle's, and the empty loop's, whose answers are no attack sets.
template <AttackMethod M>
constexpr ReplayKernels host_kernels{
    .throughput = {[](const TraceBlock& b) { return replay<M, Dependence::independent>(b); }, nullptr, nullptr},
    .latency = {[](const TraceBlock& b) { return replay<M, Dependence::independent>(b); }, nullptr, nullptr},
    .setwise = {[](const TraceBlock& b) { return replay_sets<M>(b); }, nullptr, nullptr},
    .batch = {[](const TraceBlock& b) { return replay_batches<M>(b); }, nullptr, nullptr},
    .update = {[](const TraceBlock& b) { return replay_moves<MethodLine<M>>(b); }, nullptr, nullptr}};

/// The first nodes of a block, with so large a share of its queries.
TraceBlock beginning_of(TraceBlock block, double share) {
  const auto enough = static_cast<std::uint32_t>(std::lround(share * block.queries));
  const std::uint32_t nodes = block.nodes;
  block.nodes = block.queries = 0;
  while (block.nodes < nodes && block.queries < enough) block.queries += queries_in(block.runs[block.nodes++]);
  return block;
}

}  // namespace

ReplayWork::ReplayWork(const Workload& workload, std::shared_ptr<TraceSelection> selection,
                       std::shared_ptr<PressureBlock> pressure)
    : workload_(workload), selection_(std::move(selection)), pressure_(std::move(pressure)) {}

std::uint64_t ReplayWork::run(const Contender& contender, std::size_t segment, std::size_t piece) {
  const std::uint64_t sum = replay_block(contender, at(segment)[piece]);
  return repeats_some(contender) ? sum + replay_block(contender, repeated(segment)[piece]) : sum;
}

std::uint64_t ReplayWork::replay_block(const Contender& contender, const TraceBlock& block) const {
  const WorkloadKernels& kernels = workload_.of(contender.plugin->descriptor());
  if (!pressure_) return kernels.alone(block);
  return (pressure_->works() ? kernels.with_work : kernels.with_pressure)(block, pressure_->hook());
}

const std::vector<TraceBlock>& ReplayWork::repeated(std::size_t segment) {
  std::vector<TraceBlock>& blocks = repeated_[segment];
  const Segment pieces = at(segment);
  for (std::size_t piece = blocks.size(); piece < pieces.size(); ++piece) {
    blocks.push_back(beginning_of(pieces[(piece + pieces.size() / 2) % pieces.size()], control_share));
  }
  return blocks;
}

void ReplayWork::prepare(const Contender& contender, std::size_t segment, double milliseconds) {
  const auto end = Clock::now() + std::chrono::duration<double, std::milli>(milliseconds);
  std::size_t piece = 0;
  do {
    run(contender, segment, piece++ % pieces(segment));
  } while (Clock::now() < end);
}

bool ReplayWork::takes(const Contender& contender) const {
  if (contender.plugin == nullptr) return false;
  const PluginDescriptor& descriptor = contender.plugin->descriptor();
  if (workload_.of(descriptor).alone == nullptr) return false;  // a build has not all kernels of all
  // Of moves and attackers the loop without a method is no floor: its answers are no attack sets.
  if (contender.role == ContenderRole::empty && workload_.needs_pieces) return false;
  // Of the methods without a board of their own, which keep nothing, one says it for all.
  if (workload_.name == "update" && contender.role == ContenderRole::method) {
    return descriptor.board.has_state;
  }
  return true;
}

std::uint64_t ReplayWork::expected(const Contender& contender, std::size_t segment) {
  const bool empty = contender.role == ContenderRole::empty, more = repeats_some(contender);
  const std::pair key{segment, empty || more ? contender.role : ContenderRole::reference};
  const auto known = sums_.find(key);
  if (known != sums_.end()) return known->second;
  const ReplayKernels& kernels = empty ? host_kernels<Empty> : host_kernels<RayWalk>;
  const ReplayKernel oracle = workload_.oracle ? workload_.oracle : workload_.kernels(kernels, nullptr).alone;
  std::uint64_t sum = 0;
  if (more) {
    for (const TraceBlock& block : repeated(segment)) sum += oracle(block);
  }
  for (const TraceBlock& block : at(segment)) sum += oracle(block);
  return sums_[key] = sum;
}

WorkSize ReplayWork::size(std::size_t segment) const {
  WorkSize size;
  for (const TraceBlock& block : at(segment)) {
    size.queries += queries_of(workload_, block);
    size.nodes += block.nodes;
  }
  return size;
}

}  // namespace slidebench
