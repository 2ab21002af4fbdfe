// SPDX-License-Identifier: MIT
//
// Memory on pages of a chosen size: the base size, which is 4 KiB on x86-64, or 2 MiB.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>

namespace slidebench {

inline constexpr std::size_t large_page = 2u << 20;

/// Of an ordinary page: 4 KiB on x86-64; on AArch64 the kernel was built for 4, 16 or 64 KiB. What is called "4k" is
/// these.
inline std::size_t base_page_bytes() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

/// Bytes, rounded up to whole large pages.
constexpr std::size_t whole_large_pages(std::size_t bytes) {
  return (bytes + large_page - 1) / large_page * large_page;
}

/// Asks the kernel for 2 MiB pages under so many bytes, rounded up to whole ones, or for none. Call it before the
/// memory is written. Precondition: start is aligned to a large page, and what the rounding adds is the caller's too.
inline void advise_pages(void* start, std::size_t bytes, bool large) {
  madvise(start, whole_large_pages(bytes), large ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);  // a refusal shows in smaps
}

}  // namespace slidebench
