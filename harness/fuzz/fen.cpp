// SPDX-License-Identifier: MIT
//
// FENs: refused in one line, or written again as a FEN of the same position.
#include "harness/engine/fen.hpp"

#include "harness/base/errors.hpp"
#include "harness/fuzz/fuzz_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace slidebench;
  try {
    const engine::PositionState state = engine::parse_fen(fuzz::text_of(data, size));
    fuzz::require(engine::parse_fen(engine::to_fen(state)) == state);
  } catch (const UserError& error) {
    fuzz::require(std::string(error.what()).find('\n') == std::string::npos);
  }
  return 0;
}
