/* SPDX-License-Identifier: MIT
 *
 * A UCI engine that takes doses, for test_duel.py: each "node" asks for one bishop's and one queen's attacks, of which
 * nothing depends but the next query. Compiled with -DASKS_NOTHING, -DFORGETS_ITS_DOSE or -DSEARCHES_OTHERWISE it is a
 * bad one. */
#define SLIDEBENCH_RECORD_IMPLEMENTATION
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slidebench_record.h"

static uint64_t look_up(int square, uint64_t occupied) {
#ifndef ASKS_NOTHING
  sb_record_bishop(square, occupied);
  sb_record_queen(square, occupied);
#endif
  return occupied * 0x9E3779B97F4A7C15u;
}

static void search(long nodes, const char* side) {
  uint64_t occupied = 0xFFFF00000000FFFF;
  long node;
  int depth = 3;
  for (node = 0; node < nodes; ++node) occupied = look_up((int)(node % 64), occupied);
#ifdef SEARCHES_OTHERWISE
  depth += getenv("SLIDEBENCH_DOSE") != NULL && strcmp(getenv("SLIDEBENCH_DOSE"), "lines=2") == 0;
#endif
  printf("info depth %d score cp %d nodes %ld\nbestmove %s\n", depth, (int)(occupied & 7), nodes, side);
}

int main(void) {
  char line[1024];
  const char* move = "e2e4";
  setvbuf(stdout, NULL, _IOLBF, 0);
#ifdef FORGETS_ITS_DOSE
  sb_dose_now.cycles = 0;
#endif
  while (fgets(line, sizeof line, stdin) != NULL) {
    if (strncmp(line, "quit", 4) == 0) return 0;
    if (strncmp(line, "uci\n", 4) == 0)
      printf(
          "id name Dosed\noption name Hash type spin default 1 min 1 max 64\n"
          "option name Threads type spin default 1 min 1 max 1\nuciok\n");
    if (strncmp(line, "isready", 7) == 0) printf("readyok\n");
    if (strncmp(line, "position", 8) == 0) move = strstr(line, " w ") != NULL ? "e2e4" : "e7e5";
    if (strncmp(line, "go nodes ", 9) == 0) search(atol(line + 9), move);
  }
  return 0;
}
