// SPDX-License-Identifier: MIT
#include "harness/plugin/method_selection.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "harness/base/errors.hpp"
#include "harness/base/suggestion.hpp"
#include "harness/base/text_output.hpp"
#include "harness/plugin/cpu.hpp"
#include "harness/plugin/known_methods.hpp"

namespace slidebench {
namespace {

constexpr std::string_view family_prefix = "family:";

/// What --method takes besides ids and "family:NAME".
constexpr std::array groups{"core", "extra", "extension", "all", "known"};

/// The well-known methods of those that run here.
std::vector<std::string> known_of(const std::vector<Plugin>& all) {
  std::set<std::string> runnable;
  for (const Plugin& plugin : all) {
    if (plugin.runs_on(host_isa())) runnable.insert(plugin.id());
  }
  return known_methods(runnable);
}

[[noreturn]] void refuse_name(const std::string& name, const std::vector<Plugin>& all) {
  if (name == "extension") throw UserError("no modules of extras here; build them with -DSLIDEBENCH_EXTRAS=all");
  if (name == "extra") throw UserError("no extra methods here; build them with -DSLIDEBENCH_METHODS=all");
  std::set<std::string> families;
  std::vector<std::string> names(groups.begin(), groups.end());
  for (const Plugin& plugin : all) {
    families.insert(plugin.info().family);
    names.push_back(plugin.id());
  }
  if (name.starts_with(family_prefix)) {
    const std::string family = name.substr(family_prefix.size());
    throw UserError("no family '" + family + "'; the families are " + joined(families, ", ") +
                    did_you_mean(family, {families.begin(), families.end()}));
  }
  throw UserError("unknown method '" + name +
                  "'; slidebench list --method all shows the methods, and -DSLIDEBENCH_METHODS=all " +
                  "builds the extra ones" + did_you_mean(name, names));
}

/// The control of identical code, the empty loop and the traced twins are this program's own.
void check_stranger(const Plugin& plugin) {
  const std::string path = plugin.path().native();
  if (plugin.descriptor().role != ModuleRole::timed) {
    throw UserError(path + ": a module that is not timed, which only this program's own build has; give the timed one");
  }
  if (is_baseline(plugin)) {
    throw UserError(path + ": family 'baseline' is for what gives no attack sets; give the method a family of its own");
  }
}

/// A module from outside, or of a folder of such the best level of each method.
void append_plugins(const std::filesystem::path& path, std::vector<Plugin>& all) {
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) {
    all.push_back(Plugin::open(path));
    check_stranger(all.back());
    return;
  }
  for (Plugin& plugin : load_folder(path, ModuleRole::timed, host_isa())) {
    check_stranger(plugin);
    all.push_back(std::move(plugin));
  }
}

}  // namespace

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
  const std::vector<std::string> known = known_of(all);
  const auto means = [&known](const std::string& name, const Plugin& plugin) {
    return name == plugin.id() || name == plugin.group() || name == "all" ||
           name == std::string(family_prefix) + plugin.info().family ||
           (name == "known" && std::ranges::count(known, plugin.id()) > 0);
  };
  for (const std::string& name : names) {
    if (std::ranges::none_of(all, [&](const Plugin& plugin) { return means(name, plugin); })) refuse_name(name, all);
  }
  std::erase_if(all, [&](const Plugin& plugin) {
    return std::ranges::none_of(names, [&](const std::string& name) { return means(name, plugin); });
  });
  return all;
}

std::vector<Plugin> load_methods(const MethodOptions& options) {
  std::vector<Plugin> all = load_all_methods(options);
  if (!options.methods.empty()) return methods_named(std::move(all), options.methods);
  std::erase_if(all, [](const Plugin& p) { return p.descriptor().group != MethodGroup::core; });
  return all;
}

MethodSelection select_methods(const MethodOptions& options, Prepare prepare) {
  std::vector<Plugin> all = load_methods(options);
  const Isa host = host_isa();
  MethodSelection selection;
  for (Plugin& plugin : all) {
    if (!plugin.runs_on(host)) {
      if (std::ranges::count(options.methods, plugin.id()) > 0 && !options.skip_unrunnable) {
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

int id_columns(const MethodSelection& selection) {
  std::size_t most = std::string_view("method").size();
  for (const Plugin& method : selection.methods) most = std::max(most, method.id().size());
  for (const Skipped& method : selection.skipped) most = std::max(most, method.id.size());
  return static_cast<int>(most);
}

std::string left_out_of_searches(const std::vector<Plugin>& methods) {
  const auto count = std::count_if(methods.begin(), methods.end(), [](const Plugin& method) {
    const PluginDescriptor& module = method.descriptor();
    return !is_baseline(method) && module.role == ModuleRole::timed && module.group != MethodGroup::extension &&
           module.engine.search == nullptr;
  });
  if (count == 0) return "";
  return "left out of searches: " + std::to_string(count) + " of the methods, each " + without_engine;
}

Plugin select_player(const std::string& id, const std::vector<std::string>& plugins) {
  MethodSelection selection = select_methods({.methods = {id}, .plugins = plugins});
  if (selection.methods.size() != 1) throw UserError("--method " + id + ": name one method, not a group");
  Plugin plugin = std::move(selection.methods.front());
  if (is_baseline(plugin)) throw UserError("method " + id + " gives no attack sets, so it cannot play chess");
  if (plugin.descriptor().engine.search == nullptr) throw UserError("method " + id + " " + without_engine);
  return plugin;
}

}  // namespace slidebench
