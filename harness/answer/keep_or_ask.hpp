// SPDX-License-Identifier: MIT
//
// Keep or ask: whether an engine should keep its attacks from move to move, or ask anew; what a run says of it that
// measured stores and methods side by side. A store that keeps nothing (byte rays) asks anew.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "harness/answer/answer.hpp"

namespace slidebench {

/// One cell's answer.
struct KeepOrAsk {
  enum class Said { keep, ask, undecided } said = Said::undecided;
  Cell cell;
  std::string title;
  std::string kept;   ///< of those that keep attacks the one with the least time
  std::string asked;  ///< and of those that ask anew, methods or not
  Estimate kept_ratio;
  Estimate asked_ratio;  ///< both to the reference asked anew

  /// "ask: the best kept rows_avx512 +38 % [+37, +40], the best asked anew pext -3.0 % [-4.1, -2.0]".
  std::string text() const;
};

/// Of each cell of stores and each engine, in the order of the rows, in which both were compared: keep, if all
/// contenders that may be the fastest keep attacks; ask, if none does. Nothing of a cell in which a check failed.
std::vector<KeepOrAsk> keep_or_ask(const Evidence& run);

nlohmann::json to_json(const KeepOrAsk& one);

}  // namespace slidebench
