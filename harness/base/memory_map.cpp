// SPDX-License-Identifier: MIT
#include "harness/base/memory_map.hpp"

#include <sys/mman.h>

#include <array>
#include <atomic>
#include <mutex>

namespace slidebench {

/// Where a file is mapped. `begin` is set last and cleared first: a signal handler reads the others only while it is.
struct NamedRegion {
  std::atomic<const char*> begin = nullptr;
  std::size_t size = 0;
  std::array<char, 256> name{};
};

namespace {

// A program maps few files at a time; those beyond these have no name when they fail.
std::array<NamedRegion, 64> regions;
std::mutex regions_mutex;

NamedRegion* note_region(const char* begin, std::size_t size, const std::string& name) {
  const std::lock_guard lock(regions_mutex);
  for (NamedRegion& region : regions) {
    if (region.begin != nullptr) continue;
    region.size = size;
    region.name[name.copy(region.name.data(), region.name.size() - 1)] = 0;
    region.begin = begin;
    return &region;
  }
  return nullptr;
}

}  // namespace

const char* mapped_file_at(const void* address) {
  const auto* const at = static_cast<const char*>(address);
  for (const NamedRegion& region : regions) {
    const char* const begin = region.begin;
    if (begin != nullptr && at >= begin && at < begin + region.size) return region.name.data();
  }
  return nullptr;
}

MemoryMap::MemoryMap(void* address, std::size_t size) {
  if (address == MAP_FAILED) return;
  data_ = static_cast<char*>(address);
  size_ = size;
}

MemoryMap MemoryMap::of_file(int fd, std::size_t size, const std::string& name) {
  MemoryMap map{::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0), size};
  if (map) map.name_ = note_region(map.data_, size, name);
  return map;
}

MemoryMap MemoryMap::of_memory(std::size_t size) {
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  return {::mmap(nullptr, size, PROT_READ | PROT_WRITE, flags, -1, 0), size};
}

MemoryMap::~MemoryMap() {
  if (name_ != nullptr) name_->begin = nullptr;
  if (data_ != nullptr) ::munmap(data_, size_);
}

}  // namespace slidebench
