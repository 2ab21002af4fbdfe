/* SPDX-License-Identifier: MIT
 *
 * A program that records, in C99 and in C++11; test_record.py runs it.
 *
 *   test_program MODE PATH [EVENTS]    records into PATH, and prints the same lines by itself */
#define _DEFAULT_SOURCE 1 /* usleep() is not C99's */
#define SLIDEBENCH_RECORD_IMPLEMENTATION
#include "slidebench_record.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* A generator that anyone can repeat: Knuth's MMIX. */
static uint64_t next_random(uint64_t* state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state >> 20;
}

static void query(FILE* text, char kind, int square, uint64_t occupied) {
  switch (kind) {
    case 'b': sb_record_bishop(square, occupied); break;
    case 'r': sb_record_rook(square, occupied); break;
    case 'q': sb_record_queen(square, occupied); break;
    default: sb_record_both(square, occupied);
  }
  fprintf(text, "%c %c%d %016llx\n", kind, 'a' + square % 8, 1 + square / 8, (unsigned long long)occupied);
}

static void make(FILE* text, uint64_t occupied) {
  sb_record_make(occupied);
  fprintf(text, "make %016llx\n", (unsigned long long)occupied);
}

static void unmake(FILE* text, uint64_t occupied) {
  sb_record_unmake(occupied);
  fprintf(text, "unmake %016llx\n", (unsigned long long)occupied);
}

static void root(FILE* text, uint64_t occupied) {
  sb_record_root(occupied);
  fprintf(text, "root %016llx\n", (unsigned long long)occupied);
}

/* Records so many events that depend on the seed alone. */
static void search(FILE* text, uint64_t seed, int events) {
  uint64_t state = seed, occupied = 0xffff00000000ffff;
  root(text, occupied);
  for (int i = 0; i < events; ++i) {
    const uint64_t random = next_random(&state);
    const int square = (int)(random >> 8 & 63);
    switch (random & 31) {
      case 0: make(text, occupied ^= (uint64_t)1 << square); break;
      case 1: unmake(text, occupied ^= (uint64_t)1 << square); break;
      case 2: make(text, 0), occupied ^= (uint64_t)1 << square; break;
      case 3: sb_record_null(), fprintf(text, "null\n"); break;
      case 4: sb_record_eval(), fprintf(text, "eval\n"); break;
      case 5: sb_record_probe(), fprintf(text, "probe\n"); break;
      case 6: query(text, 'x', square, occupied ^ 1); break;
      default: query(text, "brqx"[random >> 5 & 3], random & 128 ? square : 28, occupied);
    }
  }
}

/* Letters from a1 on, of which a dot is an empty square, and `?` no piece. Returns the occupancy. */
static uint64_t set_up(const char* letters) {
  static const char kinds[] = "PNBRQKpnbrqk.?";
  unsigned char pieces[64];
  uint64_t occupied = 0;
  for (int square = 0; square < 64; ++square) {
    pieces[square] = (unsigned char)(strchr(kinds, letters[square]) - kinds);
    occupied |= (uint64_t)(pieces[square] != 12) << square;
  }
  sb_record_board(pieces);
  return occupied;
}

/* Records positions with their pieces, from which each move is made and taken back. */
static void play(int positions) {
  static const char* const moves[] = {"a7b8n", "a7b8b", "a7b8r", "a7b8q", "e5d6", "e1g1", "e1a1", "h8h2"};
  for (int i = 0; i < positions; ++i) {
    const uint64_t occupied = set_up("R...K..R...........................pP...........P.......rn..k..r");
    printf("board rn2k2r/P7/8/3pP3/8/8/8/R3K2R\n");
    root(stdout, occupied);
    for (size_t m = 0; m < sizeof moves / sizeof *moves; ++m) {
      const char* const at = moves[m];
      const int from = at[0] - 'a' + 8 * (at[1] - '1'), to = at[2] - 'a' + 8 * (at[3] - '1');
      sb_record_move(from, to, at[4] == 0 ? 0 : (int)(strchr(".nbrq", at[4]) - ".nbrq"));
      printf("move %s\n", at);
      make(stdout, 0);
      query(stdout, 'r', to, occupied ^ (uint64_t)1 << i % 64);
      unmake(stdout, occupied);
      query(stdout, "brqx"[i % 4], from, occupied);
    }
  }
}

/* What is no piece, no square and no promotion. */
static void record_what_is_wrong(void) {
  set_up("?...............................................................");
  sb_record_bishop(64, 1);
  sb_record_rook(-1, 1);
  sb_record_move(0, 64, 0);
  sb_record_move(0, 1, 5);
}

static const char* path;
static int events = 1000;

static void* record_in_thread(void* number) {
  const uint64_t seed = (uint64_t)(uintptr_t)number;
  FILE* const text = fopen("/dev/null", "w");
  sb_record_open(path);
  search(text, seed, events);
  fclose(text);
  if (seed % 2 == 0) sb_record_close(); /* the others leave it to exit() */
  return NULL;
}

static void record_in_threads(void) {
  pthread_t threads[4];
  for (size_t i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, record_in_thread, (void*)(uintptr_t)(i + 1));
  for (size_t i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
}

static unsigned endless; /* queries that it has recorded, at least */

static void* record_for_ever(void* unused) {
  sb_record_open(path);
  for (;;) {
    sb_record_bishop(28, 0xffff00000000ffff);
    __atomic_add_fetch(&endless, 1, __ATOMIC_RELEASE);
  }
  return unused;
}

/* exit() while another thread goes on. */
static void record_until_exit(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, record_for_ever, NULL);
  sb_record_open(path);
  search(stdout, 1, events);
  while (__atomic_load_n(&endless, __ATOMIC_ACQUIRE) < 100000) usleep(1000);
}

/* No file can grow beyond a length, as on a full disk. */
static void record_on_a_full_disk(void) {
  struct rlimit limit;
  signal(SIGXFSZ, SIG_IGN);
  limit.rlim_cur = limit.rlim_max = 50000;
  setrlimit(RLIMIT_FSIZE, &limit);
  sb_record_open(path);
  errno = 7;
  search(stdout, 1, events);
  if (errno == 7) fprintf(stderr, "the engine goes on\n");
}

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const char* const mode = argv[1];
  path = argv[2];
  if (argc > 3) events = atoi(argv[3]);
  sb_record_bishop(0, 0); /* before a recording: nothing */
  sb_record_move(0, 1, 0);
  set_up("................................................................");
  if (strcmp(mode, "threads") == 0) {
    record_in_threads();
  } else if (strcmp(mode, "running") == 0) {
    record_until_exit();
  } else if (strcmp(mode, "full") == 0) {
    record_on_a_full_disk();
  } else {
    sb_record_open(path);
    if (strcmp(mode, "pieces") == 0) {
      play(events);
    } else if (strcmp(mode, "wrong") == 0) {
      record_what_is_wrong();
    } else {
      search(stdout, 1, events);
    }
    if (strcmp(mode, "twice") == 0) {
      sb_record_open(path); /* closes the first one */
      search(stdout, 2, events);
      return 0;
    }
    sb_record_close();
    sb_record_close();
    sb_record_bishop(0, 0); /* nor after it */
  }
  return 0;
}
