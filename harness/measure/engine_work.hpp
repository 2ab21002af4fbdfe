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
/// what the contender will use, tables, network and branch predictors, which the contender before has pushed out; and
/// what it finds stays in the hash table, which in an engine is never empty in the middle of a game. Its length is a
/// number of nodes, not a time: what is in the hash decides which nodes the timed search visits, and they have to be
/// the same for all contenders and the oracle. A tenth (10,000 nodes: 2 ms with the classical evaluation, 13 ms with a
/// network of 1,024) makes a sample a tenth longer.
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
  std::uint64_t nodes_for(const Contender& contender) const;
  Truth oracle(std::size_t segment, std::uint64_t nodes) const;

  /// The untimed search has one node for so many timed ones.
  static constexpr std::uint64_t warm_up_share = 10;

  std::vector<engine::PositionState> positions_;
  std::uint64_t node_limit_;
  bool batch_;
  mutable engine::SearchMemory memory_;                                    ///< scratch
  mutable std::map<std::pair<std::size_t, std::uint64_t>, Truth> truths_;  // by segment and nodes
};

/// Counts the leaves of a position a segment, so deep that there are about a million. A sample is warmed by the same
/// count: a ply less is a thirtieth of it, and left methods 2 % colder than the reference, which is timed more often
/// (reports/methodology.md).
class PerftWork : public Work {
 public:
  explicit PerftWork(const EngineSettings& settings);

  std::size_t segments() const override { return positions_.size(); }
  std::size_t pieces(std::size_t) const override { return 1; }
  std::uint64_t run(const Contender& contender, std::size_t segment, std::size_t piece) override;
  void prepare(const Contender& contender, std::size_t segment, double milliseconds) override;
  bool takes(const Contender& contender) const override;
  std::uint64_t expected(const Contender&, std::size_t segment) override { return leaves_[segment]; }
  WorkSize size(std::size_t segment) const override { return {leaves_[segment], leaves_[segment]}; }

 private:
  std::vector<engine::PositionState> positions_;
  std::vector<unsigned> depths_;
  std::vector<std::uint64_t> leaves_;
};

}  // namespace slidebench
