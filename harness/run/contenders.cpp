// SPDX-License-Identifier: MIT
#include "harness/run/contenders.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "harness/base/errors.hpp"
#include "harness/base/ordered_jobs.hpp"
#include "harness/base/sha256.hpp"
#include "harness/base/text_output.hpp"
#include "harness/measure/contender.hpp"
#include "harness/measure/process_run.hpp"
#include "harness/plugin/cpu.hpp"
#include "harness/plugin/extension.hpp"

namespace slidebench {
namespace {

bool is_of_extra(const Plugin& plugin) { return plugin.descriptor().group == MethodGroup::extension; }

std::vector<std::string> placements_of(const Plugin& contender) {
  const std::filesystem::path& plain = contender.path();
  std::vector<std::string> paths;
  std::error_code error;
  for (unsigned placement = 0; placement == paths.size(); ++placement) {
    const std::filesystem::path path = placement_folder(plain.parent_path(), placement) / plain.filename();
    if (std::filesystem::exists(path, error)) paths.push_back(path.string());
  }
  return paths;
}

/// The contenders that have another value than most, by value.
std::map<std::string, std::vector<std::string>> exceptions(
    const std::map<std::string, std::vector<std::string>>& contenders) {
  const auto more = [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); };
  const auto usual = std::max_element(contenders.begin(), contenders.end(), more);
  std::map<std::string, std::vector<std::string>> others = contenders;
  if (usual != contenders.end()) others.erase(usual->first);
  return others;
}

/// "v4: a, b; v2: c".
std::string listed(const std::map<std::string, std::vector<std::string>>& contenders) {
  return joined(contenders, "; ", [](const auto& entry) { return entry.first + ": " + joined(entry.second, ", "); });
}

/// Compiler and flags, without those that choose the machine: the level is told for itself.
std::string build_of(const Plugin& plugin) {
  std::istringstream words(plugin.descriptor().flags);
  std::string text = plugin.descriptor().compiler;
  for (std::string word; words >> word;) {
    if (!word.starts_with("-m")) text += " " + word;
  }
  return text;
}

}  // namespace

std::vector<Plugin> select_contenders(const MethodOptions& options, bool controls, std::vector<Skipped>& skipped) {
  MethodSelection selection = select_methods(options, Prepare::loaded);
  skipped = std::move(selection.skipped);
  std::vector<Plugin> contenders = std::move(selection.methods);
  std::set<std::string> present;
  std::set<bool> of_extras;  // of whom the reference has to be there
  for (const Plugin& contender : contenders) {
    present.insert(contender.id());
    of_extras.insert(is_of_extra(contender));
  }
  if (contenders.empty()) of_extras.insert(false);
  const auto is_needed = [&](const Plugin& p) { return is_reference(p) && of_extras.contains(is_of_extra(p)); };

  const Isa host = host_isa();
  for (Plugin& plugin : load_folder(plugin_folder(), ModuleRole::timed, host)) {
    const bool always = is_baseline(plugin) || is_needed(plugin);
    if (always && !present.contains(plugin.id()) && plugin.runs_on(host)) contenders.push_back(std::move(plugin));
  }
  if (!controls) return contenders;
  for (Plugin& plugin : load_folder(plugin_folder(), ModuleRole::twice, host)) {
    const bool asked_for = is_needed(plugin) || present.contains(plugin.id());
    if (asked_for && plugin.runs_on(host)) contenders.push_back(std::move(plugin));
  }
  return contenders;
}

std::vector<PlacedModule> placed_modules(const std::vector<Plugin>& contenders, bool controls) {
  std::vector<PlacedModule> modules;
  for (const Plugin& contender : contenders) modules.push_back({role_of(contender), placements_of(contender)});
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    if (modules[i].role != ContenderRole::reference) continue;
    for (const ContenderRole role : {ContenderRole::twin, ContenderRole::second_twin, ContenderRole::control}) {
      if (controls || role == ContenderRole::twin) modules.push_back({role, placements_of(contenders[i])});
    }
  }
  return modules;
}

void check_methods(const std::vector<Plugin>& contenders) {
  const auto checked = [&contenders](std::size_t i) -> ModuleVerdict {
    if (is_baseline(contenders[i])) return {};
    return check_module(contenders[i], {.seed = 1, .random_boards = 10'000, .joint_every = 16});
  };
  in_order(contenders.size(), all_processors(), checked, [](std::size_t, const ModuleVerdict& verdict) {
    if (verdict.failure) throw CheckFailed(*verdict.failure);
  });
}

std::vector<std::string> unlike_contenders(const std::vector<Plugin>& contenders,
                                           const std::vector<PlacedModule>& modules) {
  std::map<std::string, std::vector<std::string>> levels, placements, builds;
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    if (is_baseline(contenders[i]) || contenders[i].descriptor().role != ModuleRole::timed) continue;
    levels[contenders[i].level()].push_back(contenders[i].id());
    placements[std::to_string(modules[i].placements.size())].push_back(contenders[i].id());
    builds[build_of(contenders[i])].push_back(contenders[i].id());
  }
  std::vector<std::string> notes;
  const auto note = [&notes](const std::map<std::string, std::vector<std::string>>& values, const std::string& start,
                             const std::string& end) {
    const auto others = exceptions(values);
    if (!others.empty()) notes.push_back(start + listed(others) + end);
  };
  note(levels, "methods of another level than most: ", "; what its instructions are worth is part of their ratios");
  note(placements, "methods with another number of layouts than most: ",
       "; the time of one layout is one draw (build it with the same SLIDEBENCH_PLACEMENTS)");
  note(builds, "methods built differently from most: ", "; a compiler and its flags move times too");
  return notes;
}

nlohmann::json module_digests(const std::vector<PlacedModule>& modules) {
  nlohmann::json digests = nlohmann::json::object();
  for (const PlacedModule& module : modules) {
    for (const std::string& name : module.placements) {
      const std::filesystem::path path = name;
      std::ifstream file(path, std::ios::binary);
      std::array<char, 65536> piece;
      Sha256 digest;
      do {
        file.read(piece.data(), piece.size());
        digest.add(piece.data(), static_cast<std::size_t>(file.gcount()));
      } while (file);
      const unsigned placement = placement_of(path);
      const std::string folder = placement == 0 ? "" : path.parent_path().filename().string() + "/";
      digests[folder + path.filename().string()] = digest.hex();
    }
  }
  return digests;
}

}  // namespace slidebench
