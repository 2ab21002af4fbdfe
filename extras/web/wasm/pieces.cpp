// SPDX-License-Identifier: MIT
#include "extras/web/wasm/pieces.hpp"

#include <cstring>

#include "harness/trace/format.hpp"

namespace slidebench::wasm {
namespace {

constexpr std::uint64_t piece_size = 1 << 12, segment_size = 1 << 14;

template <class T>
T read(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

/// The block that begins at `start`.
TraceBlock block_at(const std::byte* start, const BlockHeader& header) {
  const BlockLayout at = block_layout(header);
  TraceBlock block;
  block.occupied = reinterpret_cast<const Bitboard*>(start + at.occupied);
  block.tags = reinterpret_cast<const NodeTag*>(start + at.tags);
  block.runs = reinterpret_cast<const RunLengths*>(start + at.runs);
  block.squares = reinterpret_cast<const std::uint8_t*>(start + at.squares);
  block.sliders = reinterpret_cast<const SliderSets*>(start + at.sliders);
  block.nodes = header.nodes;
  block.queries = header.queries;
  return block;
}

/// Appends a block's pieces.
void cut(const TraceBlock& block, std::vector<TraceBlock>& pieces) {
  TraceBlock piece = block;
  piece.nodes = piece.queries = 0;
  for (std::uint32_t node = 0; node < block.nodes; ++node) {
    piece.queries += queries_in(block.runs[node]);
    ++piece.nodes;
    if (piece.queries < piece_size && node + 1 < block.nodes) continue;
    pieces.push_back(piece);
    piece.occupied += piece.nodes;
    piece.tags += piece.nodes;
    piece.runs += piece.nodes;
    piece.sliders += piece.nodes;
    piece.squares += piece.queries;
    piece.nodes = piece.queries = 0;
  }
}

/// Gathers pieces to segments; a short rest joins the last one.
std::vector<Pieces::Segment> gather(const std::vector<TraceBlock>& pieces) {
  std::vector<Pieces::Segment> segments;
  std::size_t first = 0;
  std::uint64_t inside = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    inside += pieces[i].queries;
    if (inside < segment_size && i + 1 < pieces.size()) continue;
    const bool short_rest = inside < segment_size && !segments.empty();
    if (short_rest) first -= segments.back().size();
    if (short_rest) segments.pop_back();
    segments.emplace_back(pieces.data() + first, i + 1 - first);
    first = i + 1;
    inside = 0;
  }
  return segments;
}

}  // namespace

const char* Pieces::open(std::span<const std::byte> file) {
  const auto header = read<FileHeader>(file.data());
  if (header.magic != trace_magic || header.version != format_version) return "is none of this version";
  const std::byte* start = file.data() + sizeof(FileHeader);
  for (std::uint64_t n = 0; n < header.blocks; ++n) {
    const auto block_header = read<BlockHeader>(start);
    cut(block_at(start, block_header), pieces_);
    start += block_header.bytes;
  }
  segments_ = gather(pieces_);
  return nullptr;
}

}  // namespace slidebench::wasm
