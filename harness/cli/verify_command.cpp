// SPDX-License-Identifier: MIT
//
// slidebench verify: verification, from the command line; and a method's answers, for trying things out.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "harness/base/errors.hpp"
#include "harness/base/json_optional.hpp"
#include "harness/base/terminal.hpp"
#include "harness/base/text.hpp"
#include "harness/base/text_output.hpp"
#include "harness/chess/squares.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/numbers.hpp"
#include "harness/cli/shared_options.hpp"
#include "harness/plugin/method_selection.hpp"
#include "harness/plugin/module_check.hpp"
#include "harness/plugin/verification.hpp"
#include "harness/run/protocol_options.hpp"
#include "harness/trace/reader.hpp"

namespace slidebench {
namespace {

using nlohmann::json;

void print(const Plugin& method, const ModuleVerdict& verdict, int columns) {
  const Ink ink = output_ink();
  const std::string word = verdict.failure ? ink.bad("WRONG") : ink.good("right");
  std::printf("%-*s  %s  %s  %s answers compared", columns, method.info().id, method.level().c_str(), word.c_str(),
              with_commas(verdict.answers).c_str());
  if (verdict.nodes > 0) std::printf(", and %s nodes of the engine", with_commas(verdict.nodes).c_str());
  std::printf("\n");
  std::fflush(stdout);
}

json to_json(const Plugin& method, const ModuleVerdict& verdict) {
  return {{"id", method.id()},          {"level", method.level()}, {"right", !verdict.failure},
          {"answers", verdict.answers}, {"nodes", verdict.nodes},  {"failure", verdict.failure}};
}

void verify(const MethodOptions& options, const VerificationOptions& verification, double limit_seconds, bool as_json) {
  const MethodSelection selection = select_methods(options, Prepare::loaded);
  const int columns = id_columns(selection);
  std::size_t checked = 0;
  std::vector<std::string> failures;
  json verdicts = json::array();
  for (const Plugin& method : selection.methods) {
    if (is_baseline(method)) continue;
    const ModuleVerdict verdict = check_module(method, verification, limit_seconds);
    ++checked;
    if (as_json) {
      verdicts.push_back(to_json(method, verdict));
    } else {
      print(method, verdict, columns);
    }
    if (verdict.failure) failures.push_back(*verdict.failure);
  }
  if (as_json) {
    std::cout << json{{"methods", verdicts}, {"skipped", selection.skipped}}.dump(2) << std::endl;
  } else {
    for (const Skipped& one : selection.skipped)
      std::printf("%-*s  skipped: %s\n", columns, one.id.c_str(), one.why.c_str());
  }
  if (!failures.empty()) throw CheckFailed(joined(failures, "; "));
  if (checked == 0 && !options.skip_unrunnable)
    throw UserError("nothing to verify: name a method that gives attack sets and that this CPU can run");
}

/// Refuses a trace that nobody can follow, before any is verified.
void check_trace(const std::string& path) {
  if (path.empty() || Trace::open(path).has_pieces()) return;
  throw UserError("--trace " + path + ": it does not tell the pieces; build one of games or searches");
}

/// A line of input: "rook e4 0x00ff...".
struct Question {
  std::string piece;
  Square square;
  Bitboard occupied;
};

[[noreturn]] void refuse(std::size_t line, const std::string& what) {
  throw UserError("standard input, line " + std::to_string(line) + ": " + what);
}

Bitboard parse_occupancy(const std::string& text, std::size_t line) {
  const bool marked = (text.starts_with("0x") || text.starts_with("0X")) && text.size() <= 18;
  const auto occupied = marked ? parse_number<Bitboard>(text.substr(2), 16) : std::nullopt;
  if (!occupied) refuse(line, "'" + text + "' is no occupancy; write 0x and up to 16 hexadecimal digits, a1 is bit 0");
  return *occupied;
}

Question parse_question(const std::string& text, std::size_t line) {
  std::istringstream words(text);
  std::string piece, square, occupied, rest;
  words >> piece >> square >> occupied;
  if (occupied.empty() || words >> rest)
    refuse(line, "write PIECE SQUARE OCCUPANCY, such as: rook e4 0xffff00000000ffff");
  if (piece != "bishop" && piece != "rook" && piece != "queen" && piece != "both") {
    refuse(line, "'" + piece + "' is no slider; write bishop, rook, queen or both");
  }
  const std::optional<Square> asked = parse_square(square);
  if (!asked) refuse(line, "'" + square + "' is no square; write a1 to h8");
  return {piece, *asked, parse_occupancy(occupied, line)};
}

void answer(const Question& q, const OccupancyQueries& queries) {
  const auto print = [](Bitboard b, char end) { std::printf("0x%016llx%c", static_cast<unsigned long long>(b), end); };
  if (q.piece == "both") {
    const BishopRook sets = queries.both(q.square, q.occupied);
    print(sets.bishop, ' ');
    print(sets.rook, '\n');
    return;
  }
  const auto query = q.piece == "bishop" ? queries.bishop : q.piece == "rook" ? queries.rook : queries.queen;
  print(query(q.square, q.occupied), '\n');
}

/// Answers the queries of standard input, a line each, by a line 0x%016x; of `both`, which asks for the bishop's and
/// the rook's set, two of them.
void answer_queries(const Plugin& method) {
  std::string text;
  for (std::size_t line = 1; std::getline(std::cin, text); ++line) {
    if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
    answer(parse_question(text, line), method.descriptor().queries);
  }
  if (std::cin.bad()) throw UserError("cannot read standard input");
}

/// Verifies nothing: the method answers queries of standard input.
void answer_with(const MethodOptions& options) {
  const MethodSelection selection = select_methods(options);
  if (options.methods.size() != 1 || selection.methods.size() != 1) {
    throw UserError("--stdin takes one --method, not a group");
  }
  const Plugin& method = selection.methods.front();
  if (is_baseline(method)) throw UserError("method " + method.id() + " gives no attack sets; name another");
  answer_queries(method);
}

}  // namespace

void add_verify_command(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("verify", "Checks methods against the oracle, single queries exhaustively");
  auto options = std::make_shared<MethodOptions>();
  auto verification = std::make_shared<VerificationOptions>();
  auto limit = std::make_shared<std::string>("10m");
  auto as_json = std::make_shared<bool>(false);
  auto answers = std::make_shared<bool>(false);
  add_method_options(*command, *options);
  seeds(command->add_option("--seed", verification->seed, "Seed of the random boards"))->capture_default_str();
  counts(command->add_option("--boards", verification->random_boards, "How many random boards"), 0)
      ->capture_default_str();
  counts(command->add_option(
             "--joint-every", verification->joint_every,
             "Ask queens every Nth of the joint occupancies of their lines alone; 1: all, which proves them"),
         1, std::uint64_t{1} << 20)
      ->capture_default_str();
  command
      ->add_option("--trace", verification->trace,
                   "A trace that tells the pieces, which modules of extras follow as well")
      ->type_name("FILE");
  durations(command->add_option("--time-limit", *limit, "A method that takes longer is ended, and counts as wrong"))
      ->capture_default_str();
  command->add_flag("--if-runnable", options->skip_unrunnable, "Skip a named method that this CPU cannot run");
  command->add_flag("--json", *as_json, "The verdicts as JSON");
  command
      ->add_flag("--stdin", *answers,
                 "Verify nothing; answer queries of standard input, lines such as \"rook e4 0xffff00000000ffff\" of "
                 "bishop, rook, queen or both")
      ->excludes("--json");
  command->footer(
      "Enumerated: bishops and rooks on every occupancy of their lines; queens, and both sliders at once, on every "
      "joint\n"
      "relevant occupancy (6,946,816). Sampled: what stands on other squares, random boards, sets of sliders, batches, "
      "the\n"
      "board along a real game; the module's engine, by published perft counts and a search. Each module in a process\n"
      "of its own: one that crashes is named, and the others go on. Exit status 1 and a counter-example if an answer "
      "is wrong.\n\n"
      "Example:\n  slidebench verify --method magic_fancy --method pext\n"
      "  slidebench verify --method family:magic --json\n"
      "  echo rook e4 0xffff00000000ffff | slidebench verify --method magic_fancy --stdin");
  command->callback([options, verification, limit, as_json, answers] {
    if (*answers) return answer_with(*options);
    check_trace(verification->trace);
    verify(*options, *verification, parse_duration("--time-limit", *limit), *as_json);
  });
  program.add_subcommand("check-module", "Internal: one module's process of verify")
      ->group("")
      ->callback(serve_module_check);
}

}  // namespace slidebench
