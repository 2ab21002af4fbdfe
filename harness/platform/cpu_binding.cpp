// SPDX-License-Identifier: MIT
#include "harness/platform/cpu_binding.hpp"

#include <sched.h>

#include <cstdlib>
#include <memory>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "harness/platform/topology.hpp"

namespace slidebench {
namespace {

/// An hwloc set of CPUs that frees itself.
class CpuSet {
 public:
  CpuSet() : set_(hwloc_bitmap_alloc()) {
    if (!set_) throw std::bad_alloc();
  }
  /// Reads a list such as "0,2-3"; empty for what is no list.
  explicit CpuSet(const std::string& list) : CpuSet() {
    if (hwloc_bitmap_list_sscanf(get(), list.c_str()) != 0) hwloc_bitmap_zero(get());
  }
  static CpuSet of(unsigned cpu) {
    CpuSet set;
    hwloc_bitmap_only(set.get(), cpu);
    return set;
  }

  hwloc_bitmap_t get() const { return set_.get(); }
  bool empty() const { return hwloc_bitmap_iszero(get()) != 0; }
  unsigned first() const { return static_cast<unsigned>(hwloc_bitmap_first(get())); }

  CpuSet within(hwloc_const_bitmap_t other) const {
    CpuSet both;
    hwloc_bitmap_and(both.get(), get(), other);
    return both;
  }
  CpuSet without(hwloc_const_bitmap_t other) const {
    CpuSet rest;
    hwloc_bitmap_andnot(rest.get(), get(), other);
    return rest;
  }

  std::string list() const {
    char* text = nullptr;
    if (hwloc_bitmap_list_asprintf(&text, get()) < 0) throw std::bad_alloc();
    const std::unique_ptr<char, decltype(&std::free)> owner(text, &std::free);
    return text;
  }

 private:
  struct Free {
    void operator()(hwloc_bitmap_t set) const { hwloc_bitmap_free(set); }
  };
  std::unique_ptr<std::remove_pointer_t<hwloc_bitmap_t>, Free> set_;
};

/// What hwloc knows of the machine. Throws std::runtime_error if it knows nothing.
class CpuTopology {
 public:
  explicit CpuTopology(const char* synthetic = nullptr) : topology_(load_topology(synthetic)) {
    if (!topology_) throw std::runtime_error("hwloc finds no machine");
  }

  hwloc_topology_t get() const { return topology_.get(); }

  /// Those CPUs of the list that there are; all if that is none.
  CpuSet allowed(const std::string& list) const {
    const hwloc_const_bitmap_t all = hwloc_topology_get_allowed_cpuset(get());
    CpuSet named = CpuSet(list).within(all);
    if (named.empty()) hwloc_bitmap_copy(named.get(), all);
    return named;
  }

  /// Those of the fastest kind of core, as far as it is known which that is.
  CpuSet fastest_of(const CpuSet& cpus) const {
    const int kinds = hwloc_cpukinds_get_nr(get(), 0);
    if (kinds > 1) {
      CpuSet kind;
      int efficiency = -1;  // the last kind has the highest one; unknown ones stay at -1
      hwloc_cpukinds_get_info(get(), static_cast<unsigned>(kinds - 1), kind.get(), &efficiency, nullptr, nullptr, 0);
      CpuSet fastest = cpus.within(kind.get());
      if (efficiency >= 0 && !fastest.empty()) return fastest;
    }
    return cpus.within(cpus.get());
  }

  /// The first hardware thread of the last core that has one of these.
  unsigned last_core_of(const CpuSet& cpus) const {
    for (int i = hwloc_get_nbobjs_by_type(get(), HWLOC_OBJ_CORE) - 1; i >= 0; --i) {
      const hwloc_obj* core = hwloc_get_obj_by_type(get(), HWLOC_OBJ_CORE, static_cast<unsigned>(i));
      const CpuSet threads = cpus.within(core->cpuset);
      if (!threads.empty()) return threads.first();
    }
    return static_cast<unsigned>(hwloc_bitmap_last(cpus.get()));  // a machine whose cores are not known
  }

  /// Those that are on another core than `cpu`; if there is none, those that are not `cpu`.
  CpuSet beside(const CpuSet& cpus, unsigned cpu) const {
    CpuSet others = cpus.without(CpuSet::of(cpu).get());
    hwloc_obj* const thread = hwloc_get_pu_obj_by_os_index(get(), cpu);
    const hwloc_obj* core = thread == nullptr ? nullptr : hwloc_get_ancestor_obj_by_type(get(), HWLOC_OBJ_CORE, thread);
    if (core == nullptr) return others;
    CpuSet other_cores = others.without(core->cpuset);
    return other_cores.empty() ? std::move(others) : std::move(other_cores);
  }

  bool bind(const CpuSet& cpus) const { return hwloc_set_cpubind(get(), cpus.get(), HWLOC_CPUBIND_PROCESS) == 0; }

 private:
  Topology topology_;
};

CpuBinding choose(const CpuTopology& machine, const CpuSet& allowed) {
  const CpuSet fastest = machine.fastest_of(allowed);
  const CpuSet without_first = fastest.without(CpuSet::of(0).get());
  const unsigned cpu = machine.last_core_of(without_first.empty() ? fastest : without_first);
  return {cpu, machine.beside(allowed, cpu).list()};
}

/// What the process was allowed before anything here bound it or its parents.
std::string allowed_at_first(const CpuTopology& machine) {
  if (const char* inherited = std::getenv(allowed_cpus_variable)) return inherited;
  const CpuSet now;
  return hwloc_get_cpubind(machine.get(), now.get(), HWLOC_CPUBIND_PROCESS) == 0 ? now.list() : "";
}

}  // namespace

CpuBinding choose_cpus(const std::string& allowed, const char* synthetic) {
  const CpuTopology machine(synthetic);
  return choose(machine, machine.allowed(allowed));
}

CpuBinding bind_to_measuring_cpu() try {
  const CpuTopology machine;
  const CpuBinding binding = choose(machine, machine.allowed(allowed_at_first(machine)));
  return machine.bind(CpuSet::of(*binding.cpu)) ? binding : CpuBinding{};
} catch (const std::runtime_error&) {
  return {};
}

CpuBinding bind_elsewhere() try {
  const CpuTopology machine;
  const CpuSet allowed = machine.allowed(allowed_at_first(machine));
  const CpuBinding binding = choose(machine, allowed);
  setenv(allowed_cpus_variable, allowed.list().c_str(), 1);
  return machine.bind(CpuSet(binding.others.empty() ? allowed.list() : binding.others)) ? binding : CpuBinding{};
} catch (const std::runtime_error&) {
  return {};
}

void lift_binding() try {
  const CpuTopology machine;
  machine.bind(machine.allowed(allowed_at_first(machine)));
} catch (const std::runtime_error&) {
}

std::optional<unsigned> bound_cpu() {
  cpu_set_t cpus;
  if (sched_getaffinity(0, sizeof cpus, &cpus) != 0 || CPU_COUNT(&cpus) != 1) return std::nullopt;
  for (unsigned cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &cpus)) return cpu;
  }
  return std::nullopt;
}

}  // namespace slidebench
