// SPDX-License-Identifier: MIT
#include "harness/statistics/cell.hpp"

#include <nlohmann/json.hpp>

namespace slidebench {

std::string to_string(const Cell& cell) {
  const Cell usual;
  std::string text = cell.workload;
  if (cell.kinds != usual.kinds) text += " of " + cell.kinds;
  text += ", trace " + cell.trace + ", " + cell.pressure;
  if (cell.pages != usual.pages) text += ", pages of " + cell.pages;
  if (cell.corunners == 1) text += ", 1 co-runner";
  if (cell.corunners > 1) text += ", " + std::to_string(cell.corunners) + " co-runners";
  return text;
}

nlohmann::json to_json(const Cell& cell) {
  return {{"workload", cell.workload}, {"kinds", cell.kinds}, {"trace", cell.trace},
          {"pressure", cell.pressure}, {"pages", cell.pages}, {"corunners", cell.corunners}};
}

Cell cell_from_json(const nlohmann::json& json) {
  Cell cell;
  json.at("workload").get_to(cell.workload);
  json.at("kinds").get_to(cell.kinds);
  json.at("trace").get_to(cell.trace);
  json.at("pressure").get_to(cell.pressure);
  json.at("pages").get_to(cell.pages);
  json.at("corunners").get_to(cell.corunners);
  return cell;
}

}  // namespace slidebench
