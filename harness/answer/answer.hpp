// SPDX-License-Identifier: MIT
//
// The answer of a run, in words that a programmer knows: which method for which situation, and how sure that is. The
// terminal, the page and the README show this one and compute nothing of it again.
//
// One rule says which method is best: multiple comparisons with the best (best.hpp), as `bests` of run.json has it.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/statistics/summary.hpp"

namespace slidebench {

/// Sure: no other method can be the fastest at 95 %, and the comparison with the reference is decided too. Unsure:
/// others may be as fast. Withheld: a check failed in the cell, or nothing was compared.
enum class Confidence { sure, unsure, withheld };

/// "sure", "unsure", "withheld".
std::string to_string(Confidence confidence);

/// One situation and its method.
struct Situation {
  std::string id;  ///< "alone", "small" (tables of 8 KiB at most, alone), a pressure, "perft", "engine", ...
  std::string title;
  Cell cell;
  std::optional<std::size_t> limit_bytes;  ///< of tables; absent for any size
  std::string method;                      ///< empty where nothing can be chosen
  std::vector<std::string> tied_with;      ///< others that may be the fastest as well, the least ratio first
  std::vector<std::string> near;           ///< those of them within the margin of the method, whatever the noise
  std::size_t compared = 0;                ///< methods, the reference included
  Confidence verdict = Confidence::withheld;
  std::optional<Estimate> ratio;     ///< the method's time over the reference's, as in summary.csv
  std::optional<double> resolution;  ///< differences below this share do not show in the cell
  /// What asking every query twice adds, as a share of the reference's time: about what an answer that costs nothing
  /// could save at most, where nothing waits for memory. The second query finds its tables in the cache.
  std::optional<double> second_answer;
  std::optional<double> loop_share;  ///< of the reference's time: the loop without any method
  std::string text;
};

/// The well-known methods, or all of a run that measured a few.
struct AnswerTable {
  struct Row {
    std::string method;
    std::optional<std::size_t> table_bytes;
    std::vector<std::optional<double>> ratios;  ///< to the reference, a column a situation; absent where withheld too
    std::vector<bool> sure;                     ///< faster, slower or equivalent beyond doubt
  };
  std::vector<std::string> situations;  ///< ids
  std::vector<Row> rows;
};

struct Answer {
  std::string reference;
  std::string trace;     ///< empty where none was replayed
  std::string workload;  ///< of the replay
  std::vector<Situation> situations;
  AnswerTable table;
};

/// @param rows    of summary.csv
/// @param record  run.json. Throws nlohmann::json::exception for one that no run wrote
Answer make_answer(const std::vector<SummaryRow>& rows, const nlohmann::json& record);

/// answer.json. What is not known is null.
nlohmann::json to_json(const Answer& answer);

}  // namespace slidebench
