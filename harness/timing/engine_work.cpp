// SPDX-License-Identifier: MIT
#include "harness/timing/engine_work.hpp"

#include <bit>
#include <charconv>
#include <cstdlib>
#include <cstring>

#include "harness/engine/run_engine.hpp"
#include "harness/timing/table_pages.hpp"
#include "harness/trace/errors.hpp"
#include "methods/calculation/ray_walk.hpp"

namespace slidebench {
namespace {

constexpr unsigned perft_windows = 16;
constexpr std::uint64_t perft_leaves = 500'000;
constexpr std::uint64_t network_seed = 1;
constexpr std::string_view threats_suffix = "-threats";

/// Arms whose answers are attack sets.
bool plays_chess(const Arm& arm) { return arm.role != ArmRole::null && arm.role != ArmRole::clock; }

EngineMemory allocate(std::size_t bytes, bool large_pages, const std::string& what) {
  void* memory = std::aligned_alloc(large_page, whole_large_pages(bytes));
  if (memory == nullptr) throw UserError("no memory for " + what + ", " + std::to_string(bytes >> 20) + " MiB");
  advise_pages(memory, bytes, large_pages);
  std::memset(memory, 0, bytes);
  return EngineMemory(static_cast<std::byte*>(memory));
}

}  // namespace

void FreeAligned::operator()(void* memory) const { std::free(memory); }

std::string to_string(const EngineForm& form) {
  return "net" + std::to_string(form.net) + std::string(form.threats ? threats_suffix : "");
}

EngineForm parse_engine_form(const std::string& name) {
  EngineForm form;
  std::string_view rest = name;
  const auto refuse = [&name] {
    return UserError("unknown form of the engine '" + name + "'; use net0, or net and a multiple of 128 up to 8192");
  };
  if (!rest.starts_with("net")) throw refuse();
  rest.remove_prefix(3);
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), form.net);
  if (error != std::errc{} || form.net % 128 != 0 || form.net > 8192) throw refuse();
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  form.threats = rest == threats_suffix && form.net != 0;
  if (!rest.empty() && !form.threats) throw refuse();
  return form;
}

void check_engine_settings(const EngineSettings& settings) {
  if (settings.positions.empty()) throw UserError("no positions to search");
  if (settings.nodes == 0) throw UserError("--nodes 0: a search needs at least one node");
  if (settings.hash_mib == 0 || settings.hash_mib > (64u << 10) || !std::has_single_bit(settings.hash_mib)) {
    throw UserError("--hash " + std::to_string(settings.hash_mib) + ": MiB, a power of two from 1 to 65536");
  }
}

Engine::Engine(const EngineForm& form, unsigned hash_mib, bool large_pages)
    : form_(form), clusters_((std::size_t{hash_mib} << 20) / sizeof(engine::HashCluster)) {
  hash_ = allocate(clusters_ * sizeof(engine::HashCluster), large_pages, "the hash table");
  if (form.net == 0) return;
  const engine::NetworkShape shape{form.net, form.threats};
  weights_ = allocate(engine::network_bytes(shape), large_pages, "the network");
  engine::fill_network(shape, network_seed, weights_.get());
  calls_ = engine::network_calls(shape, weights_.get());
  accumulators_ = allocate(engine::accumulator_bytes(form.net), large_pages, "the accumulators");
}

engine::SearchRequest Engine::request(const engine::PositionState& position, unsigned depth, std::uint64_t nodes,
                                      engine::RootResult* result) const {
  return {.positions = &position,
          .count = 1,
          .depth = depth,
          .max_nodes = nodes,
          .hash = reinterpret_cast<engine::HashCluster*>(hash_.get()),
          .hash_clusters = clusters_,
          .network = form_.net == 0 ? nullptr : &calls_,
          .threats = form_.threats,
          .accumulators = reinterpret_cast<std::int16_t*>(accumulators_.get()),
          .results = result};
}

void Engine::clear_hash() { std::memset(hash_.get(), 0, clusters_ * sizeof(engine::HashCluster)); }

SearchWork::SearchWork(const EngineForm& form, const EngineSettings& settings, bool large_pages)
    : positions_(settings.positions), node_limit_(settings.nodes), engine_(form, settings.hash_mib, large_pages) {}

std::uint64_t SearchWork::run(const Arm& arm, std::size_t window, std::size_t) {
  const engine::SearchRequest request = engine_.request(positions_[window], engine::max_search_depth, node_limit_);
  return arm.plugin->descriptor().engine.search(request).signature;
}

void SearchWork::prepare(const Arm&, std::size_t, double) { engine_.clear_hash(); }

bool SearchWork::takes(const Arm& arm) const {
  return plays_chess(arm) && arm.plugin->descriptor().engine.search != nullptr;
}

std::uint64_t SearchWork::nodes(std::size_t window) const { return oracle(ArmRole::reference, window).nodes; }

SearchWork::Truth SearchWork::oracle(ArmRole, std::size_t window) const {
  const auto known = truths_.find(window);
  if (known != truths_.end()) return known->second;
  engine_.clear_hash();
  const engine::SearchRequest request = engine_.request(positions_[window], engine::max_search_depth, node_limit_);
  const engine::SearchResult result = engine::run_search<RayWalk>(request);
  return truths_[window] = {result.signature, result.nodes};
}

PerftWork::PerftWork(const EngineSettings& settings) : positions_(settings.positions) {
  if (positions_.size() > perft_windows) positions_.resize(perft_windows);
  for (const engine::PositionState& position : positions_) {
    unsigned depth = 1;
    std::uint64_t leaves = engine::run_perft<RayWalk>(position, depth);
    // An endgame may need many plies to get there; one that never does is measured as it is.
    while (leaves < perft_leaves && depth < 8) leaves = engine::run_perft<RayWalk>(position, ++depth);
    depths_.push_back(depth);
    leaves_.push_back(leaves);
  }
}

std::uint64_t PerftWork::run(const Arm& arm, std::size_t window, std::size_t) {
  return arm.plugin->descriptor().engine.perft(positions_[window], depths_[window]);
}

void PerftWork::prepare(const Arm& arm, std::size_t window, double) {
  arm.plugin->descriptor().engine.perft(positions_[window], depths_[window] > 1 ? depths_[window] - 1 : 1);
}

bool PerftWork::takes(const Arm& arm) const {
  return plays_chess(arm) && arm.plugin->descriptor().engine.perft != nullptr;
}

}  // namespace slidebench
