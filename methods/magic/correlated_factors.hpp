// SPDX-License-Identifier: MIT
//
// Factors that serve several squares: halved once for each file, they are magic for bishops of a whole rank (9 bits)
// and for rooks of two neighbouring squares (12 bits); magic_correlation.hpp. Found by this project's own search in
// seconds: random numbers with few bits, and of those the first that is magic for all of its
// squares. The hardest rank of bishops took 1.4 million of them, the hardest pair of rooks 0.2 million. Verification
// proves them, as it does every answer.
#pragma once

#include <cstdint>

namespace slidebench {

// clang-format off
/// Element: the rank.
inline constexpr std::uint64_t correlated_bishop_factors[8] = {
    0x3023618100D02100, 0x0000440302060018, 0x0281260E04002800, 0x3020400020086082,
    0x0438202000400900, 0x20150C1040020404, 0x0700A280AA024000, 0x60220446020471B2,
};

/// Element: the square / 2.
inline constexpr std::uint64_t correlated_rook_factors[32] = {
    0x0080018A20114000, 0xC020042811806000, 0x1200102821020004, 0x3100089200044100,
    0x8008081060018044, 0x0101E0004188600D, 0x8AB0200200201100, 0xC090200200010042,
    0x00002A4001100040, 0x0022828404102000, 0x0405006008003120, 0xD054084010080290,
    0x0004A70020001000, 0x03090044A0020021, 0x0002000200100124, 0x0002020080204100,
    0x2080400800100010, 0x0180410814200081, 0x0048001004380100, 0x0008010800A00651,
    0x0580308801631000, 0x008051A100808004, 0x13C0785002100800, 0x0200D0020004B008,
    0x2144508020C00020, 0x000C224105001300, 0x0014140008000109, 0x00005522004A0880,
    0x002A001481022042, 0x0060001020082443, 0x5098240810200182, 0x4002008048091204,
};
// clang-format on

}  // namespace slidebench
