// SPDX-License-Identifier: MIT
//
// 32-bit bishop factors behind split32_fold() (split32_fold.hpp) for n index bits.
// Found by this project's own search:
//   slidebench magics find --variant split32_fold --seed 1 --out methods/magic/split32_fold_factors.hpp
// `slidebench magics check` proves it.
#pragma once

#include <cstdint>

namespace slidebench {

// clang-format off
inline constexpr std::uint32_t split32_fold_bishop_factors[64] = {
    0x57402FFF, 0x7CC68534, 0x660699CF, 0x49F73692, 0x5C20C8C6, 0xE07601DC, 0x557F4F84, 0x88FD7FB8,
    0x70871FEB, 0x8C4047D0, 0xF30426D4, 0x1E8BDD9C, 0xD0182ACE, 0xA01347CD, 0xD27FA488, 0x5BB834B4,
    0xA33E7A20, 0x72380E1A, 0x1DD40238, 0x0F26020C, 0x8230038E, 0xEF8A3342, 0x781504D6, 0xAEDE0215,
    0x44880844, 0x8A22280E, 0x3F020200, 0x38A20200, 0x7C440400, 0xD2014700, 0xCA02031C, 0x0B039200,
    0x0358180C, 0x2388021A, 0xF2880D70, 0x821A0808, 0x3AF40142, 0x222101C6, 0xD7A41D56, 0xE4CE0591,
    0x34699489, 0x9010CED2, 0xA04F700D, 0xAC003824, 0x9C11A606, 0x81016A10, 0x1391A9E8, 0xE0A6CE0E,
    0xA4BFFF7B, 0xA7D93E48, 0x28040FF6, 0x59C9B852, 0x560A013D, 0x9E2426A8, 0x77733972, 0x32998D74,
    0x185FFDCD, 0xA3D06B7F, 0xA0C7103D, 0xEDE0A807, 0x4032820A, 0x1C98320C, 0xEAC99959, 0x92F369A4,
};
// clang-format on

}  // namespace slidebench
