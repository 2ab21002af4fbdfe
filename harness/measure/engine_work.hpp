// SPDX-License-Identifier: MIT
//
// Work inside the engine: searching positions, and perft. What is divided by is nodes, so that a ratio is one of nodes
// per second.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/engine/engine_api.hpp"
#include "harness/engine/search_memory.hpp"
#include "harness/measure/work.hpp"
#include "harness/statistics/cell.hpp"

namespace slidebench {

/// What all engine cells of a run share.
struct EngineSettings {
  std::vector<engine::PositionState> positions;
  std::uint64_t nodes = 20'000;  ///< of each search
  unsigned hash_mib = 16;        ///< a power of two
};

/// Throws UserError for settings that no engine can use: no positions, no nodes, a bad size.
void check_engine_settings(const EngineSettings& settings);

/// The memory of an engine of this form. Throws UserError if there is not enough.
engine::SearchMemory make_search_memory(const EngineForm& form, unsigned hash_mib, bool large_pages);

/// Searches a position a segment, to the same number of nodes for every method. The sum is the search's signature, and
/// what it must be is found by the oracle's engine, once a segment.
///
/// Before each timed search stands an untimed one of the same position by the same contender, a tenth as long. It warms
/// tables, network and predictors, and leaves entries in the hash table, as in the middle of a game. Its length is a
/// number of nodes, because what is in the hash decides which nodes are visited, and they must be the same for all.
///
/// The positive control searches on, until it has visited control_share more nodes.
class SearchWork : public Work {
 public:
  SearchWork(const EngineForm& form, const EngineSettings& settings, bool large_pages);

  std::size_t segments() const override { return positions_.size(); }
  std::size_t pieces(std::size_t) const override { return 1; }
  std::uint64_t run(const Contender& contender, std::size_t segment, std::size_t piece) override;
  void prepare(const Contender& contender, std::size_t segment, double milliseconds) override;
  bool repeats() const override { return false; }
  bool takes(const Contender& contender) const override;
  std::uint64_t expected(const Contender& contender, std::size_t segment) override {
    return oracle(segment, nodes_for(contender)).sum;
  }
  WorkSize size(std::size_t segment) const override;

 private:
  struct Truth {
    std::uint64_t sum = 0;
    std::uint64_t nodes = 0;
  };
  engine::SearchRequest request(std::size_t segment, std::uint64_t nodes) const;
  engine::SearchRequest warm_up_request(std::size_t segment) const {
    return request(segment, (node_limit_ + warm_up_share - 1) / warm_up_share);
  }
  std::uint64_t nodes_for(const Contender& contender) const {
    return contender.role == ContenderRole::control ? control_limit_ : node_limit_;
  }
  void begin(const Contender& contender, std::size_t segment);
  Truth oracle(std::size_t segment, std::uint64_t nodes) const;

  static constexpr std::uint64_t warm_up_share = 10;       ///< timed nodes for one of the warm-up
  static constexpr unsigned searches_of_new_position = 3;  ///< untimed, by the first contender that gets one

  std::vector<engine::PositionState> positions_;
  std::uint64_t node_limit_;
  std::uint64_t control_limit_;  ///< of the positive control
  bool batch_;
  mutable engine::SearchMemory memory_;                                    ///< scratch
  mutable std::map<std::pair<std::size_t, std::uint64_t>, Truth> truths_;  // by segment and nodes
};

/// Counts a position's leaves, about a million a segment. A sample is warmed by the same count; a cold one is a single
/// count, before which the method's tables are dropped from the caches (their pages stay in the TLB).
class PerftWork : public Work {
 public:
  PerftWork(const EngineSettings& settings, bool cold);

  std::size_t segments() const override { return positions_.size(); }
  /// One; asked for before anything is timed, so that no truth is looked for then.
  std::size_t pieces(std::size_t segment) const override { return truth(segment).depth > 0 ? 1 : 0; }
  std::uint64_t run(const Contender& contender, std::size_t segment, std::size_t piece) override;
  void prepare(const Contender& contender, std::size_t segment, double milliseconds) override;
  bool repeats() const override { return !cold_; }
  bool takes(const Contender& contender) const override;
  std::uint64_t expected(const Contender&, std::size_t segment) override { return truth(segment).leaves; }
  WorkSize size(std::size_t segment) const override { return {truth(segment).leaves, truth(segment).leaves}; }

 private:
  struct Truth {
    unsigned depth = 0;
    std::uint64_t leaves = 0;
  };
  /// Found by the oracle, once a segment: a process run asks for few of them, and it takes a tenth of a second.
  const Truth& truth(std::size_t segment) const;

  std::vector<engine::PositionState> positions_;
  bool cold_;
  mutable std::vector<Truth> truths_;  ///< a segment; of depth 0 until it is asked for
};

}  // namespace slidebench
