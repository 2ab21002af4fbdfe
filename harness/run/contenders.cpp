// SPDX-License-Identifier: MIT
#include "harness/run/contenders.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "harness/base/errors.hpp"
#include "harness/base/sha256.hpp"
#include "harness/base/text_output.hpp"
#include "harness/measure/contender.hpp"
#include "harness/measure/process_run.hpp"
#include "harness/plugin/cpu.hpp"
#include "harness/plugin/module_check.hpp"

namespace slidebench {

std::vector<Plugin> select_contenders(const MethodOptions& options, std::vector<Skipped>& skipped) {
  MethodSelection selection = select_methods(options, Prepare::loaded);
  skipped = std::move(selection.skipped);
  std::vector<Plugin> contenders = std::move(selection.methods);
  std::set<std::string> present;
  for (const Plugin& contender : contenders) present.insert(contender.id());

  const Isa host = host_isa();
  for (Plugin& plugin : load_folder(plugin_folder(), ModuleRole::timed, host)) {
    const bool always = is_baseline(plugin) || plugin.id() == reference_method;
    if (always && !present.contains(plugin.id()) && plugin.runs_on(host)) contenders.push_back(std::move(plugin));
  }
  for (const ModuleRole role : {ModuleRole::twin, ModuleRole::control}) {
    for (Plugin& plugin : load_folder(plugin_folder(), role, host)) {
      if (plugin.runs_on(host)) contenders.push_back(std::move(plugin));
    }
  }
  return contenders;
}

Placements placements_of(const Plugin& contender) {
  Placements paths{contender.path().string()};
  const auto level = contender.descriptor().level;
  for (std::uint32_t placement = 1;; ++placement) {
    std::vector<Plugin> others =
        load_folder(contender.path().parent_path(), contender.descriptor().role, host_isa(), placement);
    if (others.empty()) return paths;
    for (const Plugin& other : others) {
      if (other.id() == contender.id() && other.descriptor().level == level) paths.push_back(other.path().string());
    }
  }
}

void check_methods(const std::vector<Plugin>& contenders) {
  for (const Plugin& contender : contenders) {
    if (is_baseline(contender)) continue;
    const ModuleVerdict verdict = check_module(contender, {.seed = 1, .random_boards = 10'000});
    if (verdict.failure) throw CheckFailed(*verdict.failure);
  }
}

namespace {

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

std::vector<std::string> unlike_contenders(const std::vector<Plugin>& contenders,
                                           const std::vector<Placements>& modules) {
  std::map<std::string, std::vector<std::string>> levels, placements, builds;
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    if (is_baseline(contenders[i]) || role_of(contenders[i]) == ContenderRole::twin ||
        role_of(contenders[i]) == ContenderRole::control)
      continue;
    levels[contenders[i].level()].push_back(contenders[i].id());
    placements[std::to_string(modules[i].size())].push_back(contenders[i].id());
    builds[build_of(contenders[i])].push_back(contenders[i].id());
  }
  std::vector<std::string> notes;
  const auto note = [&notes](const std::map<std::string, std::vector<std::string>>& values, const std::string& start,
                             const std::string& end) {
    const auto others = exceptions(values);
    if (!others.empty()) notes.push_back(start + listed(others) + end);
  };
  note(levels, "methods of different levels side by side, other than most are ",
       "; what a level's instructions are worth is part of their ratios");
  note(placements, "methods with different numbers of code placements side by side, other than most have ",
       "; the time of one placement is one draw of code addresses (build it with the same SLIDEBENCH_PLACEMENTS)");
  note(builds, "methods built differently side by side, other than most are ",
       "; a compiler and its flags move times too");
  return notes;
}

nlohmann::json module_digests(const std::vector<Placements>& modules) {
  nlohmann::json digests = nlohmann::json::object();
  for (const Placements& placements : modules) {
    for (const std::string& name : placements) {
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
