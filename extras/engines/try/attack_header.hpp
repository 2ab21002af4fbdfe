// SPDX-License-Identifier: MIT
//
// The file slidebench_attacks.h, which an engine includes: its look-ups by one method after the other.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace slidebench {

/// What the engine had before.
inline constexpr const char* own_attacks = "own";

/// The methods that have a header, those first that were fastest in most engines.
std::vector<std::string> header_methods();

/// What slidebench_attacks.h says for a method, or for `own_attacks`: sliding_bishop, _rook, _queen, _both and _init.
/// Whatever includes it carries a text by which attacks_in() knows the method.
/// @throws UserError  there is no such header, or the installation lacks it
std::string attack_header(const std::string& method);

/// The same for `own_attacks`, and each look-up is written down by slidebench_record.h once the process got SIGUSR1.
std::string recording_header();

/// The methods whose slidebench_attacks.h a program was compiled with: one, if all of it was built anew.
std::vector<std::string> attacks_in(const std::filesystem::path& program);

}  // namespace slidebench
