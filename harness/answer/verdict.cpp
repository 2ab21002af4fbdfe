// SPDX-License-Identifier: MIT
#include "harness/answer/verdict.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "harness/answer/words.hpp"
#include "harness/base/errors.hpp"
#include "harness/base/text_output.hpp"

namespace slidebench {
namespace {

/// Of the wider networks first; situations without any come last.
const Situation* widest(const std::vector<Situation>& all, const std::function<bool(const Situation&)>& wanted) {
  const Situation* best = nullptr;
  for (const Situation& situation : all) {
    if (wanted(situation) && (best == nullptr || situation.network > best->network)) best = &situation;
  }
  return best;
}

const Situation* situation_of(const std::string& id, const std::vector<Situation>& all) {
  const auto is = [&all](const std::function<bool(const Situation&)>& wanted) { return widest(all, wanted); };
  if (id == "perft") return is([](const Situation& s) { return s.id == "perft"; });
  if (id == "loop") return is([](const Situation& s) { return s.id == "isolated"; });
  const auto fits = [&id](const Situation& s) { return s.network && (*s.network > 0) == (id == "network"); };
  const Situation* searched = is([&](const Situation& s) { return fits(s) && s.searched; });
  return searched != nullptr ? searched : is(fits);
}

std::string compared_text(const Situation& situation) {
  const std::string of = situation.measured > situation.compared ? fmt::format(" of {}", situation.measured) : "";
  return fmt::format(" ({}{} methods compared)", situation.compared, of);
}

/// "pext is 8.0 % to 10 % faster than magic_fancy, tied with 3 others".
std::string faster_text(const Situation& situation, const std::string& reference) {
  const Estimate& ratio = *situation.ratio;
  std::string text = situation.method + " is ";
  text += has_interval(ratio) ? percent(1 - ratio.high) + " to " + percent(1 - ratio.low) : percent(1 - ratio.value);
  text += " faster than " + reference;
  const std::size_t tied = situation.tied_with.size();
  if (tied == 0) return text;
  return fmt::format("{}, tied with {} other{}", text, tied, tied == 1 ? "" : "s");
}

std::string text_of(const Situation& situation, const std::string& reference) {
  if (situation.verdict == Confidence::withheld) return "no answer: " + situation.line.rest;
  const bool faster = !situation.method.empty() && situation.method != reference && situation.ratio->value < 1;
  if (faster) return faster_text(situation, reference) + compared_text(situation);
  if (situation.method == reference) return "no method is faster: keep " + reference + compared_text(situation);
  if (!situation.most_gain) return "no difference is significant: keep " + reference + compared_text(situation);
  if (*situation.most_gain <= small_gain)
    return "nothing to gain (at most " + percent(*situation.most_gain) + "): keep " + reference +
           compared_text(situation);
  return "no difference is significant; a gain of up to " + percent(*situation.most_gain) + " is not excluded" +
         compared_text(situation);
}

/// The column of a situation in the table; absent where it has none.
std::optional<std::size_t> column_of(const AnswerTable& table, const std::string& id) {
  const auto found = std::find(table.situations.begin(), table.situations.end(), id);
  if (found == table.situations.end()) return std::nullopt;
  return static_cast<std::size_t>(found - table.situations.begin());
}

}  // namespace

std::vector<std::string> verdict_ids() { return {"network", "classical", "perft", "loop"}; }

std::vector<VerdictLine> verdict_of(const Answer& answer) {
  std::vector<VerdictLine> lines;
  for (const std::string& id : verdict_ids()) {
    const Situation* const situation = situation_of(id, answer.situations);
    if (situation == nullptr) continue;
    const bool faster = situation->ratio && situation->ratio->value < 1 && situation->method != answer.reference;
    lines.push_back(
        {id, situation->id, situation->title, text_of(*situation, answer.reference), faster ? situation->method : ""});
  }
  return lines;
}

std::string own_line(Answer& answer, const std::string& wanted) {
  const std::vector<VerdictLine> lines = verdict_of(answer);
  if (wanted.empty() && lines.empty()) return "";
  const auto found =
      std::find_if(lines.begin(), lines.end(), [&](const VerdictLine& l) { return wanted.empty() || l.id == wanted; });
  if (found == lines.end()) {
    const std::string there = joined(lines, ", ", [](const VerdictLine& line) { return line.id; });
    throw UserError("--my " + wanted + ": this run measured none; it has " + (there.empty() ? "nothing" : there));
  }
  decide_by(answer, found->situation);
  return found->id;
}

std::vector<std::string> disagreements(const Answer& answer) {
  std::vector<std::string> sentences;
  for (const Situation& search : answer.situations) {
    if (!search.searched || !search.network) continue;
    const auto replay = std::find_if(answer.situations.begin(), answer.situations.end(),
                                     [&](const Situation& s) { return !s.searched && s.network == search.network; });
    if (replay == answer.situations.end()) continue;
    const auto a = column_of(answer.table, search.id), b = column_of(answer.table, replay->id);
    if (!a || !b) continue;
    std::size_t both = 0, apart = 0;
    for (const AnswerTable::Row& row : answer.table.rows) {
      if (row.method == answer.reference || !row.ratios[*a] || !row.ratios[*b]) continue;
      ++both;
      apart += (*row.ratios[*a] < 1) != (*row.ratios[*b] < 1) ? 1 : 0;
    }
    if (apart > 0)
      sentences.push_back("For " + std::to_string(apart) + " of " + std::to_string(both) + " methods the replay " +
                          replay->id + " and the search lie on different sides of " + answer.reference +
                          ": the search counts.");
  }
  return sentences;
}

void to_json(nlohmann::json& json, const VerdictLine& line) {
  json = {{"id", line.id},
          {"situation", line.situation},
          {"title", line.title},
          {"text", line.text},
          {"method", line.method.empty() ? nlohmann::json() : nlohmann::json(line.method)}};
}

}  // namespace slidebench
