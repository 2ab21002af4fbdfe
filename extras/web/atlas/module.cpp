// SPDX-License-Identifier: MIT
//
// What the atlas's module exports (script/atlas.mjs): the methods, a query with all that it reads and computes, the
// tables.
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "extras/web/atlas/entry.hpp"
#include "extras/web/wasm/method_exports.hpp"
#include "harness/plugin/cpu.hpp"
#include "methods/reference.hpp"

namespace slidebench {

std::uint32_t wasm::method_count() { return static_cast<std::uint32_t>(atlas::entries().size()); }
const MethodInfo& wasm::method_info(std::uint32_t method) { return atlas::entries()[method]->info; }

namespace atlas {
namespace {

enum class What : std::uint32_t { read = 0, value = 1 };

/// A read of a table, or a value of a place.
struct Event {
  What what;
  std::uint32_t id;      ///< of the table, or of the place
  std::uint32_t detail;  ///< where in the table, in bytes, or the Type of the value
  std::uint32_t length;  ///< of the read in bytes, of the value in words
  std::uint64_t words[8];
};
static_assert(sizeof(Event) == 80, "as atlas.mjs reads it");

std::vector<Event> recorded;
const Entry* asked = nullptr;
std::vector<bool> filled;

const Entry& entry(std::uint32_t method) { return *entries()[method]; }

/// The entry of a method whose tables are filled.
const Entry& ready(std::uint32_t method) {
  filled.resize(entries().size());
  if (!filled[method]) entry(method).initialise();
  filled[method] = true;
  return entry(method);
}

std::string isa_text(Isa isa) {
  std::string text;
  for (const std::string& name : isa_names(isa)) text += (text.empty() ? "" : " ") + name;
  return text;
}

}  // namespace

void record_value(std::uint32_t place, Type type, std::uint32_t words, const std::uint64_t* value) {
  Event event{What::value, place, static_cast<std::uint32_t>(type), words, {}};
  std::memcpy(event.words, value, words * sizeof *value);
  recorded.push_back(event);
}

/// The features that it needs, such as "bmi2 avx2"; good until the next call.
SLIDEBENCH_EXPORT(method_isa) const char* method_isa(std::uint32_t method) {
  static std::string text;
  text = isa_text(entry(method).info.requires_isa);
  return text.c_str();
}

SLIDEBENCH_EXPORT(tables) std::uint32_t tables(std::uint32_t m) {
  return static_cast<std::uint32_t>(entry(m).tables.size());
}
SLIDEBENCH_EXPORT(table_name) const char* table_name(std::uint32_t m, std::uint32_t t) {
  return entry(m).tables[t].name;
}
SLIDEBENCH_EXPORT(table_bytes) std::uint32_t table_bytes(std::uint32_t m, std::uint32_t t) {
  return static_cast<std::uint32_t>(entry(m).tables[t].bytes);
}
/// Answers, and records what it reads and computes.
SLIDEBENCH_EXPORT(ask)
std::uint64_t ask(std::uint32_t method, std::uint32_t kind, std::uint32_t square, std::uint64_t occupied) {
  asked = &ready(method);
  recorded.clear();
  return asked->ask(static_cast<Kind>(kind), square, occupied);
}
SLIDEBENCH_EXPORT(events) std::uint32_t events() { return static_cast<std::uint32_t>(recorded.size()); }
SLIDEBENCH_EXPORT(event_room) const void* event_room() { return recorded.data(); }

SLIDEBENCH_EXPORT(reference)
std::uint64_t reference_attacks(std::uint32_t kind, std::uint32_t square, std::uint64_t occupied) {
  constexpr std::array attacks{&reference::bishop, &reference::rook, &reference::queen};
  return attacks[kind](square, occupied);
}
SLIDEBENCH_EXPORT(relevant) std::uint64_t relevant(std::uint32_t kind, std::uint32_t square) {
  return (kind != 1 ? bishop_relevant(square) : 0) | (kind != 0 ? rook_relevant(square) : 0);
}

}  // namespace atlas

/// What Table<T, N> calls. A table that the method does not list has its number of tables as number.
void record_access(const void* table, std::size_t offset, std::size_t bytes) {
  if (!atlas::recording) return;
  std::uint32_t number = 0;
  while (number < atlas::asked->tables.size() && atlas::asked->tables[number].address != table) ++number;
  atlas::recorded.push_back(
      {atlas::What::read, number, static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(bytes), {}});
}

}  // namespace slidebench
