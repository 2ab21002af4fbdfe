// SPDX-License-Identifier: MIT
//
// Work that replays a trace: a workload, on a selection of a trace, under a pressure.
#pragma once

#include <map>
#include <memory>
#include <utility>

#include "harness/plugin/workload.hpp"
#include "harness/pressure/pressure_block.hpp"
#include "harness/timing/trace_selection.hpp"
#include "harness/timing/work.hpp"

namespace slidebench {

class ReplayWork : public Work {
 public:
  /// @param pressure  null for none; shared by all cells of the same pressure, as an engine has one hash table
  ReplayWork(const Workload& workload, std::shared_ptr<TraceSelection> selection,
             std::shared_ptr<PressureBlock> pressure);

  std::size_t windows() const override { return selection_->window_count(); }
  std::size_t pieces(std::size_t window) const override { return at(window).size(); }
  std::uint64_t run(const Arm& arm, std::size_t window, std::size_t piece) override;
  void prepare(const Arm& arm, std::size_t window, double milliseconds) override;
  bool takes(const Arm& arm) const override;
  std::uint64_t expected(const Arm& arm, std::size_t window) override;
  std::uint64_t queries(std::size_t window) const override;
  std::uint64_t nodes(std::size_t window) const override;

 private:
  Window at(std::size_t window) const { return selection_->window(window); }
  bool updates_boards() const { return workload_.kernels == &ReplayKernels::update; }

  const Workload& workload_;
  std::shared_ptr<TraceSelection> selection_;
  std::shared_ptr<PressureBlock> pressure_;
  std::map<std::pair<std::size_t, bool>, std::uint64_t> sums_;  // by window, and whether for the empty loop
};

}  // namespace slidebench
