// SPDX-License-Identifier: MIT
//
// The one exception for bad input. The program prints it as the line "slidebench: <what>" and exits with status 2.
#pragma once

#include <stdexcept>
#include <string>

namespace slidebench {

/// Something that the user can put right: a missing file, a damaged trace, a full disk. The message says what, where,
/// and what to do. It is one line whatever names it quotes: control characters in it become '?'.
struct UserError : std::runtime_error {
  explicit UserError(const std::string& message) : std::runtime_error(one_line(message)) {}

 private:
  static std::string one_line(std::string text) {
    for (char& c : text) {
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
    }
    return text;
  }
};

/// A file could not be written: what it was for is incomplete, whatever else there is.
struct CannotWrite : UserError {
  using UserError::UserError;
};

/// A check failed, such as a method that gave wrong answers: the program ends with status 1.
struct CheckFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace slidebench
