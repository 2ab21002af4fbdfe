// SPDX-License-Identifier: MIT
//
// Loading modules: one by path, or all of a folder with the best level of each method that this CPU can run.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/posix_file.hpp"
#include "harness/plugin/abi.hpp"

namespace slidebench {

/// Where a module's code and constants lie. `shared`: on the kernel's pages of its file, which stay where they once
/// were put for as long as the file is cached. `own`: on pages of a copy, drawn anew by each process. One place may be
/// slower than another, and new process runs on shared pages draw nothing new: identical modules were seen to differ in
/// all.
enum class CodePages { shared, own };

/// A loaded module. Movable; the descriptor and all it points to stay valid as long as the plugin lives.
class Plugin {
 public:
  /// Opens a module and checks that it is one, of this ABI version. Runs none of the method's code.
  /// Throws UserError, one line with the path and what to do, for anything else.
  static Plugin open(const std::filesystem::path& path, CodePages pages = CodePages::shared);

  const std::filesystem::path& path() const { return path_; }
  const PluginDescriptor& descriptor() const { return *descriptor_; }
  const MethodInfo& info() const { return descriptor_->info; }
  std::string id() const { return descriptor_->info.id; }
  /// "core" or "extra".
  std::string group() const { return to_string(descriptor_->group); }
  std::string level() const;
  std::vector<TableInfo> tables() const;
  /// Nothing if the method does not say what tables it has.
  std::optional<std::size_t> table_bytes() const;

  /// Everything that the module's code may execute.
  Isa needs() const;
  /// "ready", or what the CPU lacks: "needs bmi2 avx2".
  std::string status(Isa host) const;
  bool runs_on(Isa host) const;

  /// Builds the method's large tables, once. Precondition: the CPU can run the module.
  void initialise();

 private:
  struct Close {
    void operator()(void* handle) const;
  };
  std::filesystem::path path_;
  FileHandle copy_;  // open as long as the module: the loader tells modules apart by the names they were opened by
  std::unique_ptr<void, Close> handle_;
  const PluginDescriptor* descriptor_ = nullptr;
  bool initialised_ = false;
};

/// The path of the module that is being loaded or initialised; null if none is. For a signal handler: a module that
/// crashes there shall have a name.
const char* module_under_way();

/// From now on SIGALRM comes when a module has been loaded, or initialised, for so long; 0, as at first: never.
void limit_loading(unsigned seconds);

/// What $SLIDEBENCH_LOAD_LIMIT says, in seconds; five minutes without it. Throws UserError for what is no such number.
unsigned load_limit();

/// Where the program's own modules are: $SLIDEBENCH_PLUGINS, the folder `plugins` beside the program, or, where it is
/// installed, ../lib/slidebench/plugins from there.
std::filesystem::path plugin_folder();

/// For each method of `folder` with a module of this role: the module of the highest level that the host can run, or of
/// the lowest level if it can run none. Ordered by family, then id. Throws UserError for a folder without modules, and
/// for a file that is none.
std::vector<Plugin> load_folder(const std::filesystem::path& folder, ModuleRole role, Isa host);

/// The folder, beside the modules, of those linked from the same objects with their code at other addresses: a number
/// from 1 on. Placement 0 is the folder of the modules itself.
std::filesystem::path placement_folder(const std::filesystem::path& modules, unsigned placement);
/// Which placement a module is, by its path.
unsigned placement_of(const std::filesystem::path& module);

}  // namespace slidebench
