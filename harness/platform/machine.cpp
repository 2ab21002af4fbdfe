// SPDX-License-Identifier: MIT
#include "harness/platform/machine.hpp"

#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/emulator.hpp"
#include "harness/base/json_optional.hpp"
#include "harness/base/text.hpp"
#include "harness/platform/arm_cores.hpp"
#include "harness/platform/cpu_binding.hpp"
#include "harness/platform/cpuid.hpp"
#include "harness/platform/topology.hpp"

namespace slidebench {
namespace {

using nlohmann::json;

constexpr std::string_view blanks = " \t\r\n";

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(blanks) - first + 1));
}

/// The first line of a file, trimmed. Absent if there is no such file, or nothing in it.
std::optional<std::string> first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  line = trimmed(line);
  return line.empty() ? std::nullopt : std::optional(line);
}

/// A number that is unknown where it is not positive.
template <typename T>
json positive_or_null(T value) {
  return value > 0 ? json(value) : json(nullptr);
}

/// The whole number in a text; null for anything else.
json number(const std::optional<std::string>& text) { return parse_number<std::int64_t>(text.value_or("")); }

json file_number(const std::string& path) { return number(first_line(path)); }

/// The chosen one of "always [madvise] never".
json bracketed_choice(const std::string& path) {
  const std::string line = first_line(path).value_or("");
  const std::size_t open = line.find('[');
  const std::size_t close = line.find(']', open);
  if (open == std::string::npos || close == std::string::npos) return nullptr;
  return line.substr(open + 1, close - open - 1);
}

/// The "key : value" lines of the first processor in /proc/cpuinfo.
class CpuInfo {
 public:
  explicit CpuInfo(const std::string& root) {
    std::ifstream file(root + "/proc/cpuinfo");
    for (std::string line; std::getline(file, line) && !(line.empty() && !values_.empty());) {
      const std::size_t colon = line.find(':');
      if (colon != std::string::npos) values_[trimmed(line.substr(0, colon))] = trimmed(line.substr(colon + 1));
    }
  }

  std::optional<std::string> text(const std::string& key) const {
    const auto found = values_.find(key);
    const bool told = found != values_.end() && !found->second.empty();
    return told ? std::optional(found->second) : std::nullopt;
  }

  json integer(const std::string& key) const { return number(text(key)); }

  /// The feature flags, absent if the kernel gives none. x86 calls the line "flags", Arm "Features".
  std::optional<std::vector<std::string>> flags() const {
    const auto line = text("flags") ? text("flags") : text("Features");
    if (!line) return std::nullopt;
    std::istringstream words(*line);
    return std::vector<std::string>(std::istream_iterator<std::string>(words), {});
  }

 private:
  std::map<std::string, std::string> values_;
};

bool contains(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// The processor's name, which the kernel tells of x86, or that of an AArch64 processor's core.
json describe_cpu(const CpuInfo& cpu) {
  if (const auto name = cpu.text("model name")) return *name;
  const auto implementer = cpu.text("CPU implementer");
  const auto part = cpu.text("CPU part");
  return implementer && part ? json(arm_core_text(*implementer, *part)) : json(nullptr);
}

json describe_isa(const CpuInfo& cpu) {
  // What a method's code or its compiler may use, x86 first, then Arm.
  static constexpr std::string_view relevant[] = {
      "pni",       "ssse3",      "sse4_1",       "sse4_2",      "popcnt",        "avx",
      "avx2",      "fma",        "f16c",         "movbe",       "abm",           "bmi1",
      "bmi2",      "pclmulqdq",  "gfni",         "vaes",        "avx_vnni",      "avx512f",
      "avx512bw",  "avx512cd",   "avx512dq",     "avx512vl",    "avx512ifma",    "avx512vbmi",
      "sha_ni",    "vpclmulqdq", "avx512_vbmi2", "avx512_vnni", "avx512_bitalg", "avx512_vpopcntdq",
      "asimd",     "pmull",      "crc32",        "atomics",     "sve",           "sve2",
      "svebitperm"};
  const auto flags = cpu.flags();
  if (!flags) return nullptr;
  json names = json::array();
  for (const std::string_view name : relevant) {
    if (contains(*flags, name)) names.push_back(name);
  }
  return names;
}

/// The signature a hypervisor shows in CPUID leaf 0x40000000, such as "KVMKVMKVM".
std::string hypervisor_signature() {
  const CpuidRegisters told = cpuid(0x40000000);
  const std::array<std::uint32_t, 3> letters{told.ebx, told.ecx, told.edx};
  std::array<char, sizeof letters + 1> text{};
  std::memcpy(text.data(), letters.data(), sizeof letters);
  return trimmed(text.data());
}

json describe_hypervisor(const CpuInfo& cpu) {
  static constexpr std::pair<std::string_view, std::string_view> known[] = {
      {"KVMKVMKVM", "KVM"},    {"Microsoft Hv", "Hyper-V"}, {"VMwareVMware", "VMware"},
      {"XenVMMXenVMM", "Xen"}, {"TCGTCGTCGTCG", "QEMU"},    {"bhyve bhyve", "bhyve"}};
  const auto flags = cpu.flags();
  if (!flags) return nullptr;
  if (!contains(*flags, "hypervisor")) return cpu.text("flags") ? json("") : json(nullptr);  // Arm has no such flag
  const std::string signature = hypervisor_signature();
  for (const auto& [theirs, name] : known) {
    if (signature == theirs) return name;
  }
  return signature.empty() ? "unknown" : signature;
}

/// Whether the processor may clock above its nominal frequency.
json describe_turbo(const std::string& root) {
  const std::string cpu = root + "/sys/devices/system/cpu";
  const json intel_off = file_number(cpu + "/intel_pstate/no_turbo");
  if (!intel_off.is_null()) return intel_off == 0;
  const json boost = file_number(cpu + "/cpufreq/boost");
  return boost.is_null() ? json(nullptr) : json(boost != 0);
}

/// "Mitigation: Retpolines; STIBP disabled; ..." without its details.
json describe_mitigations(const std::string& root) {
  std::error_code error;
  const std::filesystem::directory_iterator folder(root + "/sys/devices/system/cpu/vulnerabilities", error);
  if (error) return nullptr;
  json mitigations = json::object();
  for (const auto& entry : folder) {
    const auto line = first_line(entry.path().string());
    if (line) mitigations[entry.path().filename().string()] = trimmed(line->substr(0, line->find(';')));
  }
  return mitigations;
}

json describe_load(const std::string& root) {
  std::ifstream file(root + "/proc/loadavg");
  double one = 0, five = 0, fifteen = 0;
  if (!(file >> one >> five >> fifteen)) return nullptr;
  return {one, five, fifteen};
}

json memory_bytes(const std::string& root) {
  std::ifstream file(root + "/proc/meminfo");
  std::string key;
  std::uint64_t kib = 0;
  if (!(file >> key >> kib) || key != "MemTotal:") return nullptr;
  return kib * 1024;
}

json describe_kernel() {
  utsname names{};
  if (uname(&names) != 0) return nullptr;
  return std::string(names.sysname) + " " + names.release;  // not nodename: that is the host
}

json cache_type(hwloc_obj_cache_type_t type) {
  switch (type) {
    case HWLOC_OBJ_CACHE_UNIFIED: return "unified";
    case HWLOC_OBJ_CACHE_DATA: return "data";
    case HWLOC_OBJ_CACHE_INSTRUCTION: return "instruction";
  }
  return nullptr;
}

/// hwloc says 0 for unknown and -1 for fully associative.
json cache_ways(std::uint64_t bytes, unsigned line_bytes, int associativity) {
  if (associativity < 0 && line_bytes > 0) return positive_or_null(bytes / line_bytes);
  return positive_or_null(associativity);
}

json describe_cache(hwloc_obj_t object) {
  const auto& cache = object->attr->cache;
  return {{"level", cache.depth},
          {"type", cache_type(cache.type)},
          {"bytes", positive_or_null(std::uint64_t{cache.size})},
          {"line_bytes", positive_or_null(cache.linesize)},
          {"ways", cache_ways(cache.size, cache.linesize, cache.associativity)},
          {"shared_by", positive_or_null(hwloc_bitmap_weight(object->cpuset))}};
}

/// The different caches, each with the number of its kind.
json describe_caches(hwloc_topology_t topology) {
  if (topology == nullptr) return nullptr;
  json kinds = json::array();
  std::vector<int> counts;
  for (const auto type : {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L1ICACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L2ICACHE,
                          HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L3ICACHE, HWLOC_OBJ_L4CACHE, HWLOC_OBJ_L5CACHE}) {
    for (hwloc_obj_t object = nullptr; (object = hwloc_get_next_obj_by_type(topology, type, object));) {
      const json cache = describe_cache(object);
      const auto kind = static_cast<std::size_t>(std::find(kinds.begin(), kinds.end(), cache) - kinds.begin());
      if (kind == counts.size()) {
        kinds.push_back(cache);
        counts.push_back(0);
      }
      ++counts[kind];
    }
  }
  for (std::size_t i = 0; i < counts.size(); ++i) kinds[i]["count"] = counts[i];
  return kinds.empty() ? json(nullptr) : kinds;
}

}  // namespace

json describe_machine(const std::string& root) {
  const CpuInfo cpu(root);
  const Topology topology = load_topology();
  const int cores = topology ? hwloc_get_nbobjs_by_type(topology.get(), HWLOC_OBJ_CORE) : 0;
  const int threads = topology ? hwloc_get_nbobjs_by_type(topology.get(), HWLOC_OBJ_PU) : 0;
  const std::string system_cpu = root + "/sys/devices/system/cpu";
  const std::string huge_pages = root + "/sys/kernel/mm/transparent_hugepage";
  return {{"cpu", describe_cpu(cpu)},
          {"vendor", cpu.text("vendor_id")},
          {"family", cpu.integer("cpu family")},
          {"model", cpu.integer("model")},
          {"stepping", cpu.integer("stepping")},
          {"microcode", cpu.text("microcode")},
          {"cores", positive_or_null(cores)},
          {"threads_per_core", positive_or_null(cores > 0 ? threads / cores : 0)},
          {"hypervisor", describe_hypervisor(cpu)},
          {"emulator", emulator()},
          {"governor", first_line(system_cpu + "/cpu0/cpufreq/scaling_governor")},
          {"turbo", describe_turbo(root)},
          {"caches", describe_caches(topology.get())},
          {"page_bytes", positive_or_null(sysconf(_SC_PAGESIZE))},
          {"thp", bracketed_choice(huge_pages + "/enabled")},
          {"thp_defrag", bracketed_choice(huge_pages + "/defrag")},
          {"kernel", describe_kernel()},
          {"perf_event_paranoid", file_number(root + "/proc/sys/kernel/perf_event_paranoid")},
          {"memory_bytes", memory_bytes(root)},
          {"mitigations", describe_mitigations(root)},
          {"load_average", describe_load(root)},
          {"isa", describe_isa(cpu)}};
}

ProcessNoise process_noise() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);  // cannot fail with these arguments
  return {usage.ru_nivcsw, usage.ru_minflt, usage.ru_majflt};
}

std::optional<std::uint64_t> steal_ticks(const std::string& root, std::optional<unsigned> cpu) {
  const std::string wanted = cpu ? "cpu" + std::to_string(*cpu) : "cpu";
  std::optional<std::uint64_t> steal;
  std::ifstream file(root + "/proc/stat");
  // "cpu3 user nice system idle iowait irq softirq steal ...", and first "cpu" for all of them.
  for (std::string line; std::getline(file, line) && line.starts_with("cpu");) {
    std::istringstream words(line);
    std::string name;
    std::array<std::uint64_t, 8> ticks{};
    words >> name;
    for (std::uint64_t& tick : ticks) words >> tick;
    if (words && (name == "cpu" || name == wanted)) steal = ticks.back();
  }
  return steal;
}

DisturbanceWatch::DisturbanceWatch() : cpu_(bound_cpu()), steal_before_(steal_ticks("", cpu_)) {}

Disturbance DisturbanceWatch::stop() const {
  Disturbance during{process_noise() - before_, {}};
  const std::optional<std::uint64_t> steal = steal_ticks("", cpu_);
  if (steal && steal_before_) during.steal = *steal - *steal_before_;
  return during;
}

}  // namespace slidebench
