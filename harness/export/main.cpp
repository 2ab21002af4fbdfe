// SPDX-License-Identifier: MIT
//
// slidebench-export, which slidebench starts: the words are those of words_of(). Status 2 with one line on standard
// error for what cannot be exported.
#include <cstdio>
#include <exception>
#include <iostream>

#include "harness/base/errors.hpp"
#include "harness/export/exporter.hpp"

int main(int argc, char** argv) {
  try {
    const std::vector<std::string> words(argv + 1, argv + argc);
    const auto options = slidebench::options_of(words);
    if (!options)
      throw slidebench::UserError("slidebench-export is started by slidebench; see slidebench export --help");
    std::cout << slidebench::export_method(words[0], *options) << std::flush;
    return std::cout ? 0 : 2;
  } catch (const std::exception& error) {
    std::cerr << error.what() << std::endl;
    return 2;
  }
}
