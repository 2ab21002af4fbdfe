// SPDX-License-Identifier: MIT
//
// What only a terminal gets: colour, and lines as wide as it is.
#pragma once

#include <cstddef>
#include <string>

namespace slidebench {

/// Whether colour may go to a file descriptor: it is a terminal that is not "dumb", and NO_COLOR is unset or empty
/// (no-color.org).
bool colour_wanted(int descriptor);

/// Columns of the terminal behind a descriptor; 0 if there is none, or if it does not tell.
std::size_t columns_of(int descriptor);

/// Puts escape sequences around text, or leaves it as it is.
class Ink {
 public:
  explicit Ink(bool colour) : colour_(colour) {}

  std::string strong(const std::string& text) const { return in("1", text); }
  std::string good(const std::string& text) const { return in("32", text); }
  std::string bad(const std::string& text) const { return in("31", text); }
  std::string faint(const std::string& text) const { return in("2", text); }

 private:
  std::string in(const char* code, const std::string& text) const {
    return colour_ ? std::string("\033[") + code + "m" + text + "\033[0m" : text;
  }

  bool colour_;
};

/// The ink of standard output.
Ink output_ink();

/// Breaks a line at spaces, so that it fits; the lines after the first are indented. A width of 0 breaks nothing.
std::string wrapped(const std::string& line, std::size_t width, std::size_t indent);

}  // namespace slidebench
