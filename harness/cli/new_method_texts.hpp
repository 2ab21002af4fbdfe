// SPDX-License-Identifier: MIT
//
// What new-method needs of the source tree, built into the program.
#pragma once

namespace slidebench {

extern const char* const new_method_cmake;   ///< harness/plugin/new_method/CMakeLists.txt.in
extern const char* const new_method_header;  ///< harness/plugin/new_method/method.hpp.in
extern const char* const all_method_ids;     ///< of all methods, built or not, with spaces between them

}  // namespace slidebench
