// SPDX-License-Identifier: MIT
#include "harness/cli/method_selection.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <set>

#include "harness/cli/core_methods.hpp"
#include "harness/cli/suggestion.hpp"
#include "harness/plugin/cpu.hpp"
#include "harness/trace/errors.hpp"

namespace slidebench {
namespace {

bool contains(const std::vector<std::string>& list, const std::string& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

constexpr std::string_view core_group = "core", family_prefix = "family:";

bool is_group(const std::string& name) { return name == core_group || name.starts_with(family_prefix); }

/// The ids of a group: of the well-known methods, or of a family.
std::vector<std::string> ids_in(const std::string& group, const std::vector<Plugin>& all) {
  std::set<std::string> known, families;
  std::vector<std::string> ids;
  const std::string family = group.substr(std::min(group.size(), family_prefix.size()));
  for (const Plugin& plugin : all) {
    if (plugin.runs_on(host_isa())) known.insert(plugin.id());
    families.insert(plugin.info().family);
    if (plugin.info().family == family) ids.push_back(plugin.id());
  }
  if (group == core_group) return core_methods(known);
  if (!ids.empty()) return ids;
  std::string names;
  for (const std::string& name : families) names += (names.empty() ? "" : ", ") + name;
  throw UserError("no family '" + family + "'; the families are " + names +
                  did_you_mean(family, {families.begin(), families.end()}));
}

void check_name(const std::string& name, const std::vector<Plugin>& all) {
  std::vector<std::string> ids{std::string(core_group)};
  for (const Plugin& plugin : all) ids.push_back(plugin.id());
  if (contains(ids, name)) return;
  throw UserError("unknown method '" + name + "'; slidebench list shows the methods" + did_you_mean(name, ids));
}

/// A module, or of a folder of modules the best level of each method.
void append_plugins(const std::filesystem::path& path, std::vector<Plugin>& all) {
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) {
    all.push_back(Plugin::open(path));
    return;
  }
  for (Plugin& plugin : load_folder(path, ModuleRole::timed, host_isa())) all.push_back(std::move(plugin));
}

}  // namespace

void MethodOptions::add_to(CLI::App& command) {
  command
      .add_option("--method", methods,
                  "A method's id, family:NAME or core, the well-known; may be repeated (default: all)")
      ->type_name("ID");
  command.add_option("--plugin", plugins, "A module built elsewhere, or a folder of them; may be repeated")
      ->type_name("PATH");
}

bool is_baseline(const Plugin& plugin) { return std::string(plugin.info().family) == "baseline"; }

std::vector<Plugin> load_all_methods(const MethodOptions& options) {
  std::vector<Plugin> all = load_folder(plugin_folder(), ModuleRole::timed, host_isa());
  for (const std::string& path : options.plugins) append_plugins(path, all);
  std::set<std::string> ids;
  for (const Plugin& plugin : all) {
    if (!ids.insert(plugin.id()).second) {
      throw UserError("two modules of method '" + plugin.id() + "'; give the one of --plugin an id of its own");
    }
  }
  return all;
}

std::vector<Plugin> methods_named(std::vector<Plugin> all, const std::vector<std::string>& names) {
  std::vector<std::string> ids;
  for (const std::string& name : names) {
    if (is_group(name)) {
      for (std::string& id : ids_in(name, all)) ids.push_back(std::move(id));
    } else {
      check_name(name, all);
      ids.push_back(name);
    }
  }
  std::erase_if(all, [&ids](const Plugin& p) { return !contains(ids, p.id()); });
  return all;
}

MethodSelection select_methods(const MethodOptions& options, Prepare prepare) {
  std::vector<Plugin> all = load_all_methods(options);
  if (!options.methods.empty()) all = methods_named(std::move(all), options.methods);
  const Isa host = host_isa();
  MethodSelection selection;
  for (Plugin& plugin : all) {
    if (!plugin.runs_on(host)) {
      if (contains(options.methods, plugin.id()) && !options.skip_unrunnable) {
        throw UserError("method " + plugin.id() + " " + plugin.status(host) + ", which this CPU does not have");
      }
      selection.skipped.push_back({plugin.id(), plugin.status(host)});
      continue;
    }
    if (prepare == Prepare::initialised) plugin.initialise();
    selection.methods.push_back(std::move(plugin));
  }
  return selection;
}

Plugin select_player(const std::string& id, const std::vector<std::string>& plugins) {
  MethodOptions options;
  options.methods = {id};
  options.plugins = plugins;
  MethodSelection selection = select_methods(options);
  if (selection.methods.size() != 1) throw UserError("--method " + id + ": name one method, not a group");
  Plugin plugin = std::move(selection.methods.front());
  if (is_baseline(plugin) || plugin.descriptor().engine.search == nullptr) {
    throw UserError("method " + id + " gives no attack sets, so it cannot play chess");
  }
  return plugin;
}

}  // namespace slidebench
