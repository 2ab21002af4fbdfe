// SPDX-License-Identifier: MIT
#include "extras/web/wasm/pieces.hpp"

#include <algorithm>
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

/// The block that begins at `start`, whose size has been checked.
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

/// Whether a replay of the block stays within it: run lengths add up, squares and tags are ones.
bool is_sound(const TraceBlock& block) {
  std::uint64_t queries = 0;
  for (std::uint32_t node = 0; node < block.nodes; ++node) queries += queries_in(block.runs[node]);
  return queries == block.queries &&
         std::all_of(block.squares, block.squares + block.queries, [](std::uint8_t s) { return s < square_count; }) &&
         std::all_of(block.tags, block.tags + block.nodes, [](NodeTag tag) { return (tag & ~known_tag_bits) == 0; });
}

/// Appends a block's pieces; `size_of` a node is what counts.
template <class SizeOf>
void cut(const TraceBlock& block, SizeOf size_of, std::vector<TraceBlock>& pieces) {
  TraceBlock piece = block;
  piece.nodes = piece.queries = 0;
  std::uint64_t inside = 0;
  for (std::uint32_t node = 0; node < block.nodes; ++node) {
    inside += size_of(block.runs[node]);
    piece.queries += queries_in(block.runs[node]);
    ++piece.nodes;
    if (inside < piece_size && node + 1 < block.nodes) continue;
    pieces.push_back(piece);
    piece.occupied += piece.nodes;
    piece.tags += piece.nodes;
    piece.runs += piece.nodes;
    piece.sliders += piece.nodes;
    piece.squares += piece.queries;
    if (piece.batches != nullptr) piece.batches += piece.nodes;
    piece.nodes = piece.queries = 0;
    inside = 0;
  }
}

/// Gathers pieces to segments; a short rest joins the last one.
template <class SizeOf>
std::vector<Pieces::Segment> gather(const std::vector<TraceBlock>& pieces, SizeOf size_of) {
  std::vector<Pieces::Segment> segments;
  std::size_t first = 0;
  std::uint64_t inside = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    inside += size_of(pieces[i]);
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
  clear();
  if (file.size() < sizeof(FileHeader)) return "is too short for a trace";
  const auto header = read<FileHeader>(file.data());
  if (header.magic != trace_magic) return "is no trace";
  if (header.version != format_version) return "is a trace of another format version";
  if (header.byte_order != byte_order_mark || header.header_bytes != sizeof(FileHeader) || header.nodes == 0 ||
      header.payload_bytes > file.size() - sizeof(FileHeader))
    return "is damaged or incomplete";
  std::span<const std::byte> rest = file.subspan(sizeof(FileHeader), static_cast<std::size_t>(header.payload_bytes));
  for (std::uint64_t n = 0; n < header.blocks; ++n) {
    if (rest.size() < sizeof(BlockHeader)) return "is damaged or incomplete";
    const auto block_header = read<BlockHeader>(rest.data());
    const std::uint64_t bytes = block_layout(block_header).bytes;
    if (block_header.nodes == 0 || bytes != block_header.bytes || bytes > rest.size())
      return "is damaged or incomplete";
    const TraceBlock block = block_at(rest.data(), block_header);
    if (!is_sound(block)) return "is damaged";
    cut(
        block, [](RunLengths runs) { return queries_in(runs); }, by_queries_.pieces);
    cut(
        nodes_of(block), [](RunLengths) { return 1u; }, by_nodes_.pieces);
    rest = rest.subspan(static_cast<std::size_t>(bytes));
  }
  by_queries_.segments = gather(by_queries_.pieces, [](const TraceBlock& piece) { return piece.queries; });
  by_nodes_.segments = gather(by_nodes_.pieces, [](const TraceBlock& piece) { return piece.nodes; });
  return nullptr;
}

TraceBlock Pieces::nodes_of(const TraceBlock& block) {
  Columns& own = columns_.emplace_back();
  for (std::uint32_t node = 0; node < block.nodes; ++node) {
    if ((block.tags[node] & continued_flag) != 0) continue;
    own.occupied.push_back(block.occupied[node]);
    own.tags.push_back(block.tags[node]);
    own.runs.push_back(0);
    own.sliders.push_back(block.sliders[node]);
    own.batches.push_back(batch_of(block.sliders[node]));
  }
  TraceBlock view;
  view.occupied = own.occupied.data();
  view.tags = own.tags.data();
  view.runs = own.runs.data();
  view.sliders = own.sliders.data();
  view.batches = own.batches.data();
  view.nodes = static_cast<std::uint32_t>(own.tags.size());
  return view;
}

void Pieces::clear() {
  by_queries_ = by_nodes_ = {};
  columns_.clear();
}

}  // namespace slidebench::wasm
