// SPDX-License-Identifier: MIT
//
// What an extra adds to the program: workloads, and modules that it knows more about than the plug-in ABI says.
//
// Such a module is of the group `extension`, and `extension` of its descriptor points to a struct of the extra, which
// begins with a number of its type and version. An extra registers itself before main() in the programs that it is
// linked into; the core knows none.
#pragma once

#include <span>

#include "harness/plugin/module_check.hpp"
#include "harness/plugin/workload.hpp"

namespace slidebench {

struct Extension {
  std::uint64_t id;                     ///< of the struct that `extension` points to
  std::span<const Workload> workloads;  ///< which no other modules take part in
  const char* reference;                ///< the id of the module that others are compared with in them
  /// Checks an initialised module of this extension.
  ModuleVerdict (*verify)(const Plugin& plugin, const VerificationOptions& options);
};

/// Adds an extension, which has to stay. @return true, for the initialiser of a constant
bool add_extension(const Extension& extension);

/// The one that knows a module; null for a method, and where this program has not the extra.
const Extension* extension_of(const PluginDescriptor& module);

/// Whether a module is what others are compared with: magic_fancy, or an extension's.
bool is_reference(const Plugin& plugin);

}  // namespace slidebench
