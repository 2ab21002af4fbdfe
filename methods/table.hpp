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

#include <immintrin.h>

#include <cstddef>
#include <type_traits>

namespace slidebench {

#ifdef SLIDEBENCH_TRACED
/// Called for every read; `offset` and `bytes` count from the start of `table`. Defined by the traced module.
void record_access(const void* table, std::size_t offset, std::size_t bytes);
#else
constexpr void record_access(const void*, std::size_t, std::size_t) {}
#endif

constexpr std::size_t table_alignment(std::size_t bytes) { return bytes > (64u << 10) ? 2u << 20 : 64; }

/// N elements (words or records) of type T. Fill `data`; read through the accessors. Precondition: indices < N.
template <class T, std::size_t N>
struct alignas(table_alignment(N * sizeof(T))) Table {
  static constexpr std::size_t bytes = N * sizeof(T);

  T data[N] = {};

  /// One element: a word or a whole record.
  constexpr const T& operator[](std::size_t i) const { return report(i, sizeof(T)), data[i]; }

  /// One member of a record, for queries that do not read the rest: a record may straddle two cache lines.
  template <class Member, class Record = T>
  constexpr const Member& member(std::size_t i, Member Record::*which) const {
    if (!std::is_constant_evaluated()) {
      const auto start = reinterpret_cast<const char*>(data);
      record_access(this, static_cast<std::size_t>(reinterpret_cast<const char*>(&(data[i].*which)) - start),
                    sizeof(Member));
    }
    return data[i].*which;
  }

  /// The elements from `first` on, as an array of their own, for tables that hold one array per square: by number, or
  /// by address. Keeps the start address apart from the index, which usually arrives later.
  constexpr auto row(std::size_t first) const { return from(data + first); }
  constexpr auto from(const T* first) const { return Row{this, first}; }

#ifdef __SSE2__
  /// 16, 32 or 64 bytes that begin at element i.
  __m128i load128(std::size_t i) const { return report(i, 16), _mm_loadu_si128(at<__m128i>(i)); }
#endif
#ifdef __AVX2__
  __m256i load256(std::size_t i) const { return report(i, 32), _mm256_loadu_si256(at<__m256i>(i)); }

  /// Four 8-byte elements at the four 64-bit indices.
  __m256i gather(__m256i indices) const {
    static_assert(sizeof(T) == 8);
    alignas(32) long long each[4];
    _mm256_store_si256(reinterpret_cast<__m256i*>(each), indices);
    for (const long long i : each) report(static_cast<std::size_t>(i), sizeof(T));
    return _mm256_i64gather_epi64(reinterpret_cast<const long long*>(data), indices, 8);
  }
#endif
#ifdef __AVX512F__
  __m512i load512(std::size_t i) const { return report(i, 64), _mm512_loadu_si512(data + i); }
#endif

 private:
  struct Row {
    const Table* table;
    const T* first;
    constexpr const T& operator[](std::size_t i) const {
      return table->report(static_cast<std::size_t>(first - table->data) + i, sizeof(T)), first[i];
    }
  };

  template <class Vector>
  const Vector* at(std::size_t i) const {
    return reinterpret_cast<const Vector*>(data + i);
  }

  constexpr void report(std::size_t i, std::size_t length) const {
    if (!std::is_constant_evaluated()) record_access(this, i * sizeof(T), length);
  }
};

}  // namespace slidebench
