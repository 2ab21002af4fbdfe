// SPDX-License-Identifier: MIT
//
// A method's engine, as a module exports it: searches and perft counts behind plain data.
#pragma once

#include <cstdint>

#include "harness/engine/engine_api.hpp"
#include "harness/engine/perft.hpp"
#include "harness/engine/position.hpp"
#include "harness/engine/search.hpp"
#include "methods/method.hpp"

namespace slidebench::engine {

/// Searches the positions of a request in their order. The observer is copied into each position: let it refer to
/// what it collects.
template <AttackMethod M, class Observer = NoObserver>
SearchResult run_search(const SearchRequest& request, Observer observer = {}) {
  SearchResult result{};
  for (std::size_t i = 0; i < request.count; ++i) {
    Position<M, Observer> position(request.positions[i], observer);
    if (request.batch) position.ask_in_batches();
    Search<Position<M, Observer>> search(position, request, result);
    const RootResult root = search.run();
    if (request.results != nullptr) request.results[i] = root;
  }
  return result;
}

/// Leaf nodes of the legal move tree.
template <AttackMethod M>
std::uint64_t run_perft(const PositionState& state, unsigned depth) {
  Position<M> position(state);
  return perft(position, depth);
}

}  // namespace slidebench::engine
