// SPDX-License-Identifier: MIT
//
// For tests: modules of this build that this CPU can run, initialised.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "harness/plugin/cpu.hpp"
#include "harness/plugin/loader.hpp"

namespace slidebench {

inline std::vector<Plugin> runnable_modules(ModuleRole role) {
  std::vector<Plugin> modules = load_folder(TEST_PLUGIN_DIR, role, host_isa());
  std::erase_if(modules, [](const Plugin& p) { return !p.runs_on(host_isa()); });
  for (Plugin& module : modules) module.initialise();
  return modules;
}

inline Plugin module_named(const std::string& id, ModuleRole role = ModuleRole::timed) {
  for (Plugin& module : load_folder(TEST_PLUGIN_DIR, role, host_isa())) {
    if (module.id() != id || !module.runs_on(host_isa())) continue;
    module.initialise();
    return std::move(module);
  }
  throw std::runtime_error("no module of " + id);
}

inline Plugin traced_module(const std::string& id) { return module_named(id, ModuleRole::traced); }

}  // namespace slidebench
