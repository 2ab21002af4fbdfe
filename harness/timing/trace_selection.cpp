// SPDX-License-Identifier: MIT
#include "harness/timing/trace_selection.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <random>

#include "harness/trace/errors.hpp"

namespace slidebench {
namespace {

/// The nodes [first, last) of a block, whose queries begin at `square`.
TraceBlock part_of(const TraceBlock& block, std::uint32_t first, std::uint32_t last, const std::uint8_t* square) {
  TraceBlock part{block.occupied + first, block.tags + first, block.runs + first, square,
                  block.sliders + first,  last - first};
  for (std::uint32_t node = first; node < last; ++node) part.queries += queries_in(block.runs[node]);
  if (block.batches != nullptr) part.batches = block.batches + first;
  return part;
}

Bitboard take_any(Bitboard& set, std::mt19937_64& random) {
  Bitboard left = set;
  for (auto skip = random() % static_cast<unsigned>(std::popcount(set)); skip != 0; --skip) left &= left - 1;
  const Bitboard taken = left & (0 - left);
  set ^= taken;
  return taken;
}

/// A batch of so many pieces of a node, which has at least as many.
SliderBatch batch_of_size(unsigned size, const SliderSets& sliders, Bitboard occupied, std::mt19937_64& random) {
  const Bitboard diagonal = sliders.white_diagonal | sliders.black_diagonal;
  const Bitboard orthogonal = sliders.white_orthogonal | sliders.black_orthogonal;
  Bitboard real = diagonal | orthogonal;
  Bitboard others = occupied & ~real;
  std::array<Bitboard, 3> kinds{};  // bishops, rooks, queens
  for (unsigned taken = 0; taken < size; ++taken) {
    if (real == 0) {
      kinds[taken % 3] |= take_any(others, random);
      continue;
    }
    const Bitboard piece = take_any(real, random);
    kinds[(piece & orthogonal) == 0 ? 0 : (piece & diagonal) == 0 ? 1 : 2] |= piece;
  }
  return SliderBatch::of(kinds[0], kinds[2], kinds[1]);
}

}  // namespace

unsigned parse_sliders(const std::string& name) {
  if (name == "all") return 0;
  unsigned sliders = 0;
  const char* const end = name.data() + name.size();
  const auto [rest, error] = std::from_chars(name.data(), end, sliders);
  if (error != std::errc{} || sliders == 0 || sliders > SliderBatch::capacity || name != sliders_name(sliders)) {
    throw UserError("'" + name + "' is no batch; a batch has 1 to " + std::to_string(SliderBatch::capacity) +
                    " sliders, or all");
  }
  return sliders;
}

std::string sliders_name(unsigned sliders) { return std::to_string(sliders) + (sliders == 1 ? "-slider" : "-sliders"); }

std::optional<QueryKind> parse_kind(const std::string& name) {
  constexpr std::array<const char*, query_kinds> names{"bishop", "rook", "queen", "both"};
  if (name == "all") return std::nullopt;
  for (unsigned kind = 0; kind < query_kinds; ++kind) {
    if (name == names[kind]) return static_cast<QueryKind>(kind);
  }
  throw UserError("unknown kind of query '" + name + "'; the kinds are all, bishop, rook, queen, both");
}

TraceSelection::TraceSelection(const Trace& trace, const SelectionOptions& options) : nodes_only_(options.nodes_only) {
  for (const TraceBlock& block : trace.blocks()) {
    const TraceBlock selected = options.nodes_only ? without_continuations(block)
                                : options.kind     ? only(block, *options.kind, options.kept)
                                                   : block;
    cut(options.batches ? with_batches(selected, options.sliders) : selected, options.piece_queries);
  }
  for (const TraceBlock& piece : pieces_) size_ += weight(piece);
  gather(options.window_queries);
}

void TraceSelection::Columns::add_node(const TraceBlock& from, std::uint32_t node, NodeTag tag,
                                       RunLengths run_lengths) {
  occupied.push_back(from.occupied[node]);
  tags.push_back(tag);
  sliders.push_back(from.sliders[node]);
  runs.push_back(run_lengths);
}

TraceBlock TraceSelection::Columns::view() const {
  return {occupied.data(),
          tags.data(),
          runs.data(),
          squares.data(),
          sliders.data(),
          static_cast<std::uint32_t>(tags.size()),
          static_cast<std::uint32_t>(squares.size())};
}

TraceBlock TraceSelection::only(const TraceBlock& block, QueryKind kind, TagSet kept) {
  Columns& own = columns_.emplace_back();
  const unsigned run = max_run_length << (4 * static_cast<unsigned>(kind));
  bool new_root = false;  // since the last node that stays
  for (std::uint32_t node = 0; node < block.nodes; ++node) {
    const NodeTag tag = block.tags[node];
    const auto asked = static_cast<RunLengths>(block.runs[node] & run);
    new_root = new_root || node_event(tag) == NodeEvent::root;
    if (asked == 0 && !kept.has(tag)) continue;
    static_assert(static_cast<NodeTag>(NodeEvent::root) == 0);
    own.add_node(block, node, new_root ? static_cast<NodeTag>(tag & ~event_mask) : tag, asked);
    new_root = false;
  }
  for_each_query(block, [&own, kind](std::uint32_t, QueryKind of, Square s) {
    if (of == kind) own.squares.push_back(static_cast<std::uint8_t>(s));
  });
  return own.view();
}

TraceBlock TraceSelection::without_continuations(const TraceBlock& block) {
  const auto continues = [](NodeTag tag) { return (tag & continued_flag) != 0; };
  if (std::none_of(block.tags, block.tags + block.nodes, continues)) return block;
  Columns& own = columns_.emplace_back();
  for (std::uint32_t node = 0; node < block.nodes; ++node) {
    if (!continues(block.tags[node])) own.add_node(block, node, block.tags[node], 0);
  }
  return own.view();
}

TraceBlock TraceSelection::with_batches(const TraceBlock& block, unsigned sliders) {
  Columns& own = columns_.emplace_back();
  if (sliders == 0) {
    for (std::uint32_t node = 0; node < block.nodes; ++node) own.batches.push_back(batch_of(block.sliders[node]));
    TraceBlock view = block;
    view.batches = own.batches.data();
    return view;
  }
  std::mt19937_64 random(sliders);
  bool new_root = false;  // since the last node that stays
  for (std::uint32_t node = 0; node < block.nodes; ++node) {
    const NodeTag tag = block.tags[node];
    new_root = new_root || node_event(tag) == NodeEvent::root;
    if (static_cast<unsigned>(std::popcount(block.occupied[node])) < sliders) continue;
    own.add_node(block, node, new_root ? static_cast<NodeTag>(tag & ~event_mask) : tag, 0);
    own.batches.push_back(batch_of_size(sliders, block.sliders[node], block.occupied[node], random));
    new_root = false;
  }
  TraceBlock view = own.view();
  view.batches = own.batches.data();
  return view;
}

void TraceSelection::cut(const TraceBlock& block, std::uint64_t piece_queries) {
  const std::uint8_t* square = block.squares;
  std::uint32_t first = 0;
  std::uint64_t inside = 0;
  for (std::uint32_t node = 0; node < block.nodes; ++node) {
    inside += nodes_only_ ? 1 : queries_in(block.runs[node]);
    if (inside < piece_queries && node + 1 < block.nodes) continue;
    pieces_.push_back(part_of(block, first, node + 1, square));
    square += pieces_.back().queries;
    first = node + 1;
    inside = 0;
  }
}

void TraceSelection::gather(std::uint64_t window_queries) {
  std::size_t first = 0;
  std::uint64_t inside = 0;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    inside += weight(pieces_[i]);
    if (inside < window_queries) continue;
    windows_.emplace_back(pieces_.data() + first, i + 1 - first);
    first = i + 1;
    inside = 0;
  }
  // A short rest joins the last window.
  const Window rest(pieces_.data() + first, pieces_.size() - first);
  if (windows_.empty()) {
    windows_.push_back(rest);
  } else {
    windows_.back() = {windows_.back().data(), windows_.back().size() + rest.size()};
  }
}

}  // namespace slidebench
