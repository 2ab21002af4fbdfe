// SPDX-License-Identifier: MIT
//
// The generated headers of methods/magic/: written by `magics find`, read back by `magics check`.
//
// A file holds a table of 64 rows for the bishops and, in most variants, one for the rooks; rows of one to two numbers.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace slidebench {

/// A kind of magic table, and how its header looks.
struct MagicVariant {
  std::string_view name;      ///< as on the command line
  std::string_view prefix;    ///< of the arrays' names: "dense_" in dense_bishop_factors
  std::string_view row_type;  ///< of a row in the header
  std::string_view row_definition;
  std::string_view include;  ///< what the header needs
  unsigned columns;
  unsigned digits;  ///< hexadecimal digits of a factor
  bool has_rooks;
  bool has_slots;          ///< the arrays lie in one table, whose length is given
  std::string_view about;  ///< the header's first sentence

  /// Whether what is relevant is reached by (occupied | ~mask) instead of (occupied & mask).
  constexpr bool is_black() const { return name == "black"; }
};

inline constexpr std::string_view offset_include =
    "#include <cstddef>\n\n#include \"methods/magic/offset_factor.hpp\"\n";
inline constexpr std::string_view integer_include = "#include <cstdint>\n";

inline constexpr std::array magic_variants{
    MagicVariant{"fancy", "", "std::uint64_t", "", integer_include, 1, 16, true, false,
                 "Magic factors for n index bits, n = number of relevant squares."},
    MagicVariant{"dense", "dense_", "DenseFactor",
                 "struct DenseFactor {\n  std::uint64_t factor;\n  std::uint32_t bits;\n};\n\n", integer_include, 2, 16,
                 true, false, "Magic factors for n - 1 index bits where the search found one, n elsewhere."},
    MagicVariant{"packed_shift", "packed_shift_", "std::uint64_t", "", integer_include, 1, 16, true, false,
                 "Magic factors for n index bits whose top six bits are the shift, 64 - n."},
    MagicVariant{
        "split32", "split32_", "Split32Factor",
        "/// index = ((low half of the occupancy * low) ^ (high half * high)) >> (32 - n), both halves masked.\n"
        "struct Split32Factor {\n  std::uint32_t low;\n  std::uint32_t high;\n};\n\n",
        integer_include, 2, 8, true, false, "Pairs of 32-bit magic factors for n index bits."},
    MagicVariant{"split32_fold", "split32_fold_", "std::uint32_t", "", integer_include, 1, 8, false, false,
                 "32-bit bishop factors behind split32_fold() (split32_fold.hpp) for n index bits."},
    MagicVariant{"fixed_shift", "fixed_shift_", "OffsetFactor", "", offset_include, 2, 16, true, true,
                 "Factors for fixed shifts (12 and 9 index bits) that use a short range of indices."},
    MagicVariant{"overlapped", "overlapped_", "OffsetFactor", "", offset_include, 2, 16, true, true,
                 "Fixed-shift factors whose arrays interleave in one table, indexed by (occupied & mask) * factor."},
    MagicVariant{"black", "black_", "OffsetFactor", "", offset_include, 2, 16, true, true,
                 "Fixed-shift factors whose arrays interleave in one table, indexed by (occupied | ~mask) * factor."},
};

/// The variant of this name, or nullptr.
const MagicVariant* find_magic_variant(std::string_view name);

struct FactorRow {
  std::uint64_t factor = 0;
  std::uint64_t second = 0;  ///< dense: index bits; split32: the high half's factor; fixed shifts: the first slot
};
using FactorRows = std::array<FactorRow, 64>;

struct FactorFile {
  const MagicVariant* variant = nullptr;
  FactorRows bishop{};
  FactorRows rook{};
  std::uint64_t slots = 0;
};

/// "0x00000000000000FF", with so many digits at least.
std::string hexadecimal(std::uint64_t number, unsigned digits);

/// The header's text. `command` is what made it.
std::string factor_header(const FactorFile& file, const std::string& command);

/// Reads a header. Throws UserError, one line with the path and what is wrong, for anything else.
FactorFile read_factor_file(const std::string& path);

}  // namespace slidebench
