// SPDX-License-Identifier: MIT
//
// A trace, as the replay kernels see it: blocks of nodes, each node with the attack queries that an engine asks there.
//
// A block is a handful of parallel arrays, so that a kernel streams only what it uses: 8 bytes of occupancy and 2 bytes
// of run lengths a node, one byte (the square) a query. The slider sets (32 bytes per node) lie apart, for the set-wise
// workload.
//
// A trace may also tell the pieces: the board at roots, and each move. They are for workloads that keep attacks from
// move to move, and lie apart too.
//
// A node's queries come in four runs: bishops, rooks, queens, both. A replay kernel is then four plain loops a node,
// with no choice to make a query; choosing per query cost the empty loop half a nanosecond. Queries in another order,
// or more than 15 of a kind, continue in a further node of the same occupancy (`continued_flag`).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "harness/chess/moves.hpp"
#include "methods/batch.hpp"
#include "methods/bitboard.hpp"

namespace slidebench {

/// What an engine asks about a square. `both` wants the bishop set and the rook set of the square, separately.
enum class QueryKind : std::uint8_t { bishop = 0, rook = 1, queen = 2, both = 3 };
inline constexpr unsigned query_kinds = 4;

/// A query in one byte, for those who build or look through a trace: the kind in bits 7-6, the square in bits 5-0.
using QueryCode = std::uint8_t;

constexpr QueryCode encode_query(QueryKind kind, Square s) {
  return static_cast<QueryCode>((static_cast<unsigned>(kind) << 6) | s);
}
constexpr QueryKind query_kind(QueryCode code) { return static_cast<QueryKind>(code >> 6); }
constexpr Square query_square(QueryCode code) { return code & 63u; }

/// How a node follows from the one before it. The changed squares are the XOR of the two occupancies.
enum class NodeEvent : std::uint8_t {
  root = 0,      ///< an unrelated position: the start of a game or of a search
  make = 1,      ///< a move was made
  unmake = 2,    ///< a move was taken back
  null_move = 3  ///< the side to move changed, the occupancy did not
};

/// A node's event (bits 1-0) and flags in one byte; the remaining bits are zero.
using NodeTag = std::uint8_t;
inline constexpr NodeTag event_mask = 0x03;
inline constexpr NodeTag evaluated_flag = 0x04;  ///< the engine evaluates this position
inline constexpr NodeTag probed_flag = 0x08;     ///< the engine probes its hash table here
inline constexpr NodeTag continued_flag = 0x10;  ///< more queries of the node before; the event is then null_move
inline constexpr NodeTag moved_flag = 0x20;      ///< pieces moved: the next of the block's moves, or the last one back
inline constexpr NodeTag known_tag_bits = event_mask | evaluated_flag | probed_flag | continued_flag | moved_flag;

/// A set of tags, a bit each: known tags are below 64.
struct TagSet {
  std::uint64_t bits = 0;

  constexpr bool has(NodeTag tag) const { return (bits >> tag & 1) != 0; }
};
static_assert(known_tag_bits < 64);

constexpr NodeEvent node_event(NodeTag tag) { return static_cast<NodeEvent>(tag & event_mask); }

/// The sliders of both sides at one node: what the set-wise workload asks about. Queens stand in both sets of a side.
struct SliderSets {
  Bitboard white_diagonal = 0;
  Bitboard white_orthogonal = 0;
  Bitboard black_diagonal = 0;
  Bitboard black_orthogonal = 0;

  constexpr Bitboard all() const { return white_diagonal | white_orthogonal | black_diagonal | black_orthogonal; }
  constexpr SliderSets on(Bitboard squares) const {
    return {white_diagonal & squares, white_orthogonal & squares, black_diagonal & squares, black_orthogonal & squares};
  }
};

/// The sliders of both sides, each to be asked about apart.
constexpr SliderBatch batch_of(const SliderSets& sliders) {
  const Bitboard diagonal = sliders.white_diagonal | sliders.black_diagonal;
  const Bitboard orthogonal = sliders.white_orthogonal | sliders.black_orthogonal;
  return SliderBatch::of(diagonal & ~orthogonal, diagonal & orthogonal, orthogonal & ~diagonal);
}

/// The lengths of a node's four runs, in the order of QueryKind: four bits each, the bishops' in the lowest.
using RunLengths = std::uint16_t;
inline constexpr unsigned max_run_length = 15;

constexpr unsigned run_length(RunLengths runs, QueryKind kind) {
  return static_cast<unsigned>(runs >> (4 * static_cast<unsigned>(kind))) & max_run_length;
}
constexpr unsigned queries_in(RunLengths runs) {
  return run_length(runs, QueryKind::bishop) + run_length(runs, QueryKind::rook) + run_length(runs, QueryKind::queen) +
         run_length(runs, QueryKind::both);
}

/// A board in four bits a square: no_piece or a piece, the lower square of two in the lower bits.
using PackedBoard = std::array<std::uint8_t, 32>;

constexpr PackedBoard pack(const PieceBoard& board) {
  PackedBoard packed{};
  for (Square s = 0; s < square_count; s += 2)
    packed[s / 2] = static_cast<std::uint8_t>(board.on[s] | board.on[s + 1] << 4);
  return packed;
}

/// Precondition: no square has a number beyond no_piece.
constexpr PieceBoard unpack(const PackedBoard& packed) {
  PieceBoard board = PieceBoard::empty();
  for (std::uint8_t s = 0; s < square_count; ++s) {
    const auto piece = static_cast<Piece>(packed[s / 2] >> (4 * (s % 2)) & 15);
    if (piece != no_piece) board.put({s, piece});
  }
  return board;
}

/// How many moves can be taken back in a row, at most.
inline constexpr std::uint32_t max_line = 255;

/// A view of one block of a trace; the arrays belong to the trace and stay valid as long as it does.
struct TraceBlock {
  const Bitboard* occupied = nullptr;     ///< `nodes` entries
  const NodeTag* tags = nullptr;          ///< `nodes` entries
  const RunLengths* runs = nullptr;       ///< `nodes` entries; the lengths add up to `queries`
  const std::uint8_t* squares = nullptr;  ///< `queries` entries, 0 to 63, node after node, in the order asked
  const SliderSets* sliders = nullptr;    ///< `nodes` entries
  std::uint32_t nodes = 0;
  std::uint32_t queries = 0;
  const SliderBatch* batches = nullptr;  ///< `nodes` entries of a selection for the workload batch, else null

  /// The pieces, null if the trace does not tell them: a board from which the first `line` moves lead to the position
  /// of the first node, whatever its event says; then one for each later root.
  const PackedBoard* boards = nullptr;
  const MoveCode* moves = nullptr;  ///< the line's, then those of later nodes that make one
  std::uint32_t board_count = 0;
  std::uint32_t move_count = 0;
  std::uint32_t line = 0;  ///< at most max_line; what the block's nodes take back, they or the line have made

  constexpr bool has_pieces() const { return boards != nullptr; }
};

/// Whether a node, not the first of its block, makes a move, or takes the last one back.
constexpr bool makes_move(NodeTag tag) { return (tag & (moved_flag | event_mask)) == (moved_flag | 1); }
constexpr bool takes_back(NodeTag tag) { return (tag & (moved_flag | event_mask)) == (moved_flag | 2); }

/// Calls visit(node, kind, square) for every query of a block, in order.
template <class Visit>
void for_each_query(const TraceBlock& block, Visit visit) {
  const std::uint8_t* square = block.squares;
  for (std::uint32_t node = 0; node < block.nodes; ++node) {
    for (unsigned kind = 0; kind < query_kinds; ++kind) {
      const unsigned length = run_length(block.runs[node], static_cast<QueryKind>(kind));
      for (unsigned i = 0; i < length; ++i) visit(node, static_cast<QueryKind>(kind), Square{*square++});
    }
  }
}

}  // namespace slidebench
