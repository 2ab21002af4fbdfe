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

/// What is said of a situation, in the same three parts on every surface.
struct AnswerLine {
  std::string what;    ///< the method; or "no significant difference", "equal within 1.0 %", "no answer"
  std::string change;  ///< of time, with its interval: "-5.5 % [-6.4, -4.6]"; empty where no method is named
  std::string rest;    ///< "tied with 15 others"; the detection limit; why there is no answer

  /// "ray_masks_avx2 -5.5 % [-6.4, -4.6], tied with 15 others".
  std::string text() const;
};

/// What a difference has to stand out from to be called one (see judge() in statistics.hpp).
struct Scatter {
  double margin = 0;
  double aa_bound = 0;
  double half = 0;  ///< of the interval behind the verdict, on the log scale

  /// Smaller differences, as a share, do not show. @param narrowed  by this factor the intervals have become narrower
  double unseen(double narrowed = 1) const;
};

/// Where no method may gain more than this share there is nothing to gain; above it a run is too short to say so.
inline constexpr double small_gain = 0.05;

/// One situation and its method.
struct Situation {
  std::string id;  ///< "isolated", "small" (tables of 8 KiB at most, isolated), a pressure, "perft", "engine", ...
  std::string title;
  Cell cell;
  std::optional<std::size_t> limit_bytes;  ///< of tables; absent for any size
  std::string method;                      ///< the best, if it is shown to differ from the reference; else empty
  std::string least;  ///< the method, or where none is shown that with the least ratio; empty where nothing is known
  std::vector<std::string> tied_with;  ///< others that may be the fastest as well, the least ratio first
  std::vector<std::string> near;       ///< those of them within the margin of `least`, whatever the noise
  std::size_t compared = 0;            ///< methods, the reference included
  std::size_t measured = 0;            ///< methods of the whole answer, of which those are some
  std::optional<unsigned> network;     ///< width of the one in the search, or of the one that the replay stands for
  bool searched = false;               ///< an engine searched; else queries are replayed, or perft is counted
  Confidence verdict = Confidence::withheld;
  std::optional<Estimate> ratio;     ///< of `least`: its time over the reference's; the interval allows for the choice
  std::optional<double> most_gain;   ///< the share of time that any method may save, at 95 % for all of them at once
  std::optional<Scatter> scatter;    ///< of `least`
  std::optional<double> resolution;  ///< the detection limit of a typical method in the cell
  /// What asking every query twice adds, as a share of the reference's time: about what an answer that costs nothing
  /// could save at most, where nothing waits for memory. The second query finds its tables in the cache.
  std::optional<double> second_answer;
  std::optional<double> loop_share;  ///< of the reference's time: the loop without any method
  AnswerLine line;
  std::string text;  ///< title and line as a sentence
};

/// The well-known methods and each that an answer names, or all of a run that measured a few; the least time in the
/// situation that decides on top.
struct AnswerTable {
  struct Row {
    std::string method;
    std::optional<std::size_t> table_bytes;
    std::vector<std::optional<double>> ratios;  ///< to the reference, a column a situation; absent where withheld too
    std::vector<bool> sure;                     ///< faster, slower or equivalent beyond doubt
    std::vector<bool> equal;                    ///< equivalent
    std::optional<double> l1d_misses = {};      ///< a query, or a node of a search
  };
  std::vector<std::string> situations;  ///< ids
  std::string misses_of;                ///< the situation in which misses were counted or simulated; empty: in none
  std::string misses_source;            ///< measured or simulated
  std::vector<Row> rows;
};

struct Answer {
  std::string reference;
  std::string trace;     ///< empty where none was replayed
  std::string workload;  ///< of the replay
  std::string deciding;  ///< the situation that is nearest to an engine of today; empty without any
  std::vector<Situation> situations;
  AnswerTable table;
};

/// @param rows    of summary.csv, seen from any reference
/// @param record  run.json. Throws nlohmann::json::exception for one that no run wrote.
Answer make_answer(const std::vector<SummaryRow>& rows, const nlohmann::json& record);

/// Lets a situation decide: the table is sorted by it, and the next step is about it.
void decide_by(Answer& answer, const std::string& situation);

/// What answer.json says of one reference. What is not known is null.
nlohmann::json to_json(const Answer& answer);

}  // namespace slidebench
