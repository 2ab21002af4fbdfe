// SPDX-License-Identifier: MIT
#include "extras/engines/duel/engine_builds.hpp"

#include <unistd.h>
#include <wordexp.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "harness/base/errors.hpp"
#include "harness/base/sha256.hpp"

namespace slidebench::duel {
namespace {

namespace fs = std::filesystem;

std::string reason(int error) {
  switch (error) {
    case WRDE_BADCHAR: return "one of | & ; < > ( ) { } stands outside quotes; write such a command into a script";
    case WRDE_BADVAL: return "a variable in it is not set";
    case WRDE_CMDSUB: return "a command inside it is not carried out";
    case WRDE_SYNTAX: return "a quote or bracket is not closed";
    default: return "it cannot be split into words";
  }
}

/// The name before "=", if the text begins with one.
std::string name_in(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string name = equals == std::string::npos ? "" : text.substr(0, equals);
  constexpr const char* allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+-";
  return name.find_first_not_of(allowed) == std::string::npos ? name : "";
}

/// Where the program's word ends: at the first blank outside quotes.
std::size_t end_of_program(const std::string& command) {
  char quote = 0;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    if (c == '\\' && quote != '\'') {
      ++i;
    } else if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == ' ' || c == '\t') {
      return i;
    }
  }
  return command.size();
}

bool is_pattern(const std::string& program) { return program.find_first_of("*?[") != std::string::npos; }

void check_builds(const std::string& command, const std::vector<std::string>& builds) {
  std::map<std::string, std::string> seen;
  for (const std::string& build : builds) {
    std::error_code error;
    if (!fs::is_regular_file(build, error) || ::access(build.c_str(), X_OK) != 0) {
      throw UserError("engine '" + command + "': " + build +
                      (fs::exists(build, error) ? " is no program; the pattern must match builds alone"
                                                : " matches no file; build it, or check the folder"));
    }
    const auto [other, fresh] = seen.emplace(file_digest(build), build);
    if (!fresh)
      throw UserError("engine '" + command + "': " + other->second + " and " + build +
                      " are the same binary; builds have to differ in placement (slidebench placements)");
  }
}

}  // namespace

std::string file_digest(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  Sha256 digest;
  digest.add(content.data(), content.size());
  return content.empty() ? "" : digest.hex();
}

std::vector<std::string> command_words(const std::string& command) {
  wordexp_t expanded{};
  const int error = wordexp(command.c_str(), &expanded, WRDE_NOCMD | WRDE_UNDEF);
  std::vector<std::string> words;
  if (error == 0) words.assign(expanded.we_wordv, expanded.we_wordv + expanded.we_wordc);
  if (error == 0 || error == WRDE_NOSPACE) wordfree(&expanded);
  if (error != 0) throw UserError("engine '" + command + "': " + reason(error));
  if (words.empty() || words.front().empty()) throw UserError("engine '" + command + "': no program is named");
  return words;
}

EngineSpec read_engine(const std::string& text) {
  EngineSpec spec;
  spec.name = name_in(text);
  spec.command = spec.name.empty() ? text : text.substr(spec.name.size() + 1);
  const std::size_t blank = spec.command.find_first_not_of(" \t");
  const std::string command = blank == std::string::npos ? "" : spec.command.substr(blank);
  const std::string program = command.substr(0, end_of_program(command));
  if (!is_pattern(program)) {
    const std::vector<std::string> words = command_words(command);
    spec.builds = {words.front()};
    spec.arguments.assign(words.begin() + 1, words.end());
    return spec;
  }
  spec.builds = command_words(program);
  check_builds(spec.command, spec.builds);
  const std::string rest = command.substr(program.size());
  if (rest.find_first_not_of(" \t") != std::string::npos) spec.arguments = command_words(rest);
  return spec;
}

Rehearsal rehearse(const EngineSpec& spec, const Conditions& conditions, const engine::PositionState& position,
                   const std::atomic<bool>& stop) {
  Rehearsal found;
  std::uint64_t first = 0;
  const auto search = [&](std::size_t build) {
    UciEngine engine(spec, build, conditions, "", stop);
    const auto start = Clock::now();
    const Turn turn = engine.timed_search(position);
    found.seconds = seconds_since(start);
    found.name = engine.name();
    found.author = engine.author();
    found.lacks.clear();
    for (const char* option : {"Hash", "Threads"}) {
      if (!engine.has_option(option)) found.lacks.emplace_back(option);
    }
    if (found.digests.size() == build)
      found.digests.push_back(file_digest("/proc/" + std::to_string(engine.process().id()) + "/exe"));
    return turn.signature;
  };
  for (std::size_t build = 0; build < spec.builds.size(); ++build) {
    const std::uint64_t tree = search(build);
    if (build == 0) first = tree;
    if (tree == first || search(build) != tree || search(0) != first) continue;
    throw UserError("engine '" + spec.command + "': " + spec.builds[build] + " searches another tree than " +
                    spec.builds[0] + "; builds of one engine differ in placement alone");
  }
  return found;
}

}  // namespace slidebench::duel
