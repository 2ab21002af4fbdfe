// SPDX-License-Identifier: MIT
#ifdef SLIDING_IMPLEMENTATION

sliding_square sliding_squares[64];
_Alignas(64) static uint64_t sliding_table[sliding_slots];

/* The mask that sliding_key() takes, of the relevant squares. */
static uint64_t sliding_mask(uint64_t relevant);

void sliding_init(void) {
  for (int rook = 0; rook < 2; ++rook) {
    for (unsigned s = 0; s < 64; ++s) {
      sliding_record* r = rook ? &sliding_squares[s].rook : &sliding_squares[s].bishop;
      const sliding_factor* f = rook ? &sliding_rook_factors[s] : &sliding_bishop_factors[s];
      const uint64_t relevant = sliding_relevant(rook, s);
      r->sets = sliding_table + f->first;
      r->mask = sliding_mask(relevant);
      r->factor = f->factor;
      uint64_t occupied = 0;
      do {
        const uint64_t product = sliding_key(occupied, r->mask) * r->factor;
        r->sets[product >> (rook ? 64 - 12 : 64 - 9)] = sliding_walk_piece(rook, s, occupied);
        occupied = (occupied - relevant) & relevant; /* the next subset */
      } while (occupied != 0);
    }
  }
}

#endif
