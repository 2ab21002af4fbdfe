// SPDX-License-Identifier: MIT
#include "harness/platform/large_pages.hpp"

#include <sys/mman.h>
#include <unistd.h>

namespace slidebench {

std::size_t base_page_bytes() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

std::size_t whole_large_pages(std::size_t bytes) { return (bytes + large_page - 1) / large_page * large_page; }

void advise_pages(void* start, std::size_t bytes, bool large) {
  madvise(start, whole_large_pages(bytes), large ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);  // a refusal shows in smaps
}

}  // namespace slidebench
