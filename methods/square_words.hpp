// SPDX-License-Identifier: MIT
//
// One word a square, in an array of its own: x86 addresses it by base + 8 * square in the instruction that reads it.
// The other layout is square_records.hpp, where all words of a square share a cache line, and the address of a record
// costs a shift. Which is better depends on how much of a record per query reads: reports/archive has both for
// some methods.
#pragma once

#include "methods/bitboard.hpp"
#include "methods/table.hpp"

namespace slidebench {

/// word_of(s) for every square s.
template <class WordOf, class Word = std::invoke_result_t<WordOf, Square>>
constexpr Table<Word, 64> a_word_a_square(WordOf word_of) {
  Table<Word, 64> words;
  for (Square s = 0; s < 64; ++s) words.data[s] = word_of(s);
  return words;
}

}  // namespace slidebench
