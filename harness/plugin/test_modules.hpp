// SPDX-License-Identifier: MIT
//
// For tests: modules of this build that this CPU can run, damage in their tables, and a block that tells the pieces.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <bit>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "harness/chess/random_boards.hpp"
#include "harness/plugin/cpu.hpp"
#include "harness/plugin/loader.hpp"
#include "harness/trace/piece_track.hpp"

namespace slidebench {

inline std::vector<Plugin> runnable_modules(ModuleRole role) {
  std::vector<Plugin> modules = load_folder(TEST_PLUGIN_DIR, role, host_isa());
  std::erase_if(modules, [](const Plugin& p) { return !p.runs_on(host_isa()); });
  for (Plugin& module : modules) module.initialise();
  return modules;
}

inline Plugin module_named(const std::string& id, ModuleRole role = ModuleRole::timed) {
  for (Plugin& module : load_folder(TEST_PLUGIN_DIR, role, host_isa())) {
    if (module.id() != id || !module.runs_on(host_isa())) continue;
    module.initialise();
    return std::move(module);
  }
  throw std::runtime_error("no module of " + id);
}

inline Plugin traced_module(const std::string& id) { return module_named(id, ModuleRole::traced); }

/// One bit of a module's table flipped, as long as the object lives. Constant tables are made writable first.
class FlippedBit {
 public:
  FlippedBit(const TableInfo& table, std::size_t bit)
      : byte_(const_cast<unsigned char*>(static_cast<const unsigned char*>(table.address)) + bit / 8),
        mask_(static_cast<unsigned char>(1u << bit % 8)) {
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    void* start = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(byte_) / page * page);
    // Where the linker sets constants beside code, the page has both.
    if (mprotect(start, page, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) throw std::runtime_error("mprotect failed");
    *byte_ = static_cast<unsigned char>(*byte_ ^ mask_);
  }
  ~FlippedBit() { *byte_ = static_cast<unsigned char>(*byte_ ^ mask_); }
  FlippedBit(const FlippedBit&) = delete;
  FlippedBit& operator=(const FlippedBit&) = delete;

 private:
  volatile unsigned char* byte_;
  unsigned char mask_;
};

/// A walk of random moves, some taken back, two of them a line that leads to the first node; at its end a node without
/// queries and a second root. Every other node asks for the attacks of its pieces and for some attackers, some nodes on
/// another occupancy.
struct BlockOfPieces {
  std::vector<Bitboard> occupied;
  std::vector<NodeTag> tags;
  std::vector<RunLengths> runs;
  std::vector<std::uint8_t> squares;
  std::vector<PackedBoard> boards;
  std::vector<MoveCode> moves;

  BlockOfPieces() : random_(7), track_(full_board()) {
    boards.push_back(pack(track_.board()));
    move(), move();
    add(NodeEvent::root, false);
    for (unsigned n = 0; n < 300; ++n) {
      const bool back = (random_() % 2 == 0 && track_.can_unmake()) || !move();
      if (back && !track_.can_unmake()) break;
      if (back) track_.unmake();
      add(back ? NodeEvent::unmake : NodeEvent::make, true);
    }
    occupied.push_back(track_.board().occupied());
    tags.push_back(static_cast<NodeTag>(NodeEvent::null_move));
    runs.push_back(0);
    track_.restart(full_board());
    boards.push_back(pack(track_.board()));
    add(NodeEvent::root, false);
  }

  TraceBlock view() const {
    TraceBlock block;
    block.occupied = occupied.data(), block.tags = tags.data(), block.runs = runs.data(),
    block.squares = squares.data();
    block.nodes = static_cast<std::uint32_t>(tags.size()), block.queries = static_cast<std::uint32_t>(squares.size());
    block.boards = boards.data(), block.moves = moves.data();
    block.board_count = static_cast<std::uint32_t>(boards.size());
    block.move_count = static_cast<std::uint32_t>(moves.size());
    block.line = 2;
    return block;
  }

 private:
  PieceBoard full_board() {
    PieceBoard board = random_board(random_);
    while (std::popcount(board.occupied()) < 12) board = random_board(random_);
    return board;
  }

  bool move() {
    MoveCode code = 0;
    if (!random_move(track_.board(), random_, code)) return false;
    track_.make(code);
    moves.push_back(code);
    return true;
  }

  void add(NodeEvent event, bool moved) {
    tags.push_back(static_cast<NodeTag>(static_cast<unsigned>(event) | (moved ? moved_flag : 0u)));
    const bool elsewhere = random_() % 4 == 0;
    occupied.push_back(elsewhere ? track_.board().occupied() & random_() : track_.board().occupied());
    RunLengths run = 0;
    unsigned kind = 0;
    for (const PieceType type : {PieceType::bishop, PieceType::rook, PieceType::queen}) {
      for (Bitboard left = track_.board().of(type); left != 0;
           run = static_cast<RunLengths>(run + (1u << (4 * kind)))) {
        if (run_length(run, static_cast<QueryKind>(kind)) == max_run_length) break;
        squares.push_back(static_cast<std::uint8_t>(pop_lowest(left)));
      }
      ++kind;
    }
    for (unsigned n = 0; n < 3; ++n) squares.push_back(static_cast<std::uint8_t>(random_() % 64));
    runs.push_back(static_cast<RunLengths>(run + (3u << 12)));
  }

  std::mt19937_64 random_;
  PieceTrack track_;
};

}  // namespace slidebench
