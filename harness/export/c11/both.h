// SPDX-License-Identifier: MIT
/* The bishop's and the rook's set of one square. */
static inline sliding_sets sliding_both(unsigned s, uint64_t occupied) {
  const sliding_sets sets = {sliding_bishop(s, occupied), sliding_rook(s, occupied)};
  return sets;
}
