// SPDX-License-Identifier: MIT
#include "harness/measure/table_pages.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>

namespace slidebench {
namespace {

std::string read_file(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

void advise_table_pages(const Plugin& plugin, bool large) {
  for (const TableInfo& table : plugin.tables()) {
    if (has_own_pages(table)) advise_pages(const_cast<void*>(table.address), table.bytes, large);
  }
}

std::string smaps_of_this_process() { return read_file("/proc/self/smaps"); }

TablePages table_pages(const Plugin& plugin, const std::string& smaps) {
  TablePages pages;
  for (const TableInfo& table : plugin.tables()) {
    if (!has_own_pages(table)) continue;
    pages.bytes += table.bytes;
    pages.large_bytes += bytes_on_large_pages(smaps, reinterpret_cast<std::uintptr_t>(table.address), table.bytes);
  }
  return pages;
}

std::uint64_t bytes_on_large_pages(const std::string& smaps, std::uint64_t start, std::uint64_t bytes) {
  std::uint64_t total = 0;
  std::uint64_t overlap = 0;
  std::istringstream lines(smaps);
  for (std::string line; std::getline(lines, line);) {
    unsigned long long from = 0, to = 0, kib = 0;
    if (std::sscanf(line.c_str(), "%llx-%llx ", &from, &to) == 2) {
      const std::uint64_t low = std::max<std::uint64_t>(from, start);
      const std::uint64_t high = std::min<std::uint64_t>(to, start + bytes);
      overlap = high > low ? high - low : 0;
    } else if (std::sscanf(line.c_str(), "AnonHugePages: %llu kB", &kib) == 1) {
      total += std::min<std::uint64_t>(overlap, kib << 10);
    }
  }
  return total;
}

std::string large_pages_refused(const std::string& root, std::size_t base_bytes) {
  if (base_bytes != 4096) {
    return "there are 2 MiB pages where base pages have 4 KiB; this kernel's have " + std::to_string(base_bytes >> 10) +
           " KiB";
  }
  const std::string setting = read_file(root + "/sys/kernel/mm/transparent_hugepage/enabled");
  if (setting.empty()) return "this kernel has no transparent huge pages";
  if (setting.find("[never]") != std::string::npos) {
    return "transparent huge pages are switched off; as root: echo madvise > "
           "/sys/kernel/mm/transparent_hugepage/enabled";
  }
  return "";
}

}  // namespace slidebench
