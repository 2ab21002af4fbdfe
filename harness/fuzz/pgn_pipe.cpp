// SPDX-License-Identifier: MIT
//
// Both ends of the pipe to pgn-extract: a file, plain or compressed, that is fed into it, and what it prints, as games
// and as complaints.
#include <fcntl.h>

#include "harness/base/errors.hpp"
#include "harness/fuzz/fuzz_input.hpp"
#include "harness/import/pgn_output.hpp"
#include "harness/import/pgn_source.hpp"
#include "harness/import/played_game.hpp"

namespace {

using namespace slidebench;

/// Feeds the file to nobody: what it unpacks to may be far larger.
void feed(const fuzz::MemoryFile& file) {
  try {
    PackedSource source(file.path());
    feed_pgn(source, FileHandle(::open("/dev/null", O_WRONLY | O_CLOEXEC)));
  } catch (const UserError& error) {
    fuzz::require(std::string(error.what()).find('\n') == std::string::npos);
  }
}

void play(const GameText& game) {
  std::size_t positions = 0;
  const std::string fault =
      engine::play_game(game, [&](const engine::GamePosition&, const engine::Move*) { ++positions; });
  fuzz::require(fault.find('\n') == std::string::npos && positions <= game.moves.size() + 1);
  fuzz::require(!fault.empty() || positions == game.moves.size() + 1);
  game_name(game);
}

void read_games(const fuzz::MemoryFile& file) {
  const FileHandle games_text(::open(file.path().c_str(), O_RDONLY | O_CLOEXEC));
  GameReader games(games_text.get());
  while (const auto game = games.next()) play(*game);
  FileHandle complaints(::open(file.path().c_str(), O_RDONLY | O_CLOEXEC));
  fuzz::require(read_complaints(std::move(complaints), "fuzz.pgn").named.size() <= max_named_rejections);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::MemoryFile file(fuzz::text_of(data, size));
  feed(file);
  read_games(file);
  return 0;
}
