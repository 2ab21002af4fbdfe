// SPDX-License-Identifier: MIT
#include "harness/statistics/checks.hpp"

#include <algorithm>

#include "harness/base/enum_names.hpp"

namespace slidebench {
namespace {

bool is_inside(const Estimate& e, double least, double most) { return e.low >= least && e.high <= most; }

std::optional<TwinCheck> check_twin(const CellSamples& cell, const std::vector<SummaryRow>& rows,
                                    const Protocol& protocol) {
  const auto find = [&](ContenderRole role) {
    return std::find_if(rows.begin(), rows.end(),
                        [&](const SummaryRow& row) { return row.role == role && row.cell == cell.cell && row.ratio; });
  };
  auto twin = find(ContenderRole::second_twin);
  if (twin == rows.end()) twin = find(ContenderRole::twin);
  if (twin == rows.end()) return std::nullopt;
  const Estimate& ratio = *twin->ratio;
  const double most = 1 + protocol.margin;
  const bool different = twin->judged ? twin->judged->low > most || twin->judged->high < 1 / most
                                      : ratio.low > most || ratio.high < 1 / most;
  const CheckResult result = is_inside(ratio, 1 / most, most) ? CheckResult::passed
                             : different                      ? CheckResult::failed
                                                              : CheckResult::imprecise;
  return TwinCheck{cell.cell, ratio, protocol.margin, result};
}

ControlCheck check_control(const CellSamples& cell, double error, const Protocol& protocol) {
  const std::vector<double> logs =
      values_of(compared(*cell.find(ContenderRole::control), *cell.find(ContenderRole::reference)));
  ControlCheck check{.cell = cell.cell, .ratio = exponential(mean_interval(logs, error, protocol.inference))};
  const bool inside = is_inside(check.ratio, check.expected - control_tolerance, check.expected + control_tolerance);
  const bool found = check.ratio.low <= check.expected + control_uncertainty &&
                     check.expected - control_uncertainty <= check.ratio.high;
  check.result = inside ? CheckResult::passed : found ? CheckResult::imprecise : CheckResult::failed;
  return check;
}

bool has_control(const CellSamples& cell) {
  const ContenderSamples* control = cell.find(ContenderRole::control);
  const ContenderSamples* reference = cell.find(ContenderRole::reference);
  return control != nullptr && reference != nullptr && !log_ratios(*control, *reference).empty();
}

constexpr EnumName<CheckResult> result_names[] = {
    {CheckResult::passed, "passed"}, {CheckResult::imprecise, "imprecise"}, {CheckResult::failed, "failed"}};

}  // namespace

std::string to_string(CheckResult result) { return name_in(result_names, result); }

std::optional<CheckResult> parse_check_result(std::string_view name) { return value_in(result_names, name); }

bool RunChecks::valid() const {
  const auto passed = [](const auto& check) { return check.result == CheckResult::passed; };
  return !twins.empty() && std::all_of(twins.begin(), twins.end(), passed) &&
         std::all_of(controls.begin(), controls.end(), passed);
}

RunChecks check_run(const std::vector<CellSamples>& cells, const std::vector<SummaryRow>& rows,
                    const Protocol& protocol) {
  RunChecks checks;
  const double error = usual_error / static_cast<double>(std::max<std::ptrdiff_t>(
                                         1, std::count_if(cells.begin(), cells.end(), has_control)));
  for (const CellSamples& cell : cells) {
    if (const auto twin = check_twin(cell, rows, protocol)) checks.twins.push_back(*twin);
    if (has_control(cell)) checks.controls.push_back(check_control(cell, error, protocol));
  }
  return checks;
}

}  // namespace slidebench
