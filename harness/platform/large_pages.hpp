// SPDX-License-Identifier: MIT
//
// Memory on pages of a chosen size: the base size, which is 4 KiB on x86-64, or 2 MiB.
#pragma once

#include <cstddef>

namespace slidebench {

inline constexpr std::size_t large_page = 2u << 20;

/// Of an ordinary page: 4 KiB on x86-64; on AArch64 the kernel was built for 4, 16 or 64 KiB. What is called "4k" is
/// these.
std::size_t base_page_bytes();

/// Bytes, rounded up to whole large pages.
std::size_t whole_large_pages(std::size_t bytes);

/// Asks the kernel for 2 MiB pages under so many bytes, rounded up to whole ones, or for none. Call it before the
/// memory is written. Precondition: start is aligned to a large page, and what the rounding adds is the caller's too.
void advise_pages(void* start, std::size_t bytes, bool large);

}  // namespace slidebench
