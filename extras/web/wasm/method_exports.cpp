// SPDX-License-Identifier: MIT
//
// What every WebAssembly module of methods exports: how many there are and what is printed about each.
#include "extras/web/wasm/method_exports.hpp"

namespace slidebench::wasm {

/// Whoever throws has met a mistake of the module's: there is nobody to catch it.
// NOLINTBEGIN(bugprone-reserved-identifier): the names are the ABI's.
extern "C" void* __cxa_allocate_exception(std::size_t) noexcept { __builtin_trap(); }
extern "C" [[noreturn]] void __cxa_throw(void*, void*, void (*)(void*)) { __builtin_trap(); }
// NOLINTEND(bugprone-reserved-identifier)

SLIDEBENCH_EXPORT(methods) std::uint32_t methods() { return method_count(); }
SLIDEBENCH_EXPORT(method_id) const char* method_id(std::uint32_t method) { return method_info(method).id; }
SLIDEBENCH_EXPORT(method_title) const char* method_title(std::uint32_t method) { return method_info(method).title; }
SLIDEBENCH_EXPORT(method_family) const char* method_family(std::uint32_t method) { return method_info(method).family; }
SLIDEBENCH_EXPORT(method_inventor) const char* method_inventor(std::uint32_t m) { return method_info(m).inventor; }
SLIDEBENCH_EXPORT(method_reference) const char* method_reference(std::uint32_t m) { return method_info(m).reference; }
SLIDEBENCH_EXPORT(method_year) int method_year(std::uint32_t method) { return method_info(method).year; }

}  // namespace slidebench::wasm
