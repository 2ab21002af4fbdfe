// SPDX-License-Identifier: MIT
//
// The trace file, format version 2.
//
//   file       = header, block, block, ..., provenance            nothing before, between or after
//   numbers    = little-endian, unsigned; u8, u32, u64 = 1, 4, 8 bytes
//   .zst       = the same file as one Zstandard stream; readers tell by its magic 28 B5 2F FD, not by its name
//
// Header, 128 bytes:
//
//   offset  type    content
//        0  u8[8]   magic: the characters "SLTRACE" and a line feed
//        8  u32     byte order mark 0x01020304
//       12  u32     format version, 2
//       16  u32     bytes of this header, 128
//       20  u32     zero
//       24  u64     bytes of all blocks together
//       32  u64     bytes of the provenance
//       40  u64     blocks
//       48  u64     nodes in all blocks
//       56  u64[4]  queries in all blocks: bishop, rook, queen, both
//       88  u64     digest: XXH3-64 (seed 0) of the blocks, the provenance, and the header with this field zero, in
//                   that order, so that a writer can stream
//       96  u8[32]  zero
//
// Block, a multiple of 64 bytes: a header of 64 bytes and seven columns. Each column starts at the next multiple of 64
// bytes after the one before it and is padded with zeros, so that a mapped file is used in place:
//
//        0  u32     n, nodes of this block, at least 1
//        4  u32     q, queries of this block
//        8  u64     bytes of this block, header and padding included
//       16  u32     b, boards; 0 if the trace does not tell the pieces
//       20  u32     m, moves
//       24  u32     l, moves of the line that leads to the first node, at most 255 and m
//       28  u8[36]  zero
//       64  u64[n]      occupied: the occupied squares, bit 0 = a1, bit 7 = h1, bit 63 = h8
//           u64[4 * n]  sliders: per node white diagonal, white orthogonal, black diagonal, black orthogonal sliders;
//                       queens stand in both sets of their side; every set is a subset of `occupied`
//           u8[n]       tags: bits 1-0 event (0 root, 1 make, 2 unmake, 3 null move), bit 2 evaluated, bit 3 probed,
//                       bit 4 continued: more queries of the node before, bit 5 moved: with make the pieces made the
//                       next move, with unmake the last one was taken back
//           u16[n]      runs: how many bishop (bits 3-0), rook (7-4), queen (11-8) and both (15-12) queries per node
//                       has, asked in this order; all lengths together are q
//           u8[q]       squares of the queries, 0 to 63, node after node
//           u8[32 * b]  boards, four bits a square, the lower square in the lower bits: 6 * colour + type, type 0 to 5
//                       pawn, knight, bishop, rook, queen, king, or 12 for none. The first is where the line starts;
//                       then one for each root of the block but the first node
//           u16[m]      moves: from (bits 5-0), to (11-6), promotion (13-12: knight, bishop, rook, queen), and 15-14:
//                       0 plain, 1 promotion, 2 en passant, 3 castling, the king's move of two squares. First the
//                       line's, then those of the nodes that make one but the first node
//
// A block ends at the first node border after 65,536 queries or nodes, so it may begin in the middle of a game: whoever
// replays it builds the board of its first node from the occupancy, whatever the event says, or with pieces from the
// first board and the line. The line has the moves that the block takes back, and no more. With pieces, a root's
// occupancy and a moved node's are those of the pieces; others may differ (see search_trace.hpp).
//
// A node whose queries come in another order, or that has more than 15 of a kind in a run, is stored as several: the
// first one has its tag, the further ones have the same occupancy and sliders, the event "null move" and, as their only
// flag, "continued".
//
// Provenance: a JSON object in UTF-8, see game_trace.hpp, random_trace.hpp and log_import.hpp. It holds no times and no
// paths, so that the same input gives the same bytes.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "harness/trace/block.hpp"

namespace slidebench {

static_assert(std::endian::native == std::endian::little, "traces are mapped and used in place: little-endian only");

inline constexpr std::array<char, 8> trace_magic{'S', 'L', 'T', 'R', 'A', 'C', 'E', '\n'};
inline constexpr std::uint32_t byte_order_mark = 0x01020304;
inline constexpr std::uint32_t format_version = 2;

/// A block is closed at the first node border after so many queries, or nodes.
inline constexpr std::size_t block_target = 65'536;

/// Columns start at multiples of this, bytes.
inline constexpr std::size_t column_alignment = 64;

struct FileHeader {
  std::array<char, 8> magic = trace_magic;
  std::uint32_t byte_order = byte_order_mark;
  std::uint32_t version = format_version;
  std::uint32_t header_bytes = 128;
  std::uint32_t zero = 0;
  std::uint64_t payload_bytes = 0;
  std::uint64_t provenance_bytes = 0;
  std::uint64_t blocks = 0;
  std::uint64_t nodes = 0;
  std::array<std::uint64_t, query_kinds> queries{};
  std::uint64_t digest = 0;
  std::array<std::uint8_t, 32> reserved{};

  /// Of all kinds.
  std::uint64_t all_queries() const { return queries[0] + queries[1] + queries[2] + queries[3]; }
};
static_assert(sizeof(FileHeader) == 128 && offsetof(FileHeader, digest) == 88);

struct BlockHeader {
  std::uint32_t nodes = 0;
  std::uint32_t queries = 0;
  std::uint64_t bytes = 0;
  std::uint32_t boards = 0;
  std::uint32_t moves = 0;
  std::uint32_t line = 0;
  std::array<std::uint8_t, 36> reserved{};
};
static_assert(sizeof(BlockHeader) == column_alignment);
static_assert(sizeof(SliderSets) == 32, "the sliders column is used in place");

/// Where the columns of a block start, bytes from the start of the block.
struct BlockLayout {
  std::uint64_t occupied = 0;
  std::uint64_t sliders = 0;
  std::uint64_t tags = 0;
  std::uint64_t runs = 0;
  std::uint64_t squares = 0;
  std::uint64_t boards = 0;
  std::uint64_t moves = 0;
  std::uint64_t bytes = 0;  ///< of the whole block
};

constexpr std::uint64_t align_column(std::uint64_t offset) {
  return (offset + column_alignment - 1) / column_alignment * column_alignment;
}

/// Where the columns of a block are, by the counts of its header.
constexpr BlockLayout block_layout(const BlockHeader& header) {
  const std::uint64_t nodes = header.nodes;
  BlockLayout at;
  at.occupied = sizeof(BlockHeader);
  at.sliders = align_column(at.occupied + nodes * sizeof(Bitboard));
  at.tags = align_column(at.sliders + nodes * sizeof(SliderSets));
  at.runs = align_column(at.tags + nodes);
  at.squares = align_column(at.runs + nodes * sizeof(RunLengths));
  at.boards = align_column(at.squares + header.queries);
  at.moves = align_column(at.boards + header.boards * sizeof(PackedBoard));
  at.bytes = align_column(at.moves + header.moves * sizeof(MoveCode));
  return at;
}

}  // namespace slidebench
