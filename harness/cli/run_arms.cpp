// SPDX-License-Identifier: MIT
#include "harness/cli/run_arms.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/plugin/cpu.hpp"
#include "harness/plugin/gate.hpp"
#include "harness/timing/arm.hpp"
#include "harness/timing/launch.hpp"
#include "harness/trace/sha256.hpp"

namespace slidebench {

std::vector<Plugin> select_arms(const MethodOptions& options, std::vector<Skipped>& skipped) {
  MethodSelection selection = select_methods(options);
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

void check_methods(std::vector<Plugin>& arms) {
  for (Plugin& arm : arms) {
    if (is_baseline(arm)) continue;
    arm.initialise();
    const GateResult result = verify_method(arm, {.seed = 1, .random_boards = 10'000});
    if (result.counter_example) throw CheckFailed(*result.counter_example);
  }
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
