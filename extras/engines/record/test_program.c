/* SPDX-License-Identifier: MIT
 *
 * A program that records, in C99 and in C++11; test_record.py runs it.
 *
 *   test_program MODE PATH [EVENTS]    records into PATH, and prints the same events in the text form */
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
  fprintf(text, "%c %c%d 0x%llx\n", kind, 'a' + square % 8, 1 + square / 8, (unsigned long long)occupied);
}

static void move(FILE* text, const char* name, uint64_t occupied) {
  if (name[0] == 'm') {
    sb_record_make(occupied);
  } else {
    sb_record_unmake(occupied);
  }
  fprintf(text, occupied != 0 ? "%s %llX\n" : "%s\n", name, (unsigned long long)occupied);
}

/* Records so many events that depend on the seed alone. */
static void search(FILE* text, uint64_t seed, int events) {
  uint64_t state = seed;
  uint64_t occupied = 0xffff00000000ffff;
  int i;
  sb_record_root(occupied);
  fprintf(text, "root %llx\n", (unsigned long long)occupied);
  for (i = 0; i < events; ++i) {
    const uint64_t random = next_random(&state);
    const int square = (int)(random >> 8 & 63);
    switch (random & 31) {
      case 0: move(text, "make", occupied ^= (uint64_t)1 << square); break;
      case 1: move(text, "unmake", occupied ^= (uint64_t)1 << square); break;
      case 2: move(text, "make", 0), occupied ^= (uint64_t)1 << square; break;
      case 3: sb_record_null(), fprintf(text, "null\n"); break;
      case 4: sb_record_eval(), fprintf(text, "eval\n"); break;
      case 5: sb_record_probe(), fprintf(text, "probe\n"); break;
      case 6: query(text, 'x', square, occupied ^ 1); break;
      default: query(text, "brqx"[random >> 5 & 3], random & 128 ? square : 28, occupied);
    }
  }
}

/* A game for two, as far as the pieces go: none but a king is ever safe, and nobody waits for his turn. */
struct taken_move {
  int from, to;
  unsigned char moved, taken;
};
static unsigned char pieces[64];
static struct taken_move line[200];
static int depth;

static uint64_t occupied_by_pieces(void) {
  uint64_t occupied = 0;
  int square;
  for (square = 0; square < 64; ++square) occupied |= (uint64_t)(pieces[square] != 12) << square;
  return occupied;
}

static void set_up(FILE* text) {
  static const char rooks_and_kings[] = "r3k2r/pppp4/8/8/8/8/PPPP4/R3K2R", kinds[] = "PNBRQKpnbrqk.";
  static const char board[] = "R...K..RPPPP....................................pppp....r...k..r";
  int square;
  for (square = 0; square < 64; ++square) pieces[square] = (unsigned char)(strchr(kinds, board[square]) - kinds);
  depth = 0;
  sb_record_board(pieces);
  sb_record_root(occupied_by_pieces());
  fprintf(text, "board %s\nroot %llx\n", rooks_and_kings, (unsigned long long)occupied_by_pieces());
}

/* Makes a move of any piece to any square but its own side's and a king's; false if it is none. */
static int make_move(FILE* text, int from, int to, int says_occupied) {
  const unsigned char moved = pieces[from], taken = pieces[to];
  const int last_rank = moved == 0 ? to >= 56 : moved == 6 && to < 8;
  const int king_far = moved % 6 == 5 && (to == from + 2 || to == from - 2); /* would be castling */
  const int in_passing = moved % 6 == 0 && from % 8 != to % 8 && taken == 12;
  const int back_rank = moved % 6 == 0 && !last_rank && (to < 8 || to >= 56);
  if (moved == 12 || from == to || king_far || in_passing || back_rank) return 0;
  if (taken != 12 && (taken % 6 == 5 || taken / 6 == moved / 6)) return 0;
  line[depth].from = from;
  line[depth].to = to;
  line[depth].moved = moved;
  line[depth++].taken = taken;
  pieces[from] = 12;
  pieces[to] = last_rank ? (unsigned char)(moved + 4) : moved;
  sb_record_move(from, to, last_rank ? 4 : 0);
  fprintf(text, "move %c%d%c%d%s\n", 'a' + from % 8, 1 + from / 8, 'a' + to % 8, 1 + to / 8, last_rank ? "q" : "");
  move(text, "make", says_occupied ? occupied_by_pieces() : 0);
  return 1;
}

static void unmake_move(FILE* text) {
  const struct taken_move* const last = &line[--depth];
  pieces[last->from] = last->moved;
  pieces[last->to] = last->taken;
  move(text, "unmake", occupied_by_pieces());
}

/* Records so many events with their pieces, that depend on the seed alone. */
static void play(FILE* text, uint64_t seed, int events) {
  uint64_t state = seed;
  int i;
  set_up(text);
  for (i = 0; i < events; ++i) {
    const uint64_t random = next_random(&state);
    const int from = (int)(random >> 8 & 63), to = (int)(random >> 14 & 63);
    const int kind = (int)(random & 15);
    if (kind < 6 && depth < 200) {
      make_move(text, from, to, kind < 3);
    } else if (kind < 8 && depth > 0) {
      unmake_move(text);
    } else if (kind == 8 && from == 0) {
      set_up(text);
    } else {
      query(text, "brqx"[kind & 3], from, occupied_by_pieces() & ~(kind == 9 ? (uint64_t)1 << to : 0));
    }
  }
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
  size_t i;
  for (i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, record_in_thread, (void*)(uintptr_t)(i + 1));
  for (i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
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
  path = argv[2];
  if (argc > 3) events = atoi(argv[3]);
  if (strcmp(argv[1], "once") == 0) {
    sb_record_bishop(0, 0); /* before the recording: nothing */
    sb_record_open(path);
    search(stdout, 1, events);
    sb_record_close();
    sb_record_close();
    sb_record_bishop(0, 0); /* nor after it */
  } else if (strcmp(argv[1], "pieces") == 0) {
    sb_record_board(pieces); /* before the recording: nothing */
    sb_record_move(0, 1, 0);
    sb_record_open(path);
    play(stdout, 1, events);
    sb_record_close();
  } else if (strcmp(argv[1], "twice") == 0) {
    sb_record_open(path);
    search(stdout, 1, events);
    sb_record_open(path); /* closes the first one */
    search(stdout, 2, events);
  } else if (strcmp(argv[1], "threads") == 0) {
    record_in_threads();
  } else if (strcmp(argv[1], "running") == 0) {
    record_until_exit();
  } else if (strcmp(argv[1], "full") == 0) {
    record_on_a_full_disk();
  } else {
    return 2;
  }
  return 0;
}
