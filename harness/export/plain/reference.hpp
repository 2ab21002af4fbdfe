// SPDX-License-Identifier: MIT
//
// methods/reference.hpp in an export: bitboard.hpp beside this file has it.
#pragma once

#include "methods/bitboard.hpp"
