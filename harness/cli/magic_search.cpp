// SPDX-License-Identifier: MIT
#include "harness/cli/magic_search.hpp"

#include <cinttypes>
#include <cstdio>

#include "methods/magic/find_factor.hpp"

namespace slidebench {
namespace {

std::array<std::uint64_t, 64> search_piece(magic::Piece piece, magic::Random& random) {
  std::array<std::uint64_t, 64> factors{};
  for (Square s = 0; s < 64; ++s) {
    const auto bits = static_cast<unsigned>(std::popcount(magic::relevant(piece, s)));
    factors[s] = magic::FactorSearch(piece, s).find(bits, random);
  }
  return factors;
}

std::string array_text(const char* name, const std::array<std::uint64_t, 64>& factors) {
  std::string text = std::string("inline constexpr std::uint64_t ") + name + "[64] = {\n";
  for (std::size_t i = 0; i < factors.size(); ++i) {
    char word[32];
    std::snprintf(word, sizeof word, "0x%016" PRIX64 ",", factors[i]);
    text += (i % 4 == 0 ? std::string("    ") : std::string(" ")) + word + (i % 4 == 3 ? "\n" : "");
  }
  return text + "};\n";
}

}  // namespace

MagicFactors find_magic_factors(std::uint64_t seed) {
  magic::Random random(seed);
  MagicFactors factors;
  factors.bishop = search_piece(magic::Piece::bishop, random);
  factors.rook = search_piece(magic::Piece::rook, random);
  return factors;
}

std::string magic_factors_header(const MagicFactors& factors, std::uint64_t seed) {
  return "// SPDX-License-Identifier: MIT\n"
         "//\n"
         "// Magic factors for n index bits, n = number of relevant squares. Found by this project's own search:\n"
         "//   slidebench magics find --seed " +
         std::to_string(seed) +
         " --out methods/magic/magic_factors.hpp\n"
         "// A test searches again and compares. A factor that is magic for n bits is magic for more bits too.\n"
         "#pragma once\n\n"
         "#include <cstdint>\n\n"
         "namespace slidebench {\n\n"
         "// clang-format off\n" +
         array_text("bishop_factors", factors.bishop) + "\n" + array_text("rook_factors", factors.rook) +
         "// clang-format on\n\n"
         "}  // namespace slidebench\n";
}

}  // namespace slidebench
