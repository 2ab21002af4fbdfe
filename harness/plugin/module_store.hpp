// SPDX-License-Identifier: MIT
//
// The store of a module, defined: ModuleStore's members for the type `Store`, which the source that includes this names
// before, in namespace slidebench. To be included once in a module.
#pragma once

#include "harness/plugin/module.hpp"
#include "harness/plugin/replay_stores.hpp"

// NOLINTBEGIN(misc-definitions-in-headers): included once
namespace slidebench {

#ifdef SLIDEBENCH_TRACED
alignas(64) std::byte ModuleStore::place[sizeof(StoreLine<Store, store_depth>)];

const StoreQueries ModuleStore::queries = [] {
  StoreQueries queries = QueriesOfStore<Store>::value;
  queries.place = place;
  return queries;
}();
#else
const StoreQueries ModuleStore::queries = QueriesOfStore<Store>::value;
#endif

std::uint64_t ModuleStore::moves(const TraceBlock& block) { return replay_moves<Store>(block); }
std::uint64_t ModuleStore::threats(const TraceBlock& block) { return replay_threats<Store>(block); }
std::uint64_t ModuleStore::keep(const TraceBlock& block) { return replay_keep<Store>(block); }

#ifndef SLIDEBENCH_TRACED
std::uint64_t ModuleStore::moves_under(const TraceBlock& block, const PressureHook& pressure) {
  return replay_moves<Store>(block, WithPressure{pressure});
}
std::uint64_t ModuleStore::threats_under(const TraceBlock& block, const PressureHook& pressure) {
  return replay_threats<Store>(block, WithPressure{pressure});
}
std::uint64_t ModuleStore::keep_under(const TraceBlock& block, const PressureHook& pressure) {
  return replay_keep<Store>(block, WithPressure{pressure});
}
std::uint64_t ModuleStore::moves_beside(const TraceBlock& block, const PressureHook& work) {
  return replay_moves<Store>(block, WithWork{work});
}
std::uint64_t ModuleStore::threats_beside(const TraceBlock& block, const PressureHook& work) {
  return replay_threats<Store>(block, WithWork{work});
}
std::uint64_t ModuleStore::keep_beside(const TraceBlock& block, const PressureHook& work) {
  return replay_keep<Store>(block, WithWork{work});
}
#endif

}  // namespace slidebench
// NOLINTEND(misc-definitions-in-headers)
