// SPDX-License-Identifier: MIT
//
// An evaluation with the shape, and so with the memory traffic, of the neural networks of today's engines ("NNUE",
// Yu Nasu 2018). Its weights are pseudo-random: it plays no chess, but it moves as many bytes as one that does.
//
//      active features  ->  2 accumulators of N int16  ->  clipped to 0..127  ->  16  ->  32  ->  1
//                           (one a perspective)            2N inputs              int8 weights
//
// A feature owns a row of N weights, and an accumulator is the sum of the rows of the position's features: a move adds
// and removes a few rows, nothing is summed anew.
//   - piece rows, int16: 16 buckets of the perspective's king x 12 pieces x 64 squares. When the king changes its
//     bucket, the accumulator is refreshed from all features.
//   - threat rows, int8, optional: "piece on square attacks piece on square", hashed into 65,536 rows.
// The board is seen from the perspective's side, and mirrored so that its king stands on files a to d. Inputs are
// sparse, about one in twelve is not zero, as in trained networks: the first layer reads the weights of those alone.
//
// With N = 1024 there are 24 MiB of piece rows and 64 MiB of threat rows. The host allocates them (on the pages that
// it likes), fills them once and hands the search a table of functions, so that the same machine code evaluates for
// every method. Arithmetic is exact in integers: every instruction set gives the same scores.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace slidebench::engine {

/// A piece on a square. `piece` is 6 * colour + type, 0 (white pawn) to 11 (black king).
struct PieceFeature {
  std::uint8_t piece;
  std::uint8_t square;

  friend constexpr bool operator==(const PieceFeature&, const PieceFeature&) = default;
};

/// One piece attacks another, own ones included. Kings neither threaten nor are threatened: their threats are checks.
struct ThreatFeature {
  std::uint8_t attacker;
  std::uint8_t from;
  std::uint8_t attacked;
  std::uint8_t to;

  friend constexpr bool operator==(const ThreatFeature&, const ThreatFeature&) = default;
};

/// A list with room for `capacity` features. Precondition of add: there is room.
template <class Feature, unsigned capacity>
struct FeatureList {
  unsigned count = 0;
  std::array<Feature, capacity> items;

  void clear() { count = 0; }
  void add(const Feature& feature) { items[count++] = feature; }
  const Feature* begin() const { return items.data(); }
  const Feature* end() const { return items.data() + count; }
};

/// The threats that a move brought and took. A square that is filled or emptied brings at most 8 of the piece on it, 20
/// by others and 8 discovered; a move touches four squares.
struct ThreatChange {
  static constexpr unsigned most = 144;
  FeatureList<ThreatFeature, most> came;
  FeatureList<ThreatFeature, most> went;
};

/// What a move changes.
struct FeatureChange {
  FeatureList<PieceFeature, 2> pieces_added;
  FeatureList<PieceFeature, 2> pieces_removed;
  ThreatChange threats;

  void clear() {
    pieces_added.clear();
    pieces_removed.clear();
    threats.came.clear();
    threats.went.clear();
  }
};

/// All features of a position: up to 32 pieces with at most 8 threats each.
struct ActiveFeatures {
  FeatureList<PieceFeature, 32> pieces;
  FeatureList<ThreatFeature, 256> threats;
};

/// From where an accumulator sees the board: a colour (0 white, 1 black), and that side's king.
struct Perspective {
  unsigned color;
  unsigned king;
};

inline constexpr unsigned king_buckets = 16;
inline constexpr unsigned piece_rows = king_buckets * 12 * 64;
inline constexpr unsigned threat_rows = 1u << 16;
inline constexpr unsigned first_layer_outputs = 16;
inline constexpr unsigned second_layer_outputs = 32;

/// What turns a square into the square that the perspective sees: xor with this number.
constexpr unsigned orientation(Perspective p) { return (p.color != 0 ? 56u : 0u) ^ ((p.king & 4) != 0 ? 7u : 0u); }

/// The bucket of the perspective's king: four files, and the ranks 1, 2, 3 to 4, 5 to 8 from its own side.
constexpr unsigned king_bucket(Perspective p) {
  constexpr std::array<unsigned, 8> rank_group{0, 1, 2, 2, 3, 3, 3, 3};
  const unsigned king = p.king ^ orientation(p);
  return 4 * rank_group[king >> 3] + (king & 3);
}

/// Whether both accumulators consist of the same rows: else the king's move calls for a refresh.
constexpr bool same_rows(Perspective a, Perspective b) {
  return orientation(a) == orientation(b) && king_bucket(a) == king_bucket(b);
}

/// The piece as the perspective sees it: 0 to 5 its own, 6 to 11 the other side's.
constexpr unsigned seen_piece(Perspective p, unsigned piece) {
  return p.color == 0 ? piece : (piece >= 6 ? piece - 6 : piece + 6);
}

constexpr std::uint32_t piece_row(Perspective p, PieceFeature f) {
  return (king_bucket(p) * 12 + seen_piece(p, f.piece)) * 64 + (f.square ^ orientation(p));
}

/// Rows of threats do not depend on the king's bucket. The multiplier is 2^32 divided by the golden ratio.
constexpr std::uint32_t threat_row(Perspective p, ThreatFeature f) {
  const unsigned turn = orientation(p);
  const std::uint32_t from = seen_piece(p, f.attacker) * 64 + (f.from ^ turn);
  const std::uint32_t to = seen_piece(p, f.attacked) * 64 + (f.to ^ turn);
  return ((from * 768 + to) * 0x9E3779B1u) >> 16;
}

/// The weights, in the host's memory. Rows have `width` numbers; the first layer has 16 weights an input.
struct NetworkWeights {
  unsigned width;  ///< N
  const std::int16_t* piece_rows;
  const std::int8_t* threat_rows;  ///< null: a network without threats
  const std::int16_t* start;       ///< where every accumulator begins
  const std::int8_t* first_layer;
  const std::int32_t* first_bias;
  const std::int8_t* second_layer;
  const std::int32_t* second_bias;
  const std::int8_t* output_layer;
};

/// What the search knows of a network. Accumulators are `width` int16 each, 64-byte aligned.
struct NetworkCalls {
  NetworkWeights weights;
  const struct NetworkKernels* kernels;
  /// out = in with the rows of `change` added and removed; `in` and `out` differ.
  void (*update)(const NetworkCalls& network, const std::int16_t* in, std::int16_t* out, Perspective perspective,
                 const FeatureChange& change);
  /// out = the sum of the rows of all features.
  void (*refresh)(const NetworkCalls& network, std::int16_t* out, Perspective perspective,
                  const ActiveFeatures& features);
  /// The score of the side to move, whose accumulator is `own`: about -100 to 100 hundredths of a pawn.
  int (*evaluate)(const NetworkCalls& network, const std::int16_t* own, const std::int16_t* other);
  /// Cache lines of weights that evaluate() reads for these accumulators; the accumulators' own lines not counted.
  unsigned (*layer_lines)(const NetworkCalls& network, const std::int16_t* own, const std::int16_t* other);
};

/// Cache lines of one accumulator, or of one piece row.
constexpr unsigned accumulator_lines(const NetworkWeights& weights) { return weights.width * 2 / 64; }

/// Cache lines that update() touches: the rows, one accumulator read and one written.
constexpr unsigned update_lines(const NetworkWeights& weights, const FeatureChange& change) {
  return (change.pieces_added.count + change.pieces_removed.count + 2) * accumulator_lines(weights) +
         (change.threats.came.count + change.threats.went.count) * weights.width / 64;
}

/// Cache lines that refresh() touches.
constexpr unsigned refresh_lines(const NetworkWeights& weights, const ActiveFeatures& features) {
  return (features.pieces.count + 2) * accumulator_lines(weights) + features.threats.count * weights.width / 64;
}

/// Moves from the root to the deepest position that the search looks at.
inline constexpr unsigned max_search_ply = 127;

/// Bytes of the memory for accumulators that the host gives a search.
constexpr std::size_t accumulator_bytes(unsigned network_width) {
  return (max_search_ply + 1) * 2 * network_width * sizeof(std::int16_t);
}

/// What a network is made of: `width` is a multiple of 128 up to 8192, 256 and 1024 being the usual ones.
struct NetworkShape {
  unsigned width;
  bool threats;
};

/// Bytes of memory that the weights take. @throws UserError if the width is impossible.
std::size_t network_bytes(NetworkShape shape);

/// Fills `memory` (network_bytes, 64-byte aligned) with the weights that follow from the seed, the same everywhere.
void fill_network(NetworkShape shape, std::uint64_t seed, void* memory);

/// Instruction sets that the network is compiled for; scores are the same. On AArch64 the baseline, which has Advanced
/// SIMD, is all.
enum class NetworkIsa : unsigned { baseline, avx2, avx512 };

/// The best one that this CPU runs.
NetworkIsa best_network_isa();

/// The functions for the weights in `memory`, which must outlive them. @throws UserError if the CPU lacks `isa`.
NetworkCalls network_calls(NetworkShape shape, const void* memory, NetworkIsa isa = best_network_isa());

}  // namespace slidebench::engine
