// SPDX-License-Identifier: MIT
//
// The methods of a WebAssembly module, of this one and of the atlas's: what method_exports.cpp exports of them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "methods/method.hpp"

/// Before a function's declaration: its name in the module.
#define SLIDEBENCH_EXPORT(name) extern "C" [[clang::export_name(#name)]]

namespace slidebench::wasm {

/// Defined by each module.
std::uint32_t method_count();
/// Precondition: method < method_count().
const MethodInfo& method_info(std::uint32_t method);

}  // namespace slidebench::wasm
