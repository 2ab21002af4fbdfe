// SPDX-License-Identifier: MIT
//
// The traced twin's side of Table<T, N>: resolves an access to (table, offset) and hands it to whoever listens.
//
// An address is reported relative to its table, so that address randomisation cannot move a result.
#pragma once

#include "harness/plugin/abi.hpp"

namespace slidebench {

/// One listener a module; not thread-safe, like the modules' replay itself.
class AccessRecorder {
 public:
  static void send_to(const TableInfo* tables, std::uint32_t count, AccessSink sink, void* context) {
    tables_ = tables, count_ = count, sink_ = sink, context_ = context;
  }

  static void record(const void* table, std::size_t offset, std::size_t bytes) {
    if (sink_ == nullptr) return;
    for (std::uint32_t i = 0; i < count_; ++i) {
      if (tables_[i].address != table) continue;
      sink_(context_, i, static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(bytes));
      return;
    }
    // A table that the method's `tables` leaves out: reported as number `count`, which the host refuses.
    sink_(context_, count_, static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(bytes));
  }

 private:
  static inline const TableInfo* tables_ = nullptr;
  static inline std::uint32_t count_ = 0;
  static inline AccessSink sink_ = nullptr;
  static inline void* context_ = nullptr;
};

inline void record_access(const void* table, std::size_t offset, std::size_t bytes) {
  AccessRecorder::record(table, offset, bytes);
}

}  // namespace slidebench
