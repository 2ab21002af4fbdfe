// SPDX-License-Identifier: MIT
#include "extras/engines/duel/uci_protocol.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "harness/base/text.hpp"
#include "harness/base/text_output.hpp"

namespace slidebench::duel {
namespace {

constexpr std::string_view blanks = " \t\r";

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

/// Names and values may have several words: all up to the next keyword.
std::string up_to_keyword(const std::vector<std::string_view>& words, std::size_t& next) {
  constexpr std::array<std::string_view, 6> keywords{"name", "type", "default", "min", "max", "var"};
  std::string text;
  for (; next < words.size() && std::find(keywords.begin(), keywords.end(), words[next]) == keywords.end(); ++next) {
    text += (text.empty() ? "" : " ") + std::string(words[next]);
  }
  return text;
}

/// The score that begins at a word, "cp 31"; empty if it is none, or only a bound.
std::string exact_score(const std::vector<std::string_view>& words, std::size_t at) {
  if (at + 1 >= words.size() || (words[at] != "cp" && words[at] != "mate") || !parse_number<int>(words[at + 1]))
    return {};
  const bool bound = at + 2 < words.size() && (words[at + 2] == "lowerbound" || words[at + 2] == "upperbound");
  return bound ? std::string{} : std::string(words[at]) + ' ' + std::string(words[at + 1]);
}

}  // namespace

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  while (true) {
    const auto begin = line.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return words;
    const auto end = std::min(line.find_first_of(blanks, begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    line.remove_prefix(end);
  }
}

std::optional<UciOption> parse_option(std::string_view line) {
  const std::vector<std::string_view> words = words_of(line);
  if (words.size() < 3 || words[0] != "option" || words[1] != "name") return std::nullopt;
  UciOption option;
  std::size_t next = 2;
  option.name = up_to_keyword(words, next);
  while (next < words.size()) {
    const std::string_view keyword = words[next++];
    const std::string value = up_to_keyword(words, next);
    if (keyword == "type") option.type = value;
    if (keyword == "min") option.min = parse_number<std::int64_t>(value);
    if (keyword == "max") option.max = parse_number<std::int64_t>(value);
    if (keyword == "var") option.choices.push_back(value);
  }
  return option.name.empty() ? std::nullopt : std::optional(option);
}

bool same_option(std::string_view a, std::string_view b) { return lower(a) == lower(b); }

std::string refusal(const UciOption& option, const std::string& value) {
  if (option.type == "check" && value != "true" && value != "false") return "is true or false";
  if (option.type == "button" && !value.empty()) return "is a button and takes no value";
  if (option.type == "combo") {
    const auto same = [&value](const std::string& choice) { return same_option(choice, value); };
    if (std::none_of(option.choices.begin(), option.choices.end(), same))
      return "is one of: " + joined(option.choices, ", ");
  }
  if (option.type == "spin") {
    const std::optional<std::int64_t> n = parse_number<std::int64_t>(value);
    if (!n) return "is a whole number";
    if (option.min && *n < *option.min) return "is at least " + std::to_string(*option.min);
    if (option.max && *n > *option.max) return "is at most " + std::to_string(*option.max);
  }
  return {};
}

void add_info(std::string_view line, SearchReport& report) {
  const std::vector<std::string_view> words = words_of(line);
  if (words.empty() || words[0] != "info") return;
  std::string score;
  for (std::size_t i = 1; i + 1 < words.size() && words[i] != "string"; ++i) {
    const std::string_view value = words[i + 1];
    if (words[i] == "nodes")
      report.nodes = parse_number<std::uint64_t>(value) ? parse_number<std::uint64_t>(value) : report.nodes;
    if (words[i] == "depth") report.depth = parse_number<unsigned>(value).value_or(report.depth);
    if (words[i] == "score") score = exact_score(words, i + 1);
  }
  if (score.empty()) return;
  report.score = score;
  report.course = fold(
      report.course, std::to_string(report.depth) + ' ' + score + ' ' + std::to_string(report.nodes.value_or(0)) + ';');
}

std::optional<std::string> parse_best_move(std::string_view line) {
  const std::vector<std::string_view> words = words_of(line);
  if (words.empty() || words[0] != "bestmove") return std::nullopt;
  return words.size() > 1 ? std::string(words[1]) : std::string{};
}

bool complains_of_option(std::string_view line) {
  const std::string text = lower(line);
  for (const std::string_view complaint :
       {"no such option", "unknown option", "invalid option", "unsupported option"}) {
    if (text.find(complaint) != std::string::npos) return true;
  }
  return false;
}

std::uint64_t fold(std::uint64_t hash, std::string_view bytes) {
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001B3;
  return hash;
}

}  // namespace slidebench::duel
