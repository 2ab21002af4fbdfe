// SPDX-License-Identifier: MIT
//
// A region of mapped memory that unmaps itself, and the name of a file that is mapped at an address.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>

namespace slidebench {

struct NamedRegion;

class MemoryMap {
 public:
  MemoryMap() = default;

  /// Maps a file's first `size` bytes, read-only. Returns an empty map on failure (see errno). Whoever shortens the
  /// file ends its readers by SIGBUS; mapped_file_at() then has its name.
  static MemoryMap of_file(int fd, std::size_t size, const std::string& name);

  /// Zeroed memory that takes space only where it is written. Returns an empty map on failure (see errno).
  static MemoryMap of_memory(std::size_t size);

  MemoryMap(MemoryMap&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        name_(std::exchange(other.name_, nullptr)) {}
  MemoryMap& operator=(MemoryMap&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(name_, other.name_);
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
  NamedRegion* name_ = nullptr;  ///< of a file
};

/// The name of the file whose mapping holds an address; null if there is none. A signal handler may call it.
const char* mapped_file_at(const void* address);

}  // namespace slidebench
