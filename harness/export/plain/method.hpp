#pragma once

#include "methods/batch.hpp"
#include "methods/bitboard.hpp"
#include "methods/table.hpp"

namespace slidebench {

/// The bishop set and the rook set of one square.
struct BishopRook {
  Bitboard bishop;
  Bitboard rook;
};

}  // namespace slidebench
