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
  bool updates_boards() const { return workload_.kernels == &ReplayKernels::update; }

  const Workload& workload_;
  std::shared_ptr<TraceSelection> selection_;
  std::shared_ptr<PressureBlock> pressure_;
  std::map<std::pair<std::size_t, bool>, std::uint64_t> sums_;  // by segment, and whether for the empty loop
};

}  // namespace slidebench
