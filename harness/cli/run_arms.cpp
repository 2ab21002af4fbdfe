// SPDX-License-Identifier: MIT
#include "harness/cli/run_arms.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "harness/cli/module_check.hpp"
#include "harness/plugin/cpu.hpp"
#include "harness/timing/arm.hpp"
#include "harness/timing/launch.hpp"
#include "harness/trace/sha256.hpp"

namespace slidebench {

std::vector<Plugin> select_arms(const MethodOptions& options, std::vector<Skipped>& skipped) {
  MethodSelection selection = select_methods(options, Prepare::loaded);
  skipped = std::move(selection.skipped);
  std::vector<Plugin> arms = std::move(selection.methods);
  std::set<std::string> present;
  for (const Plugin& arm : arms) present.insert(arm.id());

  const Isa host = host_isa();
  for (Plugin& plugin : load_folder(plugin_folder(), ModuleRole::timed, host)) {
    const bool always = is_baseline(plugin) || plugin.id() == reference_method;
    if (always && !present.contains(plugin.id()) && plugin.runs_on(host)) arms.push_back(std::move(plugin));
  }
  for (const ModuleRole role : {ModuleRole::twin, ModuleRole::control}) {
    for (Plugin& plugin : load_folder(plugin_folder(), role, host)) {
      if (plugin.runs_on(host)) arms.push_back(std::move(plugin));
    }
  }
  return arms;
}

Layouts layouts_of(const Plugin& arm) {
  Layouts paths{arm.path().string()};
  const auto level = arm.descriptor().level;
  for (std::uint32_t layout = 1;; ++layout) {
    std::vector<Plugin> others = load_folder(arm.path().parent_path(), arm.descriptor().role, host_isa(), layout);
    if (others.empty()) return paths;
    for (const Plugin& other : others) {
      if (other.id() == arm.id() && other.descriptor().level == level) paths.push_back(other.path().string());
    }
  }
}

void check_methods(const std::vector<Plugin>& arms) {
  for (const Plugin& arm : arms) {
    if (is_baseline(arm)) continue;
    const ModuleVerdict verdict = check_module(arm, {.seed = 1, .random_boards = 10'000});
    if (verdict.failure) throw CheckFailed(*verdict.failure);
  }
}

namespace {

/// The arms that have another value than most, by value.
std::map<std::string, std::vector<std::string>> exceptions(
    const std::map<std::string, std::vector<std::string>>& arms) {
  const auto more = [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); };
  const auto usual = std::max_element(arms.begin(), arms.end(), more);
  std::map<std::string, std::vector<std::string>> others = arms;
  if (usual != arms.end()) others.erase(usual->first);
  return others;
}

/// "v4: a, b; v2: c".
std::string listed(const std::map<std::string, std::vector<std::string>>& arms) {
  std::string text;
  for (const auto& [value, ids] : arms) {
    text += (text.empty() ? "" : "; ") + value + ": ";
    for (std::size_t i = 0; i < ids.size(); ++i) text += (i == 0 ? "" : ", ") + ids[i];
  }
  return text;
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

std::vector<std::string> unlike_arms(const std::vector<Plugin>& arms, const std::vector<Layouts>& modules) {
  std::map<std::string, std::vector<std::string>> levels, layouts, builds;
  for (std::size_t i = 0; i < arms.size(); ++i) {
    if (is_baseline(arms[i]) || role_of(arms[i]) == ArmRole::twin || role_of(arms[i]) == ArmRole::control) continue;
    levels[arms[i].level()].push_back(arms[i].id());
    layouts[std::to_string(modules[i].size())].push_back(arms[i].id());
    builds[build_of(arms[i])].push_back(arms[i].id());
  }
  std::vector<std::string> notes;
  const auto note = [&notes](const std::map<std::string, std::vector<std::string>>& values, const std::string& start,
                             const std::string& end) {
    const auto others = exceptions(values);
    if (!others.empty()) notes.push_back(start + listed(others) + end);
  };
  note(levels, "methods of different levels side by side, other than most are ",
       "; what a level's instructions are worth is part of their ratios");
  note(layouts, "methods with different numbers of code layouts side by side, other than most have ",
       "; the time of one layout is one draw of code addresses (build it with the same SLIDEBENCH_LAYOUTS)");
  note(builds, "methods built differently side by side, other than most are ",
       "; a compiler and its flags move times too");
  return notes;
}

nlohmann::json module_digests(const std::vector<Layouts>& modules) {
  nlohmann::json digests = nlohmann::json::object();
  for (const Layouts& layouts : modules) {
    for (const std::string& name : layouts) {
      const std::filesystem::path path = name;
      std::ifstream file(path, std::ios::binary);
      const std::string content{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
      Sha256 digest;
      digest.add(content.data(), content.size());
      digests[path.filename().string()] = digest.hex();
    }
  }
  return digests;
}

}  // namespace slidebench
