// SPDX-License-Identifier: MIT
//
// slidebench verify --stdin: a method's answers, for trying things out and for other programs to compare with.
#pragma once

#include "harness/plugin/loader.hpp"

namespace slidebench {

/// Answers the queries of standard input, a line "rook e4 0xffff00000000ffff" each, by a line 0x%016x; of `both`, which
/// asks for the bishop's and the rook's set, two of them. Throws UserError, with the line, for one that asks for
/// something else.
void answer_queries(const Plugin& method);

}  // namespace slidebench
