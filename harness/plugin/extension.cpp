// SPDX-License-Identifier: MIT
#include "harness/plugin/extension.hpp"

#include "harness/plugin/known_methods.hpp"

namespace slidebench {
namespace {

/// A function's, because other files' constants are initialised by adding to it.
std::vector<const Extension*>& extensions() {
  static std::vector<const Extension*> list;
  return list;
}

}  // namespace

bool add_extension(const Extension& extension) {
  extensions().push_back(&extension);
  return true;
}

const Extension* extension_of(const PluginDescriptor& module) {
  for (const Extension* extension : extensions()) {
    if (module.extension != nullptr && *static_cast<const std::uint64_t*>(module.extension) == extension->id)
      return extension;
  }
  return nullptr;
}

bool is_reference(const Plugin& plugin) {
  const Extension* extension = extension_of(plugin.descriptor());
  return plugin.id() == (extension != nullptr ? extension->reference : reference_method);
}

std::vector<const Workload*> all_workloads() {
  std::vector<const Workload*> all;
  for (const Workload& workload : workloads) all.push_back(&workload);
  for (const Extension* extension : extensions()) {
    for (const Workload& workload : extension->workloads) all.push_back(&workload);
  }
  return all;
}

const Workload* find_workload(std::string_view name) {
  for (const Workload* workload : all_workloads()) {
    if (workload->name == name) return workload;
  }
  return nullptr;
}

}  // namespace slidebench
