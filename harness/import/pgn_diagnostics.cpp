// SPDX-License-Identifier: MIT
#include "harness/import/pgn_diagnostics.hpp"

#include <charconv>

#include "harness/base/text.hpp"

namespace slidebench {
namespace {

/// Reads a number at the front of `text` and cuts it off.
std::optional<std::uint64_t> take_number(std::string_view& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

bool take(std::string_view& text, std::string_view expected) {
  if (!text.starts_with(expected)) return false;
  text.remove_prefix(expected.size());
  return true;
}

std::string_view trim_end(std::string_view text) { return text.substr(0, text.find_last_not_of(" \t\r") + 1); }

}  // namespace

void DiagnosticsParser::add_line(std::string_view line) {
  if (expecting_ == Expecting::name) return reject(line);
  if (expecting_ == Expecting::end_of_board) {
    if (trim_end(line).empty()) expecting_ = Expecting::name;
    return;
  }
  if (is_summary(line)) return;
  std::string_view rest = line;
  if (take(rest, "File stdin: Line number: ")) {
    line_ = take_number(rest);
  } else if (take(rest, "Failed to make move ")) {
    reason_ = "cannot play " + to_utf8(rest.substr(0, rest.find(" in the game")));
    expecting_ = Expecting::end_of_board;
    lost_last_game_ = false;
  } else if (trim_end(line) == "Missing result.") {
    reason_ = "no result after the moves";
    expecting_ = Expecting::name;
    ++missing_results_;
    lost_last_game_ = true;  // unless another line follows before the summary
  } else {
    lost_last_game_ = false;
  }
}

void DiagnosticsParser::reject(std::string_view name) {
  expecting_ = Expecting::anything;
  ++reported_;
  if (named_.size() < max_named_rejections) {
    const std::string game = to_utf8(trim_end(name));
    named_.push_back({source_, line_, game.empty() ? "a game without tags" : game, reason_});
  }
  line_.reset();
}

/// The last line of all: "1 game matched out of 2." It has no space at its end, unlike the name of any game.
bool DiagnosticsParser::is_summary(std::string_view line) {
  const auto printed = take_number(line);
  if (!printed || !(take(line, " games matched out of ") || take(line, " game matched out of "))) return false;
  const auto read = take_number(line);
  if (!read || line != ".") return false;
  printed_ = *printed;
  read_ = *read;
  return true;
}

}  // namespace slidebench
