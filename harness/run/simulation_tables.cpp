// SPDX-License-Identifier: MIT
#include "harness/run/simulation_tables.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>

#include "harness/base/csv_table.hpp"
#include "harness/chess/squares.hpp"

namespace slidebench {
namespace {

using enum CellKind;
using enum Need;

/// A point of a miss-ratio curve.
struct CurvePoint {
  const std::string& method;
  const std::string& trace;
  const ReuseAnalyser& reuse;
  std::uint64_t size;
  double lines;  ///< that the pressure touches at each event
  double block_lines;
  double misses;
};

constexpr CsvTable curves{
    "mrc.csv", "a point of a miss-ratio curve, from exact reuse distances",
    std::to_array<Column<CurvePoint>>({
        {"method", text, needed, "the method's id", [](auto& p) { return p.method; }},
        {"trace", text, needed, "which queries", [](auto& p) { return p.trace; }},
        {"granularity_bytes", positive, needed, "64 for cache lines, 4096 for pages",
         [](auto& p) { return std::to_string(p.reuse.granularity_bytes()); }},
        {"cache_lines", positive, needed, "size of the fully associative cache, in units of the granularity",
         [](auto& p) { return std::to_string(p.size); }},
        {"lines_per_evaluation", count, needed, "lines that the pressure touches at each evaluation",
         [](auto& p) { return significant(p.lines); }},
        {"block_lines", any, optional, "size of the block that it touches",
         [](auto& p) { return significant(p.block_lines); }},
        {"accesses", count, optional, "reads of tables", [](auto& p) { return std::to_string(p.reuse.accesses()); }},
        {"queries", positive, needed, "in the trace", [](auto& p) { return std::to_string(p.reuse.queries()); }},
        {"misses", count, needed, "of the method's reads", [](auto& p) { return significant(p.misses); }},
    })};

/// Whose row it is, in the files of one pressure and one kind of page.
struct Place {
  const std::string& method;
  const std::string& trace;
  const Experiment& experiment;
  const Observation& seen;
  const SimulatedCache& cache;
};

template <class Row>
constexpr auto place_columns = std::to_array<Column<Row>>({
    {"method", text, needed, "the method's id", [](auto& r) { return r.place.method; }},
    {"trace", text, needed, "which queries", [](auto& r) { return r.place.trace; }},
    {"pressure", text, needed, "what is done between two queries",
     [](auto& r) { return r.place.experiment.pressure.name; }},
    {"cache", text, needed, "whose caches were simulated: `host` or a name of `slidebench simulate --help`",
     [](auto& r) { return r.place.experiment.caches[r.place.cache.system].name; }},
    {"pages", text, needed, "simulated under the tables: 4k or 2m",
     [](auto& r) { return std::string(r.place.experiment.large_pages ? "2m" : "4k"); }},
});

struct SquareRow {
  Place place;
  QueryCode code;
};

std::uint64_t misses_on(const SquareRow& row, Level level) {
  return row.place.cache.counts.at(level).misses.of_owner(static_cast<Owner>(row.code));
}

std::string kind_name(QueryCode code) {
  constexpr std::array names{"bishop", "rook", "queen", "both"};
  return names.at(static_cast<std::size_t>(query_kind(code)));
}

constexpr CsvTable squares{
    "squares.csv", "a square and kind of query of a method",
    columns_of(
        place_columns<SquareRow>,
        std::to_array<Column<SquareRow>>({
            {"kind", text, needed, "bishop, rook, queen or both", [](auto& r) { return kind_name(r.code); }},
            {"square", text, needed, "a1 to h8", [](auto& r) { return square_name(query_square(r.code)); }},
            {"queries", positive, needed, "that asked for it",
             [](auto& r) { return std::to_string(r.place.cache.counts.queries_by_code[r.code]); }},
            {"distinct_lines", count, needed, "different cache lines that they read",
             [](auto& r) { return std::to_string(r.place.seen.coverage->lines_of_owner(static_cast<Owner>(r.code))); }},
            {"l1d_misses", count, needed, "simulated", [](auto& r) { return std::to_string(misses_on(r, Level::l1)); }},
            {"l2d_misses", count, optional, "simulated",
             [](auto& r) { return std::to_string(misses_on(r, Level::l2)); }},
        }))};

struct TableRow {
  Place place;
  std::string table;
  std::uint64_t bytes, lines;
  Level level;
  std::uint64_t accesses, misses;
  std::optional<ThreeCs> why;
  std::uint64_t cold_compulsory;
};

constexpr CsvTable tables{
    "tables.csv", "a table of a method at a level of a cache",
    columns_of(
        place_columns<TableRow>,
        std::to_array<Column<TableRow>>({
            {"draw", any, needed, "which draw of physical pages",
             [](auto& r) { return std::to_string(r.place.cache.draw); }},
            {"table", text, needed, "its name; `all` for the method as a whole", [](auto& r) { return r.table; }},
            {"table_bytes", count, needed, "its size", [](auto& r) { return std::to_string(r.bytes); }},
            {"queries", positive, needed, "in the trace", [](auto& r) { return std::to_string(r.place.seen.queries); }},
            {"distinct_lines", count, needed, "different cache lines read",
             [](auto& r) { return std::to_string(r.lines); }},
            {"level", text, needed, "L1D, L2, L3, DTLB, STLB",
             [](auto& r) { return std::string(level_names[static_cast<std::size_t>(r.level)]); }},
            {"accesses", count, needed, "reads that reached the level",
             [](auto& r) { return std::to_string(r.accesses); }},
            {"misses", count, needed, "of these", [](auto& r) { return std::to_string(r.misses); }},
            {"compulsory", any, needed, "misses that read a line for the first time",
             [](auto& r) { return r.why ? std::to_string(r.why->compulsory) : ""; }},
            {"capacity", any, needed, "further ones that a fully associative cache of the size has too",
             [](auto& r) { return r.why ? std::to_string(r.why->capacity) : ""; }},
            {"conflict", any, needed, "the rest; below 0 where the sets did better than that",
             [](auto& r) { return r.why ? std::to_string(r.why->conflict) : ""; }},
            {"cold_compulsory", count, optional, "lines read for the first time, those of the warm-up pass included",
             [](auto& r) { return std::to_string(r.cold_compulsory); }},
        }))};

}  // namespace

std::string simulation_header(const std::string& file) {
  const std::map<std::string, std::string> headers{
      {curves.file, curves.header()}, {squares.file, squares.header()}, {tables.file, tables.header()}};
  return headers.at(file) + "\n";
}

std::string mrc_csv(const std::string& method, const std::string& trace, const Observation& seen) {
  // Pressure as in the preset `nnue`: rows of an 8 MiB block, at each evaluation.
  constexpr std::array<double, 8> loads{0, 32, 64, 128, 256, 512, 768, 1536};
  constexpr double block_bytes = 8 << 20;
  std::string csv;
  for (const std::optional<ReuseAnalyser>* analyser : {&seen.lines, &seen.pages}) {
    if (!*analyser) continue;
    const ReuseAnalyser& reuse = **analyser;
    const double units_per_line = static_cast<double>(cache_line_bytes) / reuse.granularity_bytes();
    for (std::uint64_t size = 4; size <= 65'536; size += std::max<std::uint64_t>(1, std::bit_floor(size) / 4)) {
      for (const double lines : loads) {
        const Load load{.lines_per_event = lines * units_per_line,
                        .block_lines = block_bytes / reuse.granularity_bytes()};
        const double misses =
            lines == 0 ? static_cast<double>(reuse.misses(size)) : reuse.misses(static_cast<double>(size), load);
        csv += curves.line({method, trace, reuse, size, lines, load.block_lines, misses}) + "\n";
      }
    }
  }
  return csv;
}

std::string squares_csv(const std::string& method, const std::string& trace, const Experiment& experiment,
                        const Observation& seen) {
  std::string csv;
  for (const SimulatedCache& cache : seen.caches) {
    if (cache.draw != 0) continue;
    for (Owner owner = 0; owner < query_owners; ++owner) {
      const auto code = static_cast<QueryCode>(owner);
      if (cache.counts.queries_by_code[code] == 0) continue;
      csv += squares.line({{method, trace, experiment, seen, cache}, code}) + "\n";
    }
  }
  return csv;
}

std::string tables_csv(const std::string& method, const std::string& trace, const Experiment& experiment,
                       const Observation& seen) {
  std::string csv;
  for (const SimulatedCache& cache : seen.caches) {
    const Place place{method, trace, experiment, seen, cache};
    for (unsigned i = 0; i < level_count; ++i) {
      const auto level = static_cast<Level>(i);
      const LevelCounts& counts = cache.counts.at(level);
      if (counts.accesses.total() + cache.warm_up.at(level).accesses.total() == 0) continue;
      for (std::uint16_t table = 0; table < seen.space->table_count(); ++table) {
        const Region& region = seen.space->regions()[table];
        csv += tables.line({place, region.name, region.bytes, seen.coverage->lines_of_region(table), level,
                            counts.accesses.of_region(table), counts.misses.of_region(table), std::nullopt,
                            counts.compulsory.of_region(table) + cache.warm_up.at(level).compulsory.of_region(table)}) +
               "\n";
      }
      // Why they missed is known for all accesses together, and so for the method only where nothing else accesses.
      const bool alone = cache.draw == 0 && !experiment.pressure.touches();
      csv += tables.line({place, "all", 0, seen.coverage->lines(), level, counts.accesses.of_method(),
                          counts.misses.of_method(), alone ? std::optional(counts.three_cs()) : std::nullopt,
                          cache.cold_compulsory(level)}) +
             "\n";
    }
  }
  return csv;
}

std::vector<TableText> simulation_columns() { return {curves.describe(), squares.describe(), tables.describe()}; }

}  // namespace slidebench
