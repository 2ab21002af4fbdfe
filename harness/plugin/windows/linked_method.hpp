// SPDX-License-Identifier: MIT
//
// A method as part of a program, where modules cannot be loaded: the descriptor of its module as far as verification
// goes.
#pragma once

#include <cstdint>

#include "harness/plugin/module.hpp"

namespace slidebench {

/// Without replay kernels, store, engine and tables. `level` and `compiled_isa` as of a module
/// (harness/plugin/abi.hpp).
template <AttackMethod M>
PluginDescriptor linked_method(std::uint32_t level, Isa compiled_isa) {
  PluginDescriptor method{};
  method.info = M::info;
  method.level = level;
  method.compiled_isa = compiled_isa;
  method.initialise = &initialise<M>;
  method.queries = ModuleOf<M>::queries;
  method.board = ModuleOf<M>::board;
  return method;
}

}  // namespace slidebench
