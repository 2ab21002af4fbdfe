// SPDX-License-Identifier: MIT
#include "harness/statistics/cell.hpp"

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

}  // namespace slidebench
