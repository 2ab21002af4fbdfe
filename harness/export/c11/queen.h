// SPDX-License-Identifier: MIT
static inline uint64_t sliding_queen(unsigned s, uint64_t occupied) {
  return sliding_bishop(s, occupied) | sliding_rook(s, occupied);
}
