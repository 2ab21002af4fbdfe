// SPDX-License-Identifier: MIT
#include "harness/answer/keep_or_ask.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/answer/words.hpp"

namespace slidebench {
namespace {

using nlohmann::json;

std::set<std::string> keepers_of(const json& record) {
  std::set<std::string> keepers;
  for (const json& method : record.value("methods", json::array())) {
    if (method.value("state_bytes", 0) > 0) keepers.insert(method.value("id", ""));
  }
  return keepers;
}

bool asks(const Cell& cell) {
  const ReplayCell* replay = cell.replay();
  if (replay == nullptr) return cell.search() != nullptr || cell.is_perft();
  return replay->workload->needs_pieces() && replay->workload->kernels != &ReplayKernels::update;
}

std::vector<Cell> cells_of(const Evidence& run) {
  std::vector<Cell> cells;
  for (const SummaryRow& row : run.rows) {
    const bool known = std::find(cells.begin(), cells.end(), row.cell) != cells.end();
    if (asks(row.cell) && !known) cells.push_back(row.cell);
  }
  return cells;
}

/// The row with the least time in a cell, of those that keep or of the others; null without one.
const SummaryRow* least_of(const Evidence& run, const Cell& cell, const std::set<std::string>& keepers, bool kept) {
  const SummaryRow* least = nullptr;
  for (const SummaryRow& row : run.rows) {
    const bool compared = row.role == ContenderRole::method || row.role == ContenderRole::reference;
    if (!(row.cell == cell) || !compared || !row.ratio || keepers.contains(row.contender) != kept) continue;
    if (least == nullptr || row.ratio->value < least->ratio->value) least = &row;
  }
  return least;
}

/// Whether a check failed in a cell: then nothing is said of it.
bool is_doubtful(const Evidence& run, const Cell& cell) {
  const json checks = run.record.value("checks", json::object());
  for (const char* kind : {"twin", "control"}) {
    for (const json& check : checks.value(kind, json::array())) {
      if (check.at("result") == "failed" && check.at("cell").get<Cell>() == cell) return true;
    }
  }
  return std::any_of(run.rows.begin(), run.rows.end(),
                     [&](const SummaryRow& row) { return row.cell == cell && row.verdict == Verdict::void_cell; });
}

/// Those that may be the fastest of a cell; none if the run compared none.
std::vector<std::string> fastest_of(const json& record, const Cell& cell) {
  for (const json& best : record.value("bests", json::array())) {
    if (best.at("cell").get<Cell>() == cell && best.at("limit_bytes").is_null()) {
      return best.at("contenders").get<std::vector<std::string>>();
    }
  }
  return {};
}

constexpr const char* name_of(KeepOrAsk::Said said) {
  switch (said) {
    case KeepOrAsk::Said::keep: return "keep";
    case KeepOrAsk::Said::ask: return "ask";
    case KeepOrAsk::Said::undecided: break;
  }
  return "not decided";
}

std::string with_change(const std::string& name, const Estimate& ratio) {
  return ratio.low == 1 && ratio.high == 1 ? name : name + " " + change_of(ratio);
}

}  // namespace

std::string KeepOrAsk::text() const {
  return std::string(name_of(said)) + ": the best kept " + with_change(kept, kept_ratio) + ", the best asked anew " +
         with_change(asked, asked_ratio);
}

std::vector<KeepOrAsk> keep_or_ask(const Evidence& run) {
  const std::set<std::string> keepers = keepers_of(run.record);
  std::vector<KeepOrAsk> answers;
  for (const Cell& cell : cells_of(run)) {
    const SummaryRow* kept = least_of(run, cell, keepers, true);
    const SummaryRow* asked = least_of(run, cell, keepers, false);
    const std::vector<std::string> fastest = fastest_of(run.record, cell);
    if (kept == nullptr || asked == nullptr || fastest.empty() || is_doubtful(run, cell)) continue;
    const auto keeps = [&](const std::string& name) { return keepers.contains(name); };
    KeepOrAsk::Said said = KeepOrAsk::Said::undecided;
    if (std::all_of(fastest.begin(), fastest.end(), keeps)) said = KeepOrAsk::Said::keep;
    if (std::none_of(fastest.begin(), fastest.end(), keeps)) said = KeepOrAsk::Said::ask;
    answers.push_back({said, cell, title_of(cell), kept->contender, asked->contender, *kept->ratio, *asked->ratio});
  }
  return answers;
}

json to_json(const KeepOrAsk& one) {
  const auto estimate = [](const Estimate& ratio) {
    const auto number = [](double value) { return std::isfinite(value) ? json(value) : json(); };
    return json{{"ratio", number(ratio.value)}, {"low", number(ratio.low)}, {"high", number(ratio.high)}};
  };
  return {{"cell", one.cell},
          {"title", one.title},
          {"said", name_of(one.said)},
          {"kept", one.kept},
          {"kept_ratio", estimate(one.kept_ratio)},
          {"asked", one.asked},
          {"asked_ratio", estimate(one.asked_ratio)},
          {"text", one.text()}};
}

}  // namespace slidebench
