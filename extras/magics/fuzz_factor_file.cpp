// SPDX-License-Identifier: MIT
//
// Generated headers with magic factors: refused in one line, or read.
#include "extras/magics/factor_file.hpp"

#include "harness/base/errors.hpp"
#include "harness/fuzz/fuzz_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace slidebench;
  try {
    const fuzz::MemoryFile file(fuzz::text_of(data, size));
    read_factor_file(file.path());
  } catch (const UserError& error) {
    fuzz::require(std::string(error.what()).find('\n') == std::string::npos);
  }
  return 0;
}
