// SPDX-License-Identifier: MIT
#include "harness/plugin/loader.hpp"

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <span>
#include <utility>

#include "harness/base/errors.hpp"
#include "harness/base/text.hpp"
#include "harness/plugin/cpu.hpp"
#include "harness/plugin/features.hpp"

namespace slidebench {
namespace {

std::atomic<const char*> under_way = nullptr;
std::atomic<unsigned> most_seconds = 0;

constexpr std::string_view placement_prefix = "placement";

/// A module whose code runs for the first time. The path has to stay.
class UnderWay {
 public:
  explicit UnderWay(const std::filesystem::path& path) {
    under_way = path.c_str();
    alarm(most_seconds);
  }
  UnderWay(const UnderWay&) = delete;
  UnderWay& operator=(const UnderWay&) = delete;
  ~UnderWay() {
    alarm(0);
    under_way = nullptr;
  }
};

std::string last_loader_message() {
  const char* text = dlerror();
  std::string message = text != nullptr ? text : "no reason given";
  std::replace(message.begin(), message.end(), '\n', ' ');
  return message;
}

void check_descriptor(const PluginDescriptor& d, const std::string& path) {
  if (d.magic != plugin_magic) {
    throw UserError(path + ": not a slidebench plug-in: its symbol " + plugin_symbol +
                    " is something else; build it with add_method()");
  }
  if (d.abi_version != plugin_abi_version || d.descriptor_bytes != sizeof(PluginDescriptor)) {
    throw UserError(path + ": plug-in of ABI version " + std::to_string(d.abi_version) +
                    ", this program needs version " + std::to_string(plugin_abi_version) +
                    "; build it again with this checkout's add_method()");
  }
}

bool is_name(std::string_view text) {
  const auto is_of_it = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  return !text.empty() && text.size() <= 100 && std::all_of(text.begin(), text.end(), is_of_it);
}

/// Texts go to terminals, tables and pages.
bool is_text(std::string_view text) { return text.size() <= 4000 && printable(text) == text; }

/// Claims that no method can mean, and texts that are not there. What the pointers point to cannot be checked.
void check_claims(const PluginDescriptor& d, const std::string& path) {
  constexpr std::uint32_t most_tables = 4096;
  constexpr std::size_t largest_table = std::size_t{1} << 32;  // the offset of an access has 32 bits
  const auto refuse = [&path](const std::string& what) {
    throw UserError(path + ": " + what + "; build it with this checkout's add_method()");
  };
  const MethodInfo& info = d.info;
  for (const char* text : {info.id, info.title, info.family, info.inventor, info.reference, d.compiler, d.flags}) {
    if (text == nullptr) refuse("the plug-in does not say what it is");
  }
  if (!is_name(info.id)) refuse("the plug-in's method has no name of lower-case letters, digits and _");
  const std::string method = "method " + std::string(info.id);
  if (!is_name(info.family)) refuse(method + " has no family of such letters");
  for (const char* text : {info.title, info.inventor, info.reference, d.compiler, d.flags}) {
    if (!is_text(text)) refuse(method + " says something of itself that cannot be printed");
  }
  if (d.role > ModuleRole::twice || d.group > MethodGroup::extension)
    refuse(method + " is of a kind that there is not");
  if (d.level == 0 || d.level > isa_levels().size()) {
    refuse("the plug-in is for level " + std::to_string(d.level) + ", which this architecture does not have");
  }
  if (d.table_count > most_tables || (d.tables == nullptr && d.table_count > 0)) {
    refuse(method + " claims " + std::to_string(d.table_count) + " tables");
  }
  for (const TableInfo& table : std::span(d.tables, d.table_count)) {
    if (table.name == nullptr || !is_text(table.name))
      refuse(method + " has a table without a name that can be printed");
    if (table.bytes > largest_table) refuse(method + " claims a table of " + std::to_string(table.bytes) + " bytes");
  }
}

/// The file's bytes in a file that lies in memory only; none where the kernel refuses such files.
FileHandle copy_in_memory(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  FileHandle copy(memfd_create(path.filename().c_str(), MFD_CLOEXEC));
  if (!copy || bytes.empty() || write_all(copy.get(), bytes.data(), bytes.size()) != 0) return {};
  return copy;
}

/// The modules of a folder, in order of their names.
std::vector<std::filesystem::path> modules_in(const std::filesystem::path& folder) {
  std::error_code error;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".so") files.push_back(entry.path());
  }
  if (error || files.empty()) {
    throw UserError(folder.string() +
                    ": no plug-ins here; build the project, or set SLIDEBENCH_PLUGINS to their folder");
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

void Plugin::Close::operator()(void* handle) const { dlclose(handle); }

Plugin Plugin::open(const std::filesystem::path& path, CodePages pages) {
  // A path without a slash would make the loader search its own folders.
  std::error_code error;
  const std::filesystem::path full = std::filesystem::absolute(path, error);
  if (!std::filesystem::exists(full, error)) {
    throw UserError(path.string() + ": no such plug-in; give the path of a module that add_method() built");
  }
  Plugin plugin;
  plugin.path_ = full;
  if (pages == CodePages::own) plugin.copy_ = copy_in_memory(full);
  const std::string opened = plugin.copy_ ? "/proc/self/fd/" + std::to_string(plugin.copy_.get()) : full.string();
  const UnderWay loading(full);  // its constructors run
  plugin.handle_.reset(dlopen(opened.c_str(), RTLD_NOW | RTLD_LOCAL));
  if (!plugin.handle_) throw UserError(path.string() + ": cannot be loaded as a plug-in: " + last_loader_message());
  const void* symbol = dlsym(plugin.handle_.get(), plugin_symbol);
  if (symbol == nullptr) {
    throw UserError(path.string() + ": not a slidebench plug-in: it exports no " + plugin_symbol +
                    "; build it with add_method()");
  }
  plugin.descriptor_ = static_cast<const PluginDescriptor*>(symbol);
  check_descriptor(*plugin.descriptor_, path.string());
  check_claims(*plugin.descriptor_, path.string());
  return plugin;
}

std::vector<TableInfo> Plugin::tables() const {
  return {descriptor_->tables, descriptor_->tables + descriptor_->table_count};
}

std::optional<std::size_t> Plugin::table_bytes() const {
  if (descriptor_->tables == nullptr) return std::nullopt;
  std::size_t bytes = 0;
  for (const TableInfo& table : tables()) bytes += table.bytes;
  return bytes;
}

std::string Plugin::level() const { return isa_levels()[descriptor_->level - 1].name; }

Isa Plugin::needs() const {
  return descriptor_->info.requires_isa | descriptor_->compiled_isa | isa_levels()[descriptor_->level - 1].isa;
}

bool Plugin::runs_on(Isa host) const { return (needs() & ~host) == Isa::none; }

std::string Plugin::status(Isa host) const {
  if (runs_on(host)) return "ready";
  std::string text = "needs";
  for (const std::string& name : isa_names(needs() & ~host)) text += " " + name;
  return text;
}

void Plugin::initialise() {
  if (initialised_) return;
  const UnderWay initialising(path_);
  descriptor_->initialise();
  initialised_ = true;
}

const char* module_under_way() { return under_way; }

void limit_loading(unsigned seconds) { most_seconds = seconds; }

unsigned load_limit() {
  constexpr unsigned usual = 300, most = 1'000'000;
  const char* const text = std::getenv("SLIDEBENCH_LOAD_LIMIT");
  if (text == nullptr) return usual;
  const std::optional<unsigned> seconds = parse_number<unsigned>(text);
  if (seconds.value_or(most + 1) > most) {
    throw UserError("SLIDEBENCH_LOAD_LIMIT is '" + std::string(text) +
                    "'; give a number of seconds, or 0 for no limit");
  }
  return *seconds;
}

std::filesystem::path plugin_folder() {
  if (const char* folder = std::getenv("SLIDEBENCH_PLUGINS")) return folder;
  const std::filesystem::path beside = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  std::error_code error;
  const std::filesystem::path installed = beside.parent_path() / "lib" / "slidebench" / "plugins";
  const bool is_installed =
      !std::filesystem::exists(beside / "plugins", error) && std::filesystem::exists(installed, error);
  return is_installed ? installed : beside / "plugins";
}

std::filesystem::path placement_folder(const std::filesystem::path& modules, unsigned placement) {
  return placement == 0 ? modules : modules / (std::string(placement_prefix) + std::to_string(placement));
}

unsigned placement_of(const std::filesystem::path& module) {
  const std::string folder = module.parent_path().filename().string();
  if (!folder.starts_with(placement_prefix)) return 0;
  return parse_number<unsigned>(std::string_view(folder).substr(placement_prefix.size())).value_or(0);
}

std::vector<Plugin> load_folder(const std::filesystem::path& folder, ModuleRole role, Isa host) {
  // Better: runs here, and then the higher level. Among modules that do not run, the lower level needs least.
  const auto rank = [host](const Plugin& p) {
    const int level = static_cast<int>(p.descriptor().level);
    return p.runs_on(host) ? std::pair{1, level} : std::pair{0, -level};
  };
  std::map<std::string, Plugin> best;
  for (const auto& file : modules_in(folder)) {
    Plugin plugin = Plugin::open(file);
    if (plugin.descriptor().role != role) continue;
    const auto found = best.find(plugin.id());
    if (found == best.end()) {
      best.emplace(plugin.id(), std::move(plugin));
    } else if (rank(plugin) > rank(found->second)) {
      found->second = std::move(plugin);
    }
  }

  std::vector<Plugin> plugins;
  for (auto& [id, plugin] : best) plugins.push_back(std::move(plugin));
  std::ranges::sort(plugins, {}, [](const Plugin& p) { return std::pair(std::string(p.info().family), p.id()); });
  return plugins;
}

}  // namespace slidebench
