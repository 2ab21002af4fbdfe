// SPDX-License-Identifier: MIT
#include "harness/base/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>
#include <string_view>

namespace slidebench {
namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

bool colour_wanted(int descriptor) {
  return isatty(descriptor) != 0 && environment("NO_COLOR").empty() && environment("TERM") != "dumb";
}

std::size_t columns_of(int descriptor) {
  winsize size{};
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

Ink output_ink() { return Ink(colour_wanted(STDOUT_FILENO)); }

std::string wrapped(const std::string& line, std::size_t width, std::size_t indent) {
  std::istringstream words(line);
  std::string text, word;
  std::size_t column = 0;
  while (words >> word) {
    const bool breaks = width > 0 && column > 0 && column + 1 + word.size() > width;
    if (breaks) {
      text += '\n';
      text.append(indent, ' ');
      column = indent;
    } else if (column > 0) {
      text += ' ';
      ++column;
    }
    text += word;
    column += word.size();
  }
  return text;
}

}  // namespace slidebench
