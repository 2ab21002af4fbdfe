// SPDX-License-Identifier: MIT
//
// Stack distances: how many different other lines were read since a line was read last.
//
// A fully associative LRU cache of C lines hits exactly the accesses of distance below C (R. L. Mattson et al., IBM
// Systems Journal 9(2), 1970). So one pass gives the misses of every size.
//
// Each access takes the next number. A number is dead as soon as its line is accessed again; so between the last access
// to a line (number p) and now (number n) lie n - p - 1 numbers, and those of them that are not dead belong to
// different lines. Dead numbers are counted by a Fenwick tree over words of 64: logarithmic time, as in F. Olken,
// Efficient Methods for Calculating the Success Function of Fixed Space Replacement Policies (1981), with one tree
// update an access. When the numbers run out, the living ones are renumbered; there are at least three times as many
// numbers as lines by then, so that this costs a constant an access, and memory depends on the number of lines alone.
#pragma once

#include <cstdint>
#include <vector>

namespace slidebench {

class StackDistance {
 public:
  struct Reuse {
    bool first = true;           ///< never read before; the rest is 0
    std::uint64_t distance = 0;  ///< different lines read since
    std::uint64_t elapsed = 0;   ///< on the caller's clock
  };

  StackDistance();

  /// Takes the next access. @param line  a small number: there is a table by line. @param clock  does not go back
  Reuse access(std::uint32_t line, std::uint32_t clock);

  /// Different lines so far.
  std::uint64_t lines() const { return lines_; }

 private:
  struct LastAccess {
    std::uint32_t number;
    std::uint32_t clock;
  };

  std::uint64_t dead_before(std::uint32_t number) const;
  void bury(std::uint32_t number);
  void renumber();

  std::vector<LastAccess> last_;        ///< by line
  std::vector<std::uint32_t> line_of_;  ///< by number
  std::vector<std::uint64_t> dead_;     ///< a bit a number
  std::vector<std::uint32_t> tree_;     ///< Fenwick tree: dead numbers by word, counted from 1
  std::uint32_t next_ = 0;              ///< the next number
  std::uint32_t dead_total_ = 0;
  std::uint64_t lines_ = 0;
};

}  // namespace slidebench
