// SPDX-License-Identifier: MIT
//
// What the simulator sees of a store: what it keeps is a table, read when pieces move and when it is asked.
#include <gtest/gtest.h>

#include <array>
#include <set>
#include <vector>

#include "harness/base/errors.hpp"
#include "harness/simulator/access_stream.hpp"
#include "harness/simulator/test_events.hpp"
#include "harness/simulator/test_modules.hpp"

namespace slidebench {
namespace {

/// The start of a game with a move each and one taken back; attackers of f3 and the rook's attacks are asked for.
struct OpeningBlock {
  std::vector<Bitboard> occupied;
  std::vector<NodeTag> tags{static_cast<NodeTag>(NodeEvent::root), 1 | moved_flag, 1 | moved_flag, 2 | moved_flag};
  std::vector<RunLengths> runs = std::vector<RunLengths>(4, 0x1010);  // a rook, a both
  std::vector<std::uint8_t> squares{0, 21, 0, 21, 0, 21, 0, 21};
  std::vector<SliderSets> sliders = std::vector<SliderSets>(4);
  std::vector<PackedBoard> boards;
  std::vector<MoveCode> moves{12 | 28 << 6, 52 | 36 << 6};  // e2e4, e7e5

  OpeningBlock() {
    PieceBoard board = PieceBoard::empty();
    constexpr std::array back{3, 1, 2, 4, 5, 2, 1, 3};
    for (std::uint8_t file = 0; file < 8; ++file) {
      const auto type = static_cast<PieceType>(back[file]);
      board.put({file, piece_of(Color::white, type)});
      board.put({static_cast<std::uint8_t>(8 + file), piece_of(Color::white, PieceType::pawn)});
      board.put({static_cast<std::uint8_t>(48 + file), piece_of(Color::black, PieceType::pawn)});
      board.put({static_cast<std::uint8_t>(56 + file), piece_of(Color::black, type)});
    }
    boards.push_back(pack(board));
    const Change first = change_of(board, moves[0]);
    occupied.push_back(board.occupied());
    board.make(first);
    occupied.push_back(board.occupied());
    board.make(change_of(board, moves[1]));
    occupied.push_back(board.occupied());
    occupied.push_back(occupied[1]);
  }

  TraceBlock view() const {
    TraceBlock block{occupied.data(), tags.data(), runs.data(), squares.data(), sliders.data(), 4, 8};
    block.boards = boards.data(), block.moves = moves.data(), block.board_count = 1, block.move_count = 2;
    return block;
  }
};

std::vector<MemoryEvent> events_of(const Plugin& store, const AddressSpace& space, const TraceBlock& block) {
  EventRecorder recorder;
  EventConsumer* const consumer = &recorder;
  AccessStream(store.descriptor(), space, {}).replay({&block, 1}, {&consumer, 1});
  return recorder.events;
}

TEST(StoreAccess, IsSeenWhenPiecesMoveAndWhenTheStoreIsAsked) {
  const Plugin rows = traced_module("rows");
  const AddressSpace space(rows.tables(), {}, false);
  ASSERT_EQ(space.regions()[space.table_count() - 1u].name, "state");
  const OpeningBlock opening;
  std::set<Owner> owners;
  for (const MemoryEvent& event : events_of(rows, space, opening.view())) {
    if (event.kind == MemoryEvent::Kind::access && event.region + 1u == space.table_count()) owners.insert(event.owner);
  }
  EXPECT_TRUE(owners.contains(update_owner));
  EXPECT_TRUE(owners.contains(encode_query(QueryKind::rook, 0)));
  EXPECT_TRUE(owners.contains(encode_query(QueryKind::both, 21)));
}

TEST(StoreAccess, IsRefusedWhereABlockHasNoPieces) {
  const Plugin rows = traced_module("rows");
  const AddressSpace space(rows.tables(), {}, false);
  const OpeningBlock opening;
  TraceBlock block = opening.view();
  block.boards = nullptr, block.moves = nullptr, block.board_count = 0, block.move_count = 0;
  EXPECT_THROW(events_of(rows, space, block), UserError);
}

}  // namespace
}  // namespace slidebench
