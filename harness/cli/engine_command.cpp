// SPDX-License-Identifier: MIT
//
// slidebench engine: searches positions with the methods' engines, once each, and shows that they agree. For speeds
// with intervals there is `slidebench run --workload engine`.
#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "harness/base/emulator.hpp"
#include "harness/base/errors.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/numbers.hpp"
#include "harness/cli/shared_options.hpp"
#include "harness/counters/single_step.hpp"
#include "harness/engine/default_positions.hpp"
#include "harness/engine/fen.hpp"
#include "harness/engine/search.hpp"
#include "harness/engine/uci_move.hpp"
#include "harness/import/calibration.hpp"
#include "harness/import/position_sample.hpp"
#include "harness/measure/engine_work.hpp"
#include "harness/plugin/method_selection.hpp"

namespace slidebench {
namespace {

struct EngineOptions {
  MethodOptions methods;
  std::string fen;
  std::string positions;
  unsigned depth = 8;
  unsigned net = 0;
  bool threats = false;
  bool batch = false;
  bool calibrate = false;
  bool instructions = false;
  bool as_json = false;
  EngineSettings settings{.positions = {}, .nodes = 0, .hash_mib = 16};
};

/// What one method's engine found, over all positions.
struct Outcome {
  std::uint64_t nodes = 0;
  std::uint64_t evaluations = 0;
  std::uint64_t signature = 0;
  double seconds = 0;
  std::vector<engine::RootResult> roots;
};

Outcome search_all(const Plugin& method, engine::SearchMemory& memory,
                   const std::vector<engine::PositionState>& positions, const EngineOptions& options) {
  Outcome outcome;
  for (const engine::PositionState& position : positions) {
    memory.forget_positions();
    engine::RootResult root{};
    engine::SearchRequest request = memory.request(options.depth, options.settings.nodes);
    request.positions = &position;
    request.count = 1;
    request.results = &root;
    request.batch = options.batch;
    const auto start = std::chrono::steady_clock::now();
    const engine::SearchResult result = method.descriptor().engine.search(request);
    outcome.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    outcome.nodes += result.nodes;
    outcome.evaluations += result.evaluations;
    outcome.signature = outcome.signature * 31 + result.signature;
    outcome.roots.push_back(root);
  }
  return outcome;
}

std::string score_text(int score) {
  char text[32];
  if (score > engine::mate_bound || score < -engine::mate_bound) {
    const int plies = engine::mate_score - std::abs(score);
    std::snprintf(text, sizeof text, "%smate in %d", score < 0 ? "being " : "", (plies + 1) / 2);
  } else {
    std::snprintf(text, sizeof text, "%+.2f", score / 100.0);
  }
  return text;
}

constexpr const char* no_intervals = "one run each, no intervals: slidebench run --workload engine measures";

/// Nodes a second; absent under an emulator.
std::optional<double> speed(const Outcome& outcome) {
  if (emulator()) return std::nullopt;
  return static_cast<double>(outcome.nodes) / outcome.seconds;
}

void print_outcome(const Plugin& method, const Outcome& outcome, int columns) {
  std::printf("%-*s %12llu %12llu %#18llx", columns, method.id().c_str(),
              static_cast<unsigned long long>(outcome.nodes), static_cast<unsigned long long>(outcome.evaluations),
              static_cast<unsigned long long>(outcome.signature));
  if (const std::optional<double> nodes_a_second = speed(outcome)) std::printf(" %10.0f", *nodes_a_second);
  std::printf("\n");
  std::fflush(stdout);
}

nlohmann::json to_json(const Plugin& method, const Outcome& outcome) {
  char signature[32];
  std::snprintf(signature, sizeof signature, "%#llx", static_cast<unsigned long long>(outcome.signature));
  const std::optional<double> nodes_a_second = speed(outcome);
  return {{"method", method.id()},
          {"nodes", outcome.nodes},
          {"evaluations", outcome.evaluations},
          {"signature", signature},
          {"nodes_per_second", nodes_a_second ? nlohmann::json(*nodes_a_second) : nlohmann::json()}};
}

nlohmann::json roots_json(const std::vector<engine::PositionState>& positions, const Outcome& outcome) {
  nlohmann::json roots = nlohmann::json::array();
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const engine::RootResult& root = outcome.roots[i];
    roots.push_back({{"fen", engine::to_fen(positions[i])},
                     {"move", engine::to_uci(root.move)},
                     {"score", score_text(root.score)},
                     {"depth", root.depth}});
  }
  return roots;
}

void print_roots(const std::vector<engine::PositionState>& positions, const Outcome& outcome) {
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const engine::RootResult& root = outcome.roots[i];
    std::printf("%-5s  %-14s  depth %2u  %s\n", engine::to_uci(root.move).c_str(), score_text(root.score).c_str(),
                root.depth, engine::to_fen(positions[i]).c_str());
  }
}

std::vector<engine::PositionState> positions_of(const EngineOptions& options) {
  if (!options.fen.empty()) return {engine::parse_fen(options.fen)};
  return options.positions.empty() ? engine::default_positions() : engine::read_fens(options.positions);
}

constexpr std::uint64_t single_stepped_nodes = 40;

/// Instructions from one attack query to the next, the reference's query included: executed one by one in short
/// searches from some of the positions.
double instructions_a_query(const engine::CalibrationForm& form, const std::vector<engine::PositionState>& positions) {
  constexpr std::size_t searches = 4;
  constexpr engine::CalibrationOptions limits{
      .depth = engine::max_search_depth, .max_nodes = single_stepped_nodes, .hash_clusters = std::size_t{1} << 10};
  MethodOptions reference;
  reference.methods = {reference_method};
  const MethodSelection selection = select_methods(reference);
  std::uint64_t instructions = 0, queries = 0;
  for (std::size_t i = 0; i < positions.size(); i += std::max<std::size_t>(1, positions.size() / searches)) {
    queries += engine::calibrate({positions[i]}, form, limits).queries;
    const engine::SearchMemory memory(form.network, form.threats, limits.hash_clusters);
    engine::SearchRequest request = memory.request(limits.depth, limits.max_nodes);
    request.positions = &positions[i];
    request.count = 1;
    single_step([&] { selection.methods.front().descriptor().engine.search(request); },
                [&instructions](const TracedRegisters&) { ++instructions; });
  }
  return static_cast<double>(instructions) / static_cast<double>(queries);
}

/// What the presets of pressure stand for, counted in this engine.
void print_calibration(const EngineOptions& options) {
  engine::CalibrationOptions limits;
  limits.depth = options.depth;
  if (options.settings.nodes != 0) limits.max_nodes = options.settings.nodes;
  std::vector<engine::CalibrationRow> rows;
  for (const engine::CalibrationForm& form : engine::calibration_forms) {
    rows.push_back(engine::calibrate(options.settings.positions, form, limits));
  }
  if (!options.as_json) {
    std::cout << engine::calibration_text(rows);
    return;
  }
  nlohmann::json list = nlohmann::json::array();
  for (const engine::CalibrationRow& row : rows) list.push_back(to_json(row));
  std::cout << list.dump(2) << "\n";
}

/// What other work the pressures stand for, counted in this engine.
void print_instructions(const EngineOptions& options) {
  nlohmann::json counts = nlohmann::json::object();
  if (!options.as_json) {
    std::printf("instructions from query to query, in searches of %llu nodes\n",
                static_cast<unsigned long long>(single_stepped_nodes));
  }
  for (const engine::CalibrationForm& form : engine::calibration_forms) {
    const std::string name(form.name);
    counts[name] = instructions_a_query(form, options.settings.positions);
    if (options.as_json) continue;
    std::printf("  %-22s%6.0f\n", name.c_str(), counts[name].get<double>());
    std::fflush(stdout);
  }
  if (options.as_json) {
    std::cout << nlohmann::json{{"nodes", single_stepped_nodes}, {"instructions_per_query", counts}}.dump(2) << "\n";
  }
}

/// Searches with every method and compares the trees. Throws CheckFailed if two differ.
void compare_engines(const EngineOptions& options) {
  const std::vector<engine::PositionState>& positions = options.settings.positions;
  const EngineForm form = parse_engine_form(to_string(EngineForm{options.net, options.threats, options.batch}));
  engine::SearchMemory memory = make_search_memory(form, options.settings.hash_mib, false);
  const MethodSelection selection = select_methods(options.methods);
  const int columns = id_columns(selection);
  std::optional<Outcome> first;
  nlohmann::json methods = nlohmann::json::array();
  if (!options.as_json) {
    std::printf("%-*s %12s %12s %18s %10s\n", columns, "method", "nodes", "evaluations", "signature",
                emulator() ? "" : "nodes/s");
  }
  for (const Plugin& method : selection.methods) {
    if (is_baseline(method) || method.descriptor().engine.search == nullptr) continue;
    const Outcome outcome = search_all(method, memory, positions, options);
    if (options.as_json) {
      methods.push_back(to_json(method, outcome));
    } else {
      print_outcome(method, outcome, columns);
    }
    if (!first) first = outcome;
    if (outcome.nodes != first->nodes || outcome.signature != first->signature) {
      throw CheckFailed(method.id() + " searched another tree than " + selection.methods.front().id() +
                        "; see slidebench verify --method " + method.id());
    }
  }
  if (options.as_json) {
    const nlohmann::json roots = first ? roots_json(positions, *first) : nlohmann::json::array();
    std::cout << nlohmann::json{{"form", to_string(form)},
                                {"hash_mib", options.settings.hash_mib},
                                {"note", no_intervals},
                                {"methods", methods},
                                {"positions", roots}}
                     .dump(2)
              << "\n";
  } else {
    if (first) print_roots(positions, *first);
    std::printf("%s, %u MiB of hash; %s\n", to_string(form).c_str(), options.settings.hash_mib, no_intervals);
  }
  for (const Skipped& skipped : selection.skipped) {
    std::cerr << "slidebench: skipped " << skipped.id << ": " << skipped.why << "\n";
  }
  const std::string left_out = left_out_of_searches(selection.methods);
  if (!left_out.empty()) std::cerr << "slidebench: " << left_out << "\n";
}

void run_engine_command(EngineOptions& options) {
  options.settings.positions = positions_of(options);
  const std::uint64_t nodes = options.settings.nodes;
  options.settings.nodes = nodes == 0 ? 1 : nodes;  // here none is no limit: the depth is one
  check_engine_settings(options.settings);
  options.settings.nodes = nodes;
  if (options.calibrate) {
    print_calibration(options);
  } else if (options.instructions) {
    print_instructions(options);
  } else {
    compare_engines(options);
  }
}

}  // namespace

void add_engine_command(CLI::App& program) {
  CLI::App* command = program.add_subcommand("engine", "Searches positions with the methods' engines");
  auto options = std::make_shared<EngineOptions>();
  add_method_options(*command, options->methods);
  counts(command->add_option("--depth", options->depth, "Plies of iterative deepening"), 1, engine::max_search_depth)
      ->capture_default_str();
  counts(command->add_option("--nodes", options->settings.nodes, "Nodes a position at most (default: no limit)"));
  counts(command->add_option("--hash", options->settings.hash_mib, "MiB of the hash table"), 1, most_hash_mib)
      ->capture_default_str();
  counts(command->add_option("--net", options->net, "Width of the network; 0: the classical evaluation"), 0,
         widest_network)
      ->capture_default_str();
  command->add_flag("--threats", options->threats, "The network with threat features");
  command->add_flag("--batch", options->batch, "Ask for all sliders at once, with the methods that have a batch");
  command->add_flag("--calibrate", options->calibrate,
                    "Count the cache lines that the engine touches between attack queries, for every evaluation");
  command->add_flag("--instructions", options->instructions,
                    "Count the instructions from one attack query to the next, for every evaluation; some minutes");
  command->add_option("--fen", options->fen, "One position")->type_name("FEN");
  command->add_option("--positions", options->positions, "FENs, one a line (default: 64 from real games)")
      ->type_name("FILE")
      ->excludes("--fen");
  command->add_flag("--json", options->as_json, "As JSON");
  command->footer(
      "Example:\n  slidebench engine --depth 9 --net 256 --method pext --method hyperbola_avx2 --fen "
      "\"r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 4 4\"");
  command->callback([options] { run_engine_command(*options); });
}

}  // namespace slidebench
