// SPDX-License-Identifier: MIT
//
// Where processes run: the measuring one alone on one CPU, all others elsewhere. A thread that the scheduler moves
// loses its caches and predictors, and a thread beside it on the same core takes half of them.
//
// Linux hands a process's binding down to its children. So that a measuring process may leave what its parent was bound
// to, bind_elsewhere() writes the CPUs that were allowed at first into the environment, under allowed_cpus_variable.
#pragma once

#include <optional>
#include <string>

namespace slidebench {

inline constexpr const char* allowed_cpus_variable = "SLIDEBENCH_ALLOWED_CPUS";

/// Which CPUs, by the kernel's numbers.
struct CpuBinding {
  std::optional<unsigned> cpu;  ///< to measure on; absent if the binding failed
  std::string others;           ///< for everything else, such as "0,2-3"; empty if there is no other
};

/// Chooses among the CPUs of a list such as "0-3,8", or all that the machine allows if the list is empty or names none
/// of them. To measure on: the first hardware thread of the last core, of the fastest kind of core that there is; not
/// CPU 0 if there is another, because interrupts often go there. For others: what is not on that core; if that is
/// nothing, the core's other threads.
/// @param synthetic  an hwloc description of another machine, for tests
CpuBinding choose_cpus(const std::string& allowed, const char* synthetic = nullptr);

/// Binds this process to the CPU to measure on. Nothing happens if that fails.
CpuBinding bind_to_measuring_cpu();

/// Binds this process, and so those that it will start, to the others; to all allowed CPUs if there is no other. Call
/// it before other threads start: it may change the environment. Nothing happens if it fails.
CpuBinding bind_elsewhere();

/// Lets this process run on all allowed CPUs again, for what comes when nothing is measured any more.
void lift_binding();

/// The CPU that the calling thread is bound to; absent if it may run on several.
std::optional<unsigned> bound_cpu();

}  // namespace slidebench
