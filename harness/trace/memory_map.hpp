// SPDX-License-Identifier: MIT
//
// A region of mapped memory that unmaps itself.
#pragma once

#include <cstddef>
#include <span>
#include <utility>

namespace slidebench {

class MemoryMap {
 public:
  MemoryMap() = default;

  /// Maps a file's first `size` bytes, read-only. Returns an empty map on failure (see errno).
  static MemoryMap of_file(int fd, std::size_t size);

  /// Zeroed memory that takes space only where it is written. Returns an empty map on failure (see errno).
  static MemoryMap of_memory(std::size_t size);

  MemoryMap(MemoryMap&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  MemoryMap& operator=(MemoryMap&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~MemoryMap();

  explicit operator bool() const { return data_ != nullptr; }
  char* data() const { return data_; }
  std::span<const char> bytes() const { return {data_, size_}; }

 private:
  MemoryMap(void* address, std::size_t size);

  char* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace slidebench
