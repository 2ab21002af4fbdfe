// SPDX-License-Identifier: MIT
//
// The traced modules against an independent witness: what they report must be what the timed modules read.
//
// The witness executes a query of the timed module instruction by instruction and takes the address of every read from
// the registers. The compiler may read a record in one piece or in four, so cache lines are compared: the set of
// (table, line) that a query touches, query by query.
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <random>
#include <set>

#include "harness/base/errors.hpp"
#include "harness/counters/test_memory_reads.hpp"
#include "harness/plugin/cpu.hpp"
#include "harness/plugin/loader.hpp"

namespace slidebench {
namespace {

/// Table number and line within the table.
using Lines = std::set<std::pair<std::uint32_t, std::uint64_t>>;

constexpr std::uint64_t line_bytes = 64;

void add_lines(Lines& lines, std::uint32_t table, std::uint64_t offset, std::uint64_t bytes) {
  for (std::uint64_t line = offset / line_bytes; line <= (offset + bytes - 1) / line_bytes; ++line)
    lines.emplace(table, line);
}

Lines reported_lines(const Plugin& traced, const std::function<void(const PluginDescriptor&)>& query) {
  Lines lines;
  const auto sink = [](void* context, std::uint32_t table, std::uint32_t offset, std::uint32_t bytes) {
    add_lines(*static_cast<Lines*>(context), table, offset, bytes);
  };
  traced.descriptor().trace_accesses(sink, &lines);
  query(traced.descriptor());
  traced.descriptor().trace_accesses(nullptr, nullptr);
  return lines;
}

Lines read_lines(const Plugin& timed, const std::function<void(const PluginDescriptor&)>& query) {
  Lines lines;
  const std::vector<TableInfo> tables = timed.tables();
  for (const MemoryRead& read : memory_reads([&] { query(timed.descriptor()); })) {
    for (std::uint32_t i = 0; i < tables.size(); ++i) {
      const auto first = reinterpret_cast<std::uintptr_t>(tables[i].address);
      if (read.address < first || read.address >= first + tables[i].bytes) continue;
      add_lines(lines, i, read.address - first, read.bytes);
    }
  }
  return lines;
}

void expect_same_lines(const Plugin& timed, const Plugin& traced, const char* what,
                       const std::function<void(const PluginDescriptor&)>& query) {
  EXPECT_EQ(reported_lines(traced, query), read_lines(timed, query)) << timed.id() << " " << what;
}

/// The queries that start from an occupancy; then building a board, toggling two squares as a move does, and asking it.
/// A method with state would build its board for each query, and the compiler would leave out the parts that the query
/// does not need; its queries are compared on the finished board alone.
void compare(const Plugin& timed, const Plugin& traced, Square s, Bitboard occupied) {
  const auto compare_query = [&](const char* what, auto member) {
    expect_same_lines(timed, traced, what, [s, occupied, member](const PluginDescriptor& d) {
      const auto answer = (d.queries.*member)(s, occupied);
      asm volatile("" : : "g"(&answer) : "memory");
    });
  };
  if (!timed.descriptor().board.has_state) {
    compare_query("bishop", &OccupancyQueries::bishop);
    compare_query("rook", &OccupancyQueries::rook);
    compare_query("queen", &OccupancyQueries::queen);
    compare_query("both", &OccupancyQueries::both);
  }
  expect_same_lines(timed, traced, "board", [s, occupied](const PluginDescriptor& d) {
    alignas(64) std::array<std::byte, 1024> storage;
    ASSERT_LE(d.board.bytes, storage.size());
    d.board.build(storage.data(), occupied);
    d.board.toggle(storage.data(), bit(s) | bit(63 - s));
    const BishopRook answer = d.board.both(storage.data(), s);
    asm volatile("" : : "g"(&answer) : "memory");
  });
}

TEST(TracedTwin, ReportsTheLinesThatTheTimedModuleReads) {
  const Isa host = host_isa();
  std::vector<Plugin> traced = load_folder(TEST_PLUGIN_DIR, ModuleRole::traced, host);
  std::mt19937_64 random(1);
  unsigned compared = 0;
  for (Plugin& twin : traced) {
    // The timed module of the twin's own level: another level may be compiled to other reads.
    std::string name = twin.path().filename().string();
    name.erase(name.find(".traced"), std::string(".traced").size());
    Plugin timed = Plugin::open(twin.path().parent_path() / name);
    if (!timed.runs_on(host)) continue;
    timed.initialise();
    twin.initialise();
    for (int i = 0; i < 12; ++i) {
      const Square s = static_cast<Square>(random() % 64);
      Bitboard occupied = random();
      occupied &= random();
      try {
        compare(timed, twin, s, occupied);
      } catch (const UserError& error) {
        GTEST_SKIP() << error.what();
      }
    }
    ++compared;
  }
  EXPECT_GE(compared, 11u);
}

}  // namespace
}  // namespace slidebench
