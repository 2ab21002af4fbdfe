// SPDX-License-Identifier: MIT
//
// Work that replays a trace: a workload, on a selection of a trace, under a pressure.
#pragma once

#include <map>
#include <memory>
#include <utility>

#include "harness/measure/trace_selection.hpp"
#include "harness/measure/work.hpp"
#include "harness/plugin/workload.hpp"
#include "harness/pressure/pressure_block.hpp"

namespace slidebench {

/// The positive control's known cost are queries that it replays again (see control_share): of each
/// piece the beginning of the one half a segment away, which is as new to caches and branch predictors as any other.
class ReplayWork : public Work {
 public:
  /// @param pressure  null for none; shared by all cells of the same pressure, as an engine has one hash table
  ReplayWork(const Workload& workload, std::shared_ptr<TraceSelection> selection,
             std::shared_ptr<PressureBlock> pressure);

  std::size_t segments() const override { return selection_->segment_count(); }
  std::size_t pieces(std::size_t segment) const override { return at(segment).size(); }
  std::uint64_t run(const Contender& contender, std::size_t segment, std::size_t piece) override;
  void prepare(const Contender& contender, std::size_t segment, double milliseconds) override;
  bool takes(const Contender& contender) const override;
  std::uint64_t expected(const Contender& contender, std::size_t segment) override;
  WorkSize size(std::size_t segment) const override;

 private:
  Segment at(std::size_t segment) const { return selection_->segment(segment); }
  std::uint64_t replay_block(const Contender& contender, const TraceBlock& block) const;
  bool repeats_some(const Contender& contender) const {
    return contender.role == ContenderRole::control && workload_.unit == Workload::Unit::query;
  }
  /// What the control replays again after each piece of a segment.
  const std::vector<TraceBlock>& repeated(std::size_t segment);

  const Workload& workload_;
  std::shared_ptr<TraceSelection> selection_;
  std::shared_ptr<PressureBlock> pressure_;
  std::map<std::pair<std::size_t, ContenderRole>, std::uint64_t> sums_;  // by segment, and whose answers are others
  std::map<std::size_t, std::vector<TraceBlock>> repeated_;              // by segment
};

}  // namespace slidebench
