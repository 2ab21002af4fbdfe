// SPDX-License-Identifier: MIT
#include "harness/measure/engine_work.hpp"

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

#include <bit>
#include <cmath>
#include <new>

#include "harness/base/errors.hpp"
#include "harness/engine/run_engine.hpp"
#include "harness/measure/table_pages.hpp"
#include "harness/statistics/checks.hpp"
#include "methods/calculation/ray_walk.hpp"

namespace slidebench {
namespace {

constexpr unsigned perft_segments = 16;
constexpr std::uint64_t perft_leaves = 500'000;

/// Contenders whose answers are attack sets.
bool plays_chess(const Contender& contender) {
  return contender.role != ContenderRole::empty && contender.role != ContenderRole::clock;
}

/// Drops a table from all caches. Its pages stay in the TLB.
void evict(const TableInfo& table) {
  constexpr std::uintptr_t least_line = 64;
  const auto begin = reinterpret_cast<std::uintptr_t>(table.address);
  for (std::uintptr_t line = begin & ~(least_line - 1); line < begin + table.bytes; line += least_line) {
#if defined(__x86_64__)
    _mm_clflush(reinterpret_cast<const void*>(line));
#else
    asm volatile("dc civac, %0" : : "r"(line) : "memory");
#endif
  }
}

}  // namespace

void check_engine_settings(const EngineSettings& settings) {
  if (settings.positions.empty()) throw UserError("no positions to search");
  if (settings.nodes == 0) throw UserError("--nodes 0: a search needs at least one node");
  if (settings.hash_mib == 0 || settings.hash_mib > (64u << 10) || !std::has_single_bit(settings.hash_mib)) {
    throw UserError("--hash " + std::to_string(settings.hash_mib) + ": MiB, a power of two from 1 to 65536");
  }
}

engine::SearchMemory make_search_memory(const EngineForm& form, unsigned hash_mib, bool large_pages) {
  const std::size_t clusters = (std::size_t{hash_mib} << 20) / sizeof(engine::HashCluster);
  const engine::PageAdvice advice = large_pages
                                        ? [](void* memory, std::size_t bytes) { advise_pages(memory, bytes, true); }
                                        : [](void* memory, std::size_t bytes) { advise_pages(memory, bytes, false); };
  try {
    return {form.net, form.threats, clusters, advice};
  } catch (const std::bad_alloc&) {
    throw UserError("no memory for an engine with " + std::to_string(hash_mib) + " MiB of hash; use a smaller --hash");
  }
}

SearchWork::SearchWork(const EngineForm& form, const EngineSettings& settings, bool large_pages)
    : positions_(settings.positions),
      node_limit_(settings.nodes),
      control_limit_(settings.nodes +
                     static_cast<std::uint64_t>(std::llround(control_share * static_cast<double>(settings.nodes)))),
      batch_(form.batch),
      memory_(make_search_memory(form, settings.hash_mib, large_pages)) {}

engine::SearchRequest SearchWork::request(std::size_t segment, std::uint64_t nodes) const {
  engine::SearchRequest request = memory_.request(engine::max_search_depth, nodes);
  request.positions = &positions_[segment];
  request.count = 1;
  request.batch = batch_;
  return request;
}

std::uint64_t SearchWork::run(const Contender& contender, std::size_t segment, std::size_t) {
  return contender.plugin->descriptor().engine.search(request(segment, nodes_for(contender))).signature;
}

void SearchWork::prepare(const Contender& contender, std::size_t segment, double) {
  if (!truths_.contains({segment, control_limit_})) {
    // For all at once, and as far as the control goes: until the caches know a position, a search takes a fifth longer.
    oracle(segment, node_limit_);
    oracle(segment, control_limit_);
    for (unsigned n = 0; n < searches_of_new_position; ++n) {
      begin(contender, segment);
      contender.plugin->descriptor().engine.search(request(segment, control_limit_));
    }
  }
  begin(contender, segment);
}

void SearchWork::begin(const Contender& contender, std::size_t segment) {
  memory_.forget_positions();
  contender.plugin->descriptor().engine.search(warm_up_request(segment));
}

bool SearchWork::takes(const Contender& contender) const {
  return plays_chess(contender) && contender.plugin->descriptor().engine.search != nullptr;
}

WorkSize SearchWork::size(std::size_t segment) const {
  const std::uint64_t nodes = oracle(segment, node_limit_).nodes;
  return {nodes, nodes};
}

SearchWork::Truth SearchWork::oracle(std::size_t segment, std::uint64_t nodes) const {
  const std::pair key{segment, nodes};
  if (truths_.contains(key)) return truths_[key];
  memory_.forget_positions();
  engine::run_search<RayWalk>(warm_up_request(segment));
  const engine::SearchResult result = engine::run_search<RayWalk>(request(segment, nodes));
  return truths_[key] = {result.signature, result.nodes};
}

PerftWork::PerftWork(const EngineSettings& settings, bool cold) : positions_(settings.positions), cold_(cold) {
  if (positions_.size() > perft_segments) positions_.resize(perft_segments);
  truths_.resize(positions_.size());
}

const PerftWork::Truth& PerftWork::truth(std::size_t segment) const {
  Truth& truth = truths_[segment];
  if (truth.depth > 0) return truth;
  // An endgame may need many plies to get there; one that never does is measured as it is.
  do {
    truth.leaves = engine::run_perft<RayWalk>(positions_[segment], ++truth.depth);
  } while (truth.leaves < perft_leaves && truth.depth < 8);
  return truth;
}

std::uint64_t PerftWork::run(const Contender& contender, std::size_t segment, std::size_t) {
  return contender.plugin->descriptor().engine.perft(positions_[segment], truth(segment).depth);
}

void PerftWork::prepare(const Contender& contender, std::size_t segment, double) {
  run(contender, segment, 0);
  if (!cold_) return;
  for (const TableInfo& table : contender.plugin->tables()) evict(table);
}

bool PerftWork::takes(const Contender& contender) const {
  return plays_chess(contender) && contender.plugin->descriptor().engine.perft != nullptr;
}

}  // namespace slidebench
