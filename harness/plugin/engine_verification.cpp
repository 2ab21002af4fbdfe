// SPDX-License-Identifier: MIT
#include <array>
#include <string_view>
#include <vector>

#include "harness/engine/fen.hpp"
#include "harness/engine/run_engine.hpp"
#include "harness/plugin/verification.hpp"
#include "methods/calculation/ray_walk.hpp"

namespace slidebench::engine {
namespace {

/// Published: Chess Programming Wiki, "Perft Results".
struct PublishedCount {
  std::string_view fen;
  unsigned depth;
  std::uint64_t leaves;
};
constexpr std::array<PublishedCount, 5> published{{
    {start_position, 4, 197'281},
    {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3, 97'862},
    {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4, 43'238},
    {"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 3, 9'467},
    {"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 3, 62'379},
}};

std::string counter_example(const char* what, std::string_view fen, unsigned depth, std::uint64_t expected,
                            std::uint64_t got) {
  return std::string(what) + " of depth " + std::to_string(depth) + " of " + std::string(fen) + ": expected " +
         std::to_string(expected) + ", got " + std::to_string(got) +
         "; the queries outside the engine are right, so look for a table that each source file has for itself";
}

/// The first positions of the published counts, by the classical evaluation and with an empty hash table.
SearchResult search_few(SearchResult (*search)(const SearchRequest&), bool in_batches) {
  constexpr std::size_t positions = 2;
  std::vector<PositionState> states;
  for (std::size_t i = 0; i < positions; ++i) states.push_back(parse_fen(published[i].fen));
  std::vector<HashCluster> hash(1u << 12);
  SearchRequest request{};
  request.positions = states.data();
  request.count = states.size();
  request.depth = 5;
  request.hash = hash.data();
  request.hash_clusters = hash.size();
  request.batch = in_batches;
  return search(request);
}

}  // namespace

VerificationResult verify_engine(const EngineKernels& engine) {
  VerificationResult verdict;
  for (const PublishedCount& count : published) {
    if (engine.perft == nullptr || verdict.counter_example) break;
    const std::uint64_t leaves = engine.perft(parse_fen(count.fen), count.depth);
    verdict.answers += count.leaves;
    if (leaves != count.leaves) {
      verdict.counter_example = counter_example("perft", count.fen, count.depth, count.leaves, leaves);
    }
  }
  if (engine.search == nullptr || verdict.counter_example) return verdict;
  const SearchResult expected =
      search_few([](const SearchRequest& request) { return run_search<RayWalk>(request); }, false);
  for (const bool in_batches : {false, true}) {
    const SearchResult found = search_few(engine.search, in_batches);
    verdict.answers += expected.nodes;
    if (found.nodes == expected.nodes && found.signature == expected.signature) continue;
    verdict.counter_example = counter_example(in_batches ? "nodes of a search in batches" : "nodes of a search",
                                              published[0].fen, 5, expected.nodes, found.nodes);
    break;
  }
  return verdict;
}

}  // namespace slidebench::engine
