// SPDX-License-Identifier: MIT
//
// Which methods a command works on: those of the build, plug-ins from elsewhere, narrowed down by --method.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/plugin/loader.hpp"

namespace slidebench {

/// What the options --method and --plugin say.
struct MethodOptions {
  std::vector<std::string> methods;  ///< ids, "family:magic", or a group: core, extra, extension, all, known
  std::vector<std::string> plugins;
  bool skip_unrunnable = false;  ///< skip a named method that this CPU cannot run, where it would be an error
};

/// A method that was left out, and why.
struct Skipped {
  std::string id;
  std::string why;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Skipped, id, why)

/// The methods to work on, ready to run, and those that this CPU cannot run.
struct MethodSelection {
  std::vector<Plugin> methods;
  std::vector<Skipped> skipped;
};

/// Every method, runnable or not: those of the build and the --plugin modules. Throws UserError if two have one id.
std::vector<Plugin> load_all_methods(const MethodOptions& options);

/// Those of them that --method means, by id, family or group; without --method the core. Throws
/// UserError for a name that means none.
std::vector<Plugin> load_methods(const MethodOptions& options);

/// Whether a module's tables are built, by code of its own, or nothing of it is executed yet.
enum class Prepare { initialised, loaded };

/// The methods of load_methods() that can run here. One that was named by its id and cannot is a UserError; another one
/// is skipped. The modules are initialised, unless `prepare` says that they are only to be loaded.
MethodSelection select_methods(const MethodOptions& options, Prepare prepare = Prepare::initialised);

/// One method that can play chess, ready to run. Throws UserError for one that is unknown, cannot run here or gives no
/// attack sets.
Plugin select_player(const std::string& id, const std::vector<std::string>& plugins);

/// Only those that the names mean, ids or groups. Throws UserError for a name that means none.
std::vector<Plugin> methods_named(std::vector<Plugin> all, const std::vector<std::string>& names);

/// Columns of a table whose first one has the ids: as many as the longest has letters.
int id_columns(const MethodSelection& selection);

/// What is wrong with a method that is to play and cannot.
inline constexpr const char* without_engine =
    "was built without the engine; configure with -DSLIDEBENCH_ENGINES=all, as scripts/run_bench.sh --engine does";

/// How many of the methods are left out of searches for that, and what to do, a line; empty if none is.
std::string left_out_of_searches(const std::vector<Plugin>& methods);

/// True for contenders that give no attack sets: the empty loop.
bool is_baseline(const Plugin& plugin);

}  // namespace slidebench
