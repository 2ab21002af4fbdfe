// SPDX-License-Identifier: MIT
//
// Trace files: refused, or safe to replay, and their pieces to follow. The digest is made to fit, so that what lies
// behind it is tested too.
#include <cstring>

#include "harness/base/errors.hpp"
#include "harness/fuzz/fuzz_input.hpp"
#include "harness/trace/digest.hpp"
#include "harness/trace/piece_track.hpp"
#include "harness/trace/reader.hpp"
#include "harness/trace/trace_info.hpp"

namespace {

using namespace slidebench;

/// The same file with the digest that a writer would have given it, if its sizes allow that.
std::string with_digest(std::string bytes) {
  FileHeader header;
  if (bytes.size() < sizeof header) return bytes;
  std::memcpy(&header, bytes.data(), sizeof header);
  const std::size_t behind = bytes.size() - sizeof header;
  if (header.payload_bytes > behind || header.provenance_bytes > behind - header.payload_bytes) return bytes;
  TraceDigest digest;
  digest.add(bytes.data() + sizeof header, header.payload_bytes);
  digest.add(bytes.data() + sizeof header + header.payload_bytes, header.provenance_bytes);
  header.digest = digest.finish(header);
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

/// The pieces through a block, as stores are taken through it.
void follow_pieces(const TraceBlock& block) {
  PieceTrack track(unpack(block.boards[0]));
  const PackedBoard* next_board = block.boards + 1;
  const MoveCode* next_move = block.moves;
  for (std::uint32_t n = 0; n < block.line; ++n) track.make(*next_move++);
  for (std::uint32_t node = 1; node < block.nodes; ++node) {
    const NodeTag tag = block.tags[node];
    if (node_event(tag) == NodeEvent::root) track.restart(unpack(*next_board++));
    if (makes_move(tag)) track.make(*next_move++);
    if (takes_back(tag)) track.unmake();
    fuzz::require(fault_of(track.board()).empty());
    fuzz::require((tag & moved_flag) == 0 || track.board().occupied() == block.occupied[node]);
  }
  fuzz::require(next_board == block.boards + block.board_count && next_move == block.moves + block.move_count);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const fuzz::MemoryFile file(with_digest(fuzz::text_of(data, size)));
    const Trace trace = Trace::open(file.path());
    to_text(describe(trace));
    if (!trace.has_pieces()) return 0;
    for (const TraceBlock& block : trace.blocks()) follow_pieces(block);
  } catch (const UserError&) {
  }
  return 0;
}
