// SPDX-License-Identifier: MIT
//
// Published perft counts, and the check of one method against them.
//
// Positions and counts of the first group are those of the Chess Programming Wiki ("Perft Results"); those with one
// rule each were collected by M. Sedlak (chessprogramming.net/perfect-perft).
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string_view>

#include "harness/engine/fen.hpp"
#include "harness/engine/perft.hpp"
#include "harness/engine/position.hpp"

namespace slidebench::engine {

struct PerftCount {
  const char* name;
  std::string_view fen;
  unsigned depth;
  std::uint64_t count;
};

inline constexpr std::string_view kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
inline constexpr std::string_view rook_endgame = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
inline constexpr std::string_view in_check = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1";
inline constexpr std::string_view in_check_mirrored =
    "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1";
inline constexpr std::string_view capturing_promotion = "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8";
inline constexpr std::string_view middlegame =
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";
inline constexpr std::string_view promotions = "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1";

/// For every method: a second even for the slow ones.
inline constexpr std::array<PerftCount, 8> shallow_counts{{
    {"start", start_position, 4, 197'281},
    {"kiwipete", kiwipete, 4, 4'085'603},
    {"rook endgame", rook_endgame, 5, 674'624},
    {"in check", in_check, 4, 422'333},
    {"in check, mirrored", in_check_mirrored, 4, 422'333},
    {"capturing promotion", capturing_promotion, 4, 2'103'487},
    {"middlegame", middlegame, 4, 3'894'594},
    {"promotions", promotions, 4, 182'838},
}};

/// One rule each.
inline constexpr std::array<PerftCount, 15> rule_counts{{
    {"en passant would uncover the king's rank", "3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", 6, 1'134'888},
    {"en passant would uncover the king's diagonal", "8/8/4k3/8/2p5/8/B2P2K1/8 w - - 0 1", 6, 1'015'133},
    {"en passant gives check", "8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", 6, 1'440'467},
    {"castling kingside gives check", "5k2/8/8/8/8/8/8/4K2R w K - 0 1", 6, 661'072},
    {"castling queenside gives check", "3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", 6, 803'711},
    {"castling rights lost with a rook", "r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1", 4, 1'274'206},
    {"castling prevented", "r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1", 4, 1'720'476},
    {"promotion out of check", "2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1", 6, 3'821'001},
    {"discovered check", "8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1", 5, 1'004'658},
    {"promotion gives check", "4k3/1P6/8/8/8/8/K7/8 w - - 0 1", 6, 217'342},
    {"underpromotion gives check", "8/P1k5/K7/8/8/8/8/8 w - - 0 1", 6, 92'683},
    {"self stalemate", "K1k5/8/P7/8/8/8/8/8 w - - 0 1", 6, 2'217},
    {"stalemate and mate", "8/k1P5/8/1K6/8/8/8/8 w - - 0 1", 7, 567'584},
    {"double check", "8/8/2k5/5q2/5n2/8/5K2/8 b - - 0 1", 4, 23'527},
    {"two rooks that can castle or not", "1k6/1b6/8/8/7R/8/8/4K2R b K - 0 1", 5, 1'063'513},
}};

/// For one fast method.
inline constexpr std::array<PerftCount, 9> deep_counts{{
    {"start", start_position, 5, 4'865'609},
    {"start", start_position, 6, 119'060'324},
    {"kiwipete", kiwipete, 5, 193'690'690},
    {"rook endgame", rook_endgame, 6, 11'030'083},
    {"in check", in_check, 5, 15'833'292},
    {"in check, mirrored", in_check_mirrored, 5, 15'833'292},
    {"capturing promotion", capturing_promotion, 5, 89'941'194},
    {"middlegame", middlegame, 5, 164'075'551},
    {"promotions", promotions, 6, 71'179'139},
}};

/// Counts with method M, and finds the position as it was.
template <AttackMethod M>
void expect_count(const PerftCount& expected) {
  initialise<M>();
  const PositionState state = parse_fen(expected.fen);
  Position<M> position(state);
  const PositionState before = position.state();
  EXPECT_EQ(perft(position, expected.depth), expected.count) << expected.name << " with " << M::info.id;
  EXPECT_EQ(position.state(), before) << expected.name;
}

}  // namespace slidebench::engine
