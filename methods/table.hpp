// SPDX-License-Identifier: MIT
//
// Table<T, N>: the lookup table that every method is built from.
//
// In an engine and in the timed build it is a plain aligned array. In the traced build (SLIDEBENCH_TRACED) each
// accessor also reports which bytes it reads, so that the cache simulator knows a method's memory accesses exactly:
// compiler instrumentation sees neither loads from constexpr tables nor gathers.
//
// Tables up to 64 KiB are constexpr. Larger ones are zero-initialised static storage that the method's init() fills
// once, aligned (and so padded) to 2 MiB, so that the pages under them can be chosen.
#pragma once

#include <cstddef>
#include <type_traits>

#include "methods/vector_loads.hpp"

namespace slidebench {

#ifdef SLIDEBENCH_TRACED
/// Called for every read; `offset` and `bytes` count from the start of `table`. Defined by the traced module.
void record_access(const void* table, std::size_t offset, std::size_t bytes);
#else
constexpr void record_access(const void*, std::size_t, std::size_t) {}
#endif

#if defined(__wasm__) || defined(_WIN32)
// Nobody chooses pages in a browser; a section of a Windows object begins at 8 KiB at most.
constexpr std::size_t table_alignment(std::size_t) { return 64; }
#else
constexpr std::size_t table_alignment(std::size_t bytes) { return bytes > (64u << 10) ? 2u << 20 : 64; }
#endif

/// N elements (words or records) of type T. Fill `data`; read through the accessors. Precondition: indices < N.
template <class T, std::size_t N>
struct alignas(table_alignment(N * sizeof(T))) Table {
  static constexpr std::size_t bytes = N * sizeof(T);

  T data[N] = {};

  /// One element: a word or a whole record.
  constexpr const T& operator[](std::size_t i) const { return report(i, sizeof(T)), element(i); }

  /// One member of a record, for queries that do not read the rest: a record may straddle two cache lines.
  template <class Member, class Record = T>
  constexpr const Member& member(std::size_t i, Member Record::*which) const {
    if (!std::is_constant_evaluated()) {
      const auto start = reinterpret_cast<const char*>(data);
      record_access(this, static_cast<std::size_t>(reinterpret_cast<const char*>(&(data[i].*which)) - start),
                    sizeof(Member));
    }
    return element(i).*which;
  }

  /// The elements from `first` on, as an array of their own, for tables that hold one array per square: by number, or
  /// by address. Keeps the start address apart from the index, which usually arrives later.
  constexpr auto row(std::size_t first) const { return from(data + first); }
  constexpr auto from(const T* first) const { return Row{this, first}; }

  /// 16, 32 or 64 bytes that begin at element i, as a vector of x86-64; two 8-byte elements as one of AArch64.
  /// Templates, so that those that are not there (vector_loads.hpp) are no error until they are used.
  template <class Loads = VectorLoads>
  auto load128(std::size_t i) const {
    return report(i, 16), Loads::load128(data + i);
  }
  template <class Loads = VectorLoads>
  auto load256(std::size_t i) const {
    return report(i, 32), Loads::load256(data + i);
  }
  template <class Loads = VectorLoads>
  auto load512(std::size_t i) const {
    return report(i, 64), Loads::load512(data + i);
  }
  template <class Loads = VectorLoads>
  auto load_pair(std::size_t i) const {
    return report(i, 16), Loads::load_pair(data + i);
  }

 private:
#ifdef __wasm__
  /// By an address that is a value of its own. Loads there add a constant for nothing, so that the members of a record
  /// take one address; Clang 14 computes one for each, from the address of the table.
  constexpr const T& element(std::size_t i) const {
    const T* address = data + i;
    if (!std::is_constant_evaluated()) asm("" : "+r"(address));
    return *address;
  }
#else
  /// By index: of `data + i` GCC 12 computes an address for each member of a record, which costs a `pext` one of six
  /// instructions.
  constexpr const T& element(std::size_t i) const { return data[i]; }
#endif

  struct Row {
    const Table* table;
    const T* first;
    constexpr const T& operator[](std::size_t i) const {
      return table->report(static_cast<std::size_t>(first - table->data) + i, sizeof(T)), first[i];
    }
  };

  constexpr void report(std::size_t i, std::size_t length) const {
    if (!std::is_constant_evaluated()) record_access(this, i * sizeof(T), length);
  }
};

}  // namespace slidebench
