// SPDX-License-Identifier: MIT
#include "extras/engines/duel/duel_record.hpp"

#include <algorithm>

#include "harness/base/text_output.hpp"

namespace slidebench {

using nlohmann::json;

RunSettings settings_as_of_a_run(const DuelSettings& settings) {
  RunSettings run;
  run.engine = {settings.positions, settings.conditions.limit.nodes, settings.conditions.hash_mib};
  run.profile = {.name = "duel",
                 .process_runs = settings.process_runs,
                 .rounds = settings.rounds,
                 .sample_ms = 0,
                 .warm_up_ms = 0};
  run.margin = settings.margin;
  run.reference = settings.reference;
  run.until_decided = settings.until_decided;
  run.max_seconds = settings.max_seconds;
  run.seed = settings.seed;
  run.out = settings.out;
  run.command_line = settings.command_line;
  return run;
}

/// What run.json says of the duel.
bool draws_builds(const DuelSettings& settings) {
  return std::any_of(settings.engines.begin(), settings.engines.end(),
                     [](const duel::EngineSpec& spec) { return spec.builds.size() > 1; });
}

json duel_json(const DuelSettings& settings, const std::vector<duel::TreeComparison>& trees) {
  json list = json::array();
  for (const duel::TreeComparison& tree : trees) {
    list.push_back({{"contender", tree.contender},
                    {"searches", tree.searches},
                    {"same_nodes", tree.same_nodes},
                    {"same_course", tree.same_course},
                    {"same_tree", tree.same_tree()},
                    {"repeats", tree.repeats}});
  }
  return {{"go", to_string(settings.conditions.limit)},
          {"hash_mib", settings.conditions.hash_mib},
          {"threads", settings.conditions.threads},
          {"time", "CPU time of the engine's process, all threads"},
          {"draws_builds", draws_builds(settings)},
          {"trial", settings.for_seconds > 0},
          {"trees", list}};
}

/// What engines did in their own turns and in those of others that a reader of times has to know.
std::vector<std::string> turn_notes(duel::DuelNotes seen) {
  std::vector<std::string> notes;
  for (const auto& [contender, turns] : seen["busy_while_idle"]) {
    notes.push_back(contender + " used CPU time in " + std::to_string(turns) +
                    " turns of others: it does not wait quietly, and disturbs them");
  }
  for (const auto& [contender, turns] : seen["short_of_nodes"]) {
    notes.push_back(contender + " told of less than nine tenths of the nodes asked for in " + std::to_string(turns) +
                    " of " + std::to_string(seen["turns"].at(contender)) +
                    " searches: it ends early, or its last count is an old one and its time per node too long");
  }
  for (const auto& [contender, turns] : seen["repeated"]) {
    notes.push_back(
        std::to_string(turns) + " of " + contender +
        "'s searches were done again, because the CPU-time clock showed next to nothing for them, as it may "
        "after the host has taken the core; let searches be long");
  }
  const auto& ended = seen["ended_threads"];
  const bool all = ended.size() == seen["turns"].size();
  if (!ended.empty())
    notes.push_back((all ? "all sides" : joined(ended, ", ", [](const auto& entry) { return entry.first; })) +
                    ": threads end after a search, and the kernel may lose up to a millisecond of their CPU time each; "
                    "let searches be long");
  return notes;
}

/// Engines that did not search the same tree as the first one, or not the same every time.
std::vector<std::string> tree_notes(const std::vector<duel::TreeComparison>& trees, const std::string& reference) {
  std::vector<std::string> notes;
  for (const duel::TreeComparison& tree : trees) {
    if (!tree.repeats)
      notes.push_back(tree.contender + " does not search the same position in the same way every time");
    if (tree.role != ContenderRole::reference && !tree.same_tree()) notes.push_back(duel::to_sentence(tree, reference));
  }
  return notes;
}

}  // namespace slidebench
