// SPDX-License-Identifier: MIT
#include "harness/trace/memory_map.hpp"

#include <sys/mman.h>

namespace slidebench {

MemoryMap::MemoryMap(void* address, std::size_t size) {
  if (address == MAP_FAILED) return;
  data_ = static_cast<char*>(address);
  size_ = size;
}

MemoryMap MemoryMap::of_file(int fd, std::size_t size) {
  return {::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0), size};
}

MemoryMap MemoryMap::of_memory(std::size_t size) {
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  return {::mmap(nullptr, size, PROT_READ | PROT_WRITE, flags, -1, 0), size};
}

MemoryMap::~MemoryMap() {
  if (data_ != nullptr) ::munmap(data_, size_);
}

}  // namespace slidebench
