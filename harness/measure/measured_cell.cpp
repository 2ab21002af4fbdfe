// SPDX-License-Identifier: MIT
#include "harness/measure/measured_cell.hpp"

#include "harness/base/errors.hpp"
#include "harness/measure/trace_selection.hpp"

namespace slidebench {

MeasuredCell measured_cell(const Cell& names) {
  if (names.workload == perft_workload) return PerftCell{};
  if (names.workload == engine_workload) return SearchCell{parse_engine_form(names.trace)};
  const Workload* workload = find_workload(names.workload);
  if (workload == nullptr) throw UserError("unknown workload '" + names.workload + "'");
  const bool batches = workload->unit == Workload::Unit::slider;
  return ReplayCell{.workload = workload,
                    .trace = names.trace,
                    .kind = batches ? std::nullopt : parse_kind(names.kinds),
                    .sliders = batches ? parse_sliders(names.kinds) : 0,
                    .pressure = parse_pressure(names.pressure)};
}

}  // namespace slidebench
