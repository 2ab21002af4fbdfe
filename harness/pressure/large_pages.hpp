// SPDX-License-Identifier: MIT
//
// Memory on pages of a chosen size: 4 KiB or 2 MiB.
#pragma once

#include <cstddef>

namespace slidebench {

inline constexpr std::size_t large_page = 2u << 20;

/// Bytes, rounded up to whole large pages.
std::size_t whole_large_pages(std::size_t bytes);

/// Asks the kernel for 2 MiB pages under so many bytes, rounded up to whole ones, or for none. Call it before the
/// memory is written. Precondition: start is aligned to a large page, and what the rounding adds is the caller's too.
void advise_pages(void* start, std::size_t bytes, bool large);

}  // namespace slidebench
