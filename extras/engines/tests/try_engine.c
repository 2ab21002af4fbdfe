/* SPDX-License-Identifier: MIT
 *
 * An engine for test_try.py, in C and C++: it asks for attacks, and its score and number of nodes depend on the
 * answers. FAULT is what it does wrong. */
#define SLIDING_IMPLEMENTATION
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#ifndef NO_HEADER
#include "slidebench_attacks.h"
#else
#include <stdint.h>
#define sliding_bishop SLIDING_OWN_BISHOP
#define sliding_rook SLIDING_OWN_ROOK
#define sliding_queen SLIDING_OWN_ROOK
#define sliding_make(occupied)
#define sliding_init()
#endif

enum { none, crash, hang, silent, other_tree, only_depth, no_quit };
#ifndef FAULT
#define FAULT none
#endif

/* The way from a square in a direction up to the first blocker. */
static uint64_t walk(int square, uint64_t occupied, int first, int last) {
  static const int files[8] = {0, 0, 1, -1, 1, 1, -1, -1}, ranks[8] = {1, -1, 0, 0, 1, -1, 1, -1};
  uint64_t seen = 0;
  int way;
  for (way = first; way < last; ++way) {
    int file = square % 8 + files[way], rank = square / 8 + ranks[way];
    uint64_t at = 0;
    for (; !(at & occupied) && file >= 0 && file < 8 && rank >= 0 && rank < 8; file += files[way], rank += ranks[way]) {
      at = (uint64_t)1 << (8 * rank + file);
      seen |= at;
    }
  }
  return seen;
}

#define SLIDING_OWN_BISHOP(square, occupied) walk((int)(square), occupied, 4, 8)
#define SLIDING_OWN_ROOK(square, occupied) walk((int)(square), occupied, 0, 4)

static uint64_t search(unsigned long nodes, uint64_t occupied) {
  uint64_t sum = 0;
  unsigned long i;
  for (i = 0; i < nodes; ++i) {
    const unsigned square = (unsigned)(i & 63);
    sliding_make(occupied);
    sum += sliding_bishop(square, occupied) ^ sliding_rook(square, occupied);
    sum ^= sliding_queen(square ^ 7, occupied);
    occupied = occupied * 6364136223846793005u + sum;
  }
  return sum;
}

/* What a search takes, as far as slidebench_fake_engine_times knows: a microsecond a node, and a little more that
 * differs from process to process. */
static void use_time(unsigned long nodes) {
  static unsigned long used;
  FILE* const name = fopen("/proc/self/comm", "w");
  fprintf(name, "%lu", used += nodes * (1000 + (unsigned long)getpid() % 3));
  fclose(name);
}

int main(void) {
  char line[1000];
  int black = 0, searches = 0;
  setbuf(stdout, NULL);
  sliding_init();
  if (FAULT == silent) return 0;
  while (fgets(line, sizeof line, stdin)) {
    unsigned long nodes = 50000;
    const char* asked = strstr(line, "go nodes");
    if (!strncmp(line, "ucinewgame", 10)) continue;
    if (!strncmp(line, "uci", 3)) printf("id name Tiny\nuciok\n");
    if (!strncmp(line, "isready", 7)) printf("readyok\n");
    if (!strncmp(line, "position", 8)) black = strstr(line, " b ") != NULL;
    if (!strncmp(line, "quit", 4) && FAULT != no_quit) return 0;
    if (strncmp(line, "go", 2)) continue;
    ++searches;
    if (asked) sscanf(asked + 8, "%lu", &nodes);
    if (FAULT == only_depth && asked) nodes = 100 * nodes + 100000;
    if (FAULT == crash && searches == 2) *(volatile int*)0 = 1;
    while (FAULT == hang) continue;
    use_time(nodes);
    printf("info depth 6 score cp %d nodes %lu\nbestmove %s\n", (int)(search(nodes, 0xFFFF00000000FFFFu) % 100),
           nodes + (FAULT == other_tree && searches == 3), black ? "e7e5" : "e2e4");
  }
  return 0;
}
