// SPDX-License-Identifier: MIT
#include "harness/run/race.hpp"

#include <fmt/core.h>

#include "harness/plugin/known_methods.hpp"
#include "harness/run/cells.hpp"

namespace slidebench {
namespace {

/// Those of the contenders that may be the fastest of them.
std::set<std::string> staying(const std::map<std::string, ByProcessRun>& contenders) {
  std::vector<ByProcessRun> log_ratios;
  for (const auto& [name, values] : contenders) log_ratios.push_back(values);
  const std::vector<bool> stays = stay_in_race(common_process_runs(log_ratios), leaving_error);
  std::set<std::string> names;
  std::size_t i = 0;
  for (const auto& [name, values] : contenders) {
    if (stays[i++]) names.insert(name);
  }
  return names;
}

std::set<std::string> leavers_of(const CellSamples& cell, const RunFacts& facts) {
  const ContenderSamples* reference = cell.find(ContenderRole::reference);
  if (reference == nullptr) return {};
  std::set<std::string> methods, stay;
  for (const auto& [name, contender] : cell.contenders) {
    if (contender.first.role == ContenderRole::method) methods.insert(name);
  }
  for (const std::string& name : known_methods(methods)) stay.insert(name);
  for (const std::optional<std::size_t>& limit : table_limits) {
    std::map<std::string, ByProcessRun> admitted;
    for (const auto& [name, contender] : cell.contenders) {
      const bool compared = methods.contains(name) || &contender == reference;
      if (!compared || !fits(table_bytes_of(facts, contender.first.method), limit)) continue;
      admitted[name] = pseudo_values(log_ratios(contender, *reference));
    }
    stay.merge(staying(admitted));
  }
  std::erase_if(methods, [&stay](const std::string& name) { return stay.contains(name); });
  return methods;
}

}  // namespace

RaceLeavers leave_race(const std::vector<CellSamples>& first_stage, const RunFacts& facts) {
  RaceLeavers leavers;
  for (const CellSamples& cell : first_stage) {
    leavers[cell.cell] = leavers_of(cell, facts);
  }
  return leavers;
}

std::string race_note(const RaceLeavers& leavers, unsigned process_runs) {
  std::string left;
  for (const auto& [cell, names] : leavers) {
    if (!names.empty()) left += fmt::format("{}{} in {}", left.empty() ? "" : "; ", names.size(), to_string(cell));
  }
  if (left.empty()) return "";
  return fmt::format(
      "methods that could not be the best were dropped after {} process runs, to save time ({}); their intervals are "
      "wider, and rank correlations are of these process runs",
      process_runs, left);
}

}  // namespace slidebench
