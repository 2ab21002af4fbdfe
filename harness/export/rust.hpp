// SPDX-License-Identifier: MIT
//
// Exports in Rust, for the methods that harness/export/rust has a text of. Factors are those of the C++ headers.
#pragma once

#include <string>
#include <vector>

namespace slidebench {

/// The methods that are to be had in Rust, in the order of methods/CMakeLists.txt.
std::vector<std::string> rust_methods();

/// The text of MODULE.rs: a module of Rust (2021, no_std). Throws UserError, one line, for a method that is not to be
/// had in Rust, and for a module's name that is none in Rust.
std::string export_rust(const std::string& method, const std::string& module);

}  // namespace slidebench
