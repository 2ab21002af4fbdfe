// SPDX-License-Identifier: MIT
//
// Prints the computed parts of README.md and of methods/group_magics.md, each between <!-- name --> and <!-- end name
// -->; scripts/slidebench.py update-readme puts them there.
#include <cstdio>
#include <string>

#include "methods/factor_check.hpp"
#include "methods/magic/magic_factors.hpp"
#include "reports/founding_texts/group_magic.hpp"
#include "reports/founding_texts/source_tables.hpp"

namespace slidebench {
namespace {

using magic::Piece;

/// "107,648".
std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, ",");
  return text;
}

std::string fixed(double number, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", digits, number);
  return text;
}

/// "845 KiB", "337.4 KiB", "512".
std::string readable_bytes(std::uint64_t bytes) {
  if (bytes < 1024) return std::to_string(bytes);
  const std::string text = fixed(static_cast<double>(bytes) / 1024, 1);
  return (text.ends_with(".0") ? text.substr(0, text.size() - 2) : text) + " KiB";
}

std::string square_list(Bitboard squares) {
  std::string text;
  while (squares != 0) text += (text.empty() ? "" : " ") + sources::square_name(pop_lowest(squares));
  return text;
}

/// The upper left quarter of the board for both pieces, as the sources print it, and the same as ratios.
void print_occupancies() {
  const auto bishops = sources::count_sets(Piece::bishop);
  const auto rooks = sources::count_sets(Piece::rook);
  std::puts(
      "| bishop | a | b | c | d | | rook | a | b | c | d |\n|---|---:|---:|---:|---:|---|---|---:|---:|---:|---:|");
  for (unsigned rank = 7; rank >= 4; --rank) {
    std::string line;
    for (const auto* counts : {&bishops, &rooks}) {
      line += (counts == &bishops ? "| **" : " | | **") + std::to_string(rank + 1) + "**";
      for (unsigned file = 0; file < 4; ++file) {
        const sources::SetCount& count = (*counts)[square_at(file, rank)];
        const double ratio = static_cast<double>(count.occupancies) / static_cast<double>(count.sets);
        line += " | " + std::to_string(count.occupancies) + "/" + std::to_string(count.sets) + " = " + fixed(ratio, 2);
      }
    }
    std::puts((line + " |").c_str());
  }
  const sources::SetCount bishop = sources::total(bishops);
  const sources::SetCount rook = sources::total(rooks);
  std::puts(
      "\n| whole board | relevant occupancies | attack sets | ratio | different bitboards "
      "|\n|---|---:|---:|---:|---:|");
  const auto print_total = [](const char* name, const sources::SetCount& count, std::uint64_t bitboards) {
    const double ratio = static_cast<double>(count.occupancies) / static_cast<double>(count.sets);
    std::printf("| %s | %s | %s | %s | %s |\n", name, grouped(count.occupancies).c_str(), grouped(count.sets).c_str(),
                fixed(ratio, 2).c_str(), grouped(bitboards).c_str());
  };
  const std::uint64_t bishop_bitboards = sources::distinct_bitboards(Piece::bishop);
  const std::uint64_t rook_bitboards = sources::distinct_bitboards(Piece::rook);
  print_total("bishop", bishop, bishop_bitboards);
  print_total("rook", rook, rook_bitboards);
  const sources::SetCount both{bishop.occupancies + rook.occupancies, bishop.sets + rook.sets};
  print_total("both", both, bishop_bitboards + rook_bitboards);

  std::string row;
  unsigned sum = 0;
  for (unsigned file = 0; file < 8; ++file) {
    row += (file == 0 ? "" : " ") + std::to_string(sources::rank_sets(file));
    sum += sources::rank_sets(file);
  }
  std::printf(
      "\nOne rank alone has %s different attack sets for the files a to h, together %u, and so has one file; %u x %u = "
      "%s.\n",
      row.c_str(), sum, sum, sum, grouped(std::uint64_t{sum} * sum).c_str());
}

/// A method stands as {id}; the script makes it a link with the method's bytes.
void print_sizes() {
  std::puts(
      "| table | source | prints | exactly, bytes | | method here, with its records | "
      "|\n|---|---|---|---:|---:|---|---|");
  for (const sources::SizeClaim& claim : sources::size_claims()) {
    std::printf("| %s | %s | %s | %s | %s | %s | %s |\n", claim.table.c_str(), claim.source.c_str(),
                claim.printed.empty() ? "-" : claim.printed.c_str(), grouped(claim.exact_bytes).c_str(),
                readable_bytes(claim.exact_bytes).c_str(),
                claim.method.empty() ? "-" : ("{" + claim.method + "}").c_str(), claim.remark.c_str());
  }
}

void print_example() {
  using namespace sources;
  constexpr unsigned shift = 54;
  std::puts("```");
  for (unsigned rank = 8; rank-- > 0;) {
    std::string line = "  " + std::to_string(rank + 1) + " ";
    for (unsigned file = 0; file < 8; ++file) {
      const Bitboard b = bit(square_at(file, rank));
      const char mark = b == bit(example_square)                   ? 'R'
                        : (b & example_right_key) != 0             ? 'X'
                        : (b & example_printed_key) != 0           ? '?'
                        : (b & rook_relevant(example_square)) != 0 ? 'o'
                                                                   : '.';
      line += std::string(" ") + mark;
    }
    if (rank == 7) line += "      R  the rook";
    if (rank == 6) line += "      X  blocker on a relevant square";
    if (rank == 5) line += "      o  relevant square, empty";
    if (rank == 4) line += "      ?  blocker that is in the printed key, but on the edge: it blocks nothing";
    std::puts(line.c_str());
  }
  std::puts("     a b c d e f g h\n```\n");
  std::puts("| | the printed key | the relevant blockers |\n|---|---:|---:|");
  const auto print_row = [](const char* name, const std::string& printed, const std::string& right) {
    std::printf("| %s | %s | %s |\n", name, printed.c_str(), right.c_str());
  };
  const std::uint64_t printed = example_printed_key * example_factor;
  const std::uint64_t right = example_right_key * example_factor;
  print_row("squares", square_list(example_printed_key), square_list(example_right_key));
  print_row("key", std::to_string(example_printed_key), std::to_string(example_right_key));
  print_row("key x 432627108460691524 mod 2^64", std::to_string(printed), std::to_string(right));
  print_row("index: product >> 54, ten bits", std::to_string(printed >> shift),
            "**" + std::to_string(right >> shift) + "**");
  const bool valid = FactorCheck(Piece::rook, example_square).is_magic(example_factor, 64 - shift);
  std::printf(
      "\nThe source prints %s, which is the product >> 51; an index of ten bits ends at 1,023. The factor itself is "
      "%s: over all %s relevant occupancies of c6 no two different attack sets meet in one of its %s slots.\n",
      std::to_string(printed >> 51).c_str(), valid ? "magic" : "NOT MAGIC",
      grouped(std::uint64_t{1} << magic::relevant_bits(Piece::rook, example_square)).c_str(),
      grouped(std::uint64_t{1} << (64 - shift)).c_str());
}

/// The figures of one square or of many: table sizes, bounds, and what this project's factors use.
struct BoundRow {
  std::uint64_t occupancies = 0, sets = 0, single_ray = 0, halving = 0, sharpened = 0, used = 0;

  BoundRow& operator+=(const BoundRow& other) {
    occupancies += other.occupancies;
    sets += other.sets;
    single_ray += other.single_ray;
    halving += other.halving;
    sharpened += other.sharpened;
    used += other.used;
    return *this;
  }
  void print(const std::string& name) const {
    std::printf("| %s | %s | %s | %s | %s | %s | %s |\n", name.c_str(), grouped(occupancies).c_str(),
                grouped(sets).c_str(), grouped(single_ray).c_str(), grouped(halving).c_str(),
                grouped(sharpened).c_str(), grouped(used).c_str());
  }
};

BoundRow bound_row(Piece piece, Square s, const sources::SetCount& count) {
  const group_magic::RayCounts relevant = group_magic::relevant_counts(piece, s);
  const std::uint64_t factor = piece == Piece::bishop ? bishop_factors[s] : rook_factors[s];
  return {count.occupancies,
          count.sets,
          group_magic::single_ray_bound(relevant),
          group_magic::halving_bound(relevant),
          group_magic::sharpened_bound(relevant),
          group_magic::slots_used(piece, s, factor, magic::relevant_bits(piece, s))};
}

void print_bounds() {
  std::puts(
      "| | occupancies | attack sets | one-ray bound | halving bound | sharpened bound | used by our factors |\n"
      "|---|---:|---:|---:|---:|---:|---:|");
  const auto rook_counts = sources::count_sets(Piece::rook);
  const auto bishop_counts = sources::count_sets(Piece::bishop);
  BoundRow rooks;
  BoundRow bishops;
  for (Square s = 0; s < square_count; ++s) {
    const BoundRow rook = bound_row(Piece::rook, s, rook_counts[s]);
    if (s == 0 || s == 3 || s == 9 || s == 27) rook.print("rook " + sources::square_name(s));
    rooks += rook;
    bishops += bound_row(Piece::bishop, s, bishop_counts[s]);
  }
  rooks.print("**64 rooks**");
  bishops.print("**64 bishops**");

  std::puts("\n| one table for | index bits | slots | needed at least | |\n|---|---:|---:|---:|---|");
  const auto print_verdict = [](const char* name, unsigned bits, std::uint64_t needed) {
    const std::uint64_t slots = std::uint64_t{1} << bits;
    std::printf("| %s | %u | %s | %s | %s |\n", name, bits, grouped(slots).c_str(), grouped(needed).c_str(),
                needed > slots ? "does not exist" : "open");
  };
  // Sets that two squares share as bitboards could share a slot.
  const std::uint64_t shared = sources::total(bishop_counts).sets - sources::distinct_bitboards(Piece::bishop);
  for (const unsigned bits : {11u, 12u}) print_verdict("all bishops", bits, bishops.sharpened - shared);
  for (const unsigned bits : {13u, 14u, 15u}) print_verdict("all rooks", bits, rooks.sharpened);
}

void print_block(const char* name, void (*print)()) {
  std::printf("<!-- %s -->\n", name);
  print();
  std::printf("<!-- end %s -->\n", name);
}

}  // namespace
}  // namespace slidebench

int main() {
  slidebench::print_block("occupancies", slidebench::print_occupancies);
  slidebench::print_block("sizes", slidebench::print_sizes);
  slidebench::print_block("example", slidebench::print_example);
  slidebench::print_block("bounds", slidebench::print_bounds);
}
