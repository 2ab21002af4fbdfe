// SPDX-License-Identifier: MIT
//
// For tests: the traced modules of this build's methods that this CPU can run, initialised.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "harness/plugin/cpu.hpp"
#include "harness/plugin/loader.hpp"

namespace slidebench {

inline std::vector<Plugin> traced_modules() {
  std::vector<Plugin> modules = load_folder(TEST_PLUGIN_DIR, ModuleRole::traced, host_isa());
  std::erase_if(modules, [](const Plugin& p) { return !p.runs_on(host_isa()); });
  for (Plugin& module : modules) module.initialise();
  return modules;
}

inline Plugin traced_module(const std::string& id) {
  for (Plugin& module : load_folder(TEST_PLUGIN_DIR, ModuleRole::traced, host_isa())) {
    if (module.id() != id || !module.runs_on(host_isa())) continue;
    module.initialise();
    return std::move(module);
  }
  throw std::runtime_error("no traced module of " + id);
}

}  // namespace slidebench
