// SPDX-License-Identifier: MIT
//
// On what pages a method's large tables lie: 4 KiB or 2 MiB. Tables over 64 KiB are aligned to 2 MiB (table.hpp), so
// that the kernel can be asked before their first byte is written; whether it complied is read back from smaps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "harness/platform/large_pages.hpp"
#include "harness/plugin/loader.hpp"

namespace slidebench {

/// Whether a table is large enough for its pages to be chosen.
constexpr bool has_own_pages(const TableInfo& table) { return table.bytes > (64u << 10); }

/// Advises on all large tables of a module that is not initialised yet.
void advise_table_pages(const Plugin& plugin, bool large);

/// Bytes of a module's large tables, and how many of them lie on 2 MiB pages now.
struct TablePages {
  std::uint64_t bytes = 0;
  std::uint64_t large_bytes = 0;
};
/// @param smaps  what smaps_of_this_process() gave after the module's tables were written
TablePages table_pages(const Plugin& plugin, const std::string& smaps);

/// The text of /proc/self/smaps: a millisecond or more of the kernel's time.
std::string smaps_of_this_process();

/// Bytes of [start, start + bytes) on 2 MiB pages, according to text in the form of /proc/self/smaps; of a mapping that
/// reaches further, its share. Pure, for tests.
std::uint64_t bytes_on_large_pages(const std::string& smaps, std::uint64_t start, std::uint64_t bytes);

/// Why this system gives no 2 MiB pages; empty if it does. @param root, base_bytes  what is put in front of /sys, and
/// the size of a base page: for tests
std::string large_pages_refused(const std::string& root = "", std::size_t base_bytes = base_page_bytes());

}  // namespace slidebench
