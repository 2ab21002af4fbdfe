/* SPDX-License-Identifier: MIT
 *
 * slidebench_record.h: writes down which sliding-piece attacks a chess engine asks for, and between which moves, so
 * that `slidebench trace import` can replay them with other methods. C99 or C++11, POSIX, one file.
 *
 * One source file of the engine defines SLIDEBENCH_RECORD_IMPLEMENTATION before it includes this. Then, in the thread
 * that searches:
 *
 *   sb_record_open("search.queries");            when the search begins
 *   sb_record_root(occupied);                    the position that is searched
 *   sb_record_make(occupied);                    at the end of make(), sb_record_unmake(occupied) at that of unmake()
 *   sb_record_bishop(square, occupied);          where bishop attacks are asked for, before or after the look-up
 *   sb_record_close();                           when the search ends
 *
 * The trace tells the pieces, too, with sb_record_board(pieces) right before each root, and
 * sb_record_move(from, to, promotion) right before each make.
 *
 * Compiled without -DSLIDEBENCH_RECORD all of this is nothing: the calls vanish, their arguments are not evaluated.
 *
 * Squares are 0 = a1, 7 = h1, 63 = h8, occupancies the occupied squares as bits, bit 0 = a1. An engine with a8 = 0
 * gives square ^ 56, and the occupancy with its bytes reversed. Pieces are 6 * colour + type: 0 to 5 white's pawn,
 * knight, bishop, rook, queen, king, 6 to 11 black's, 12 none. A promotion is 1 to 4, knight to queen, 0 none. Castling
 * is the king's move of two squares, or onto its rook's square; en passant needs nothing said.
 *
 * Each thread records for itself, into a file of its own. No file is ever overwritten: where PATH exists, PATH.2 is
 * taken, then PATH.3. A thread that ends without sb_record_close(), and exit(), lose nothing; a crash loses the last
 * 64 KiB of a thread at most. A forked child has to end by exec() or _exit(). What cannot be written ends the
 * recording, with one line on standard error, and never the engine.
 *
 * A file is text, of 22 bytes a query: extras/engines/README.md describes its lines. */
#ifndef SLIDEBENCH_RECORD_H
#define SLIDEBENCH_RECORD_H

#ifdef SLIDEBENCH_RECORD
#include <stdint.h>
#define SB_RECORD(call) call
#ifdef __cplusplus
extern "C" {
#endif
void sb_open_log(const char* path);
void sb_close_log(void);
/* In the form of a line `@` is a square, and then the next one, and `#` the occupancy. */
void sb_write_line(const char* form, int square, int next_square, uint64_t occupied);
void sb_write_board(const unsigned char* pieces);
void sb_write_move(int from, int to, int promotion);
#ifdef __cplusplus
}
#endif
#else
#define SB_RECORD(call) ((void)0)
#endif

/* The beginning and the end of this thread's recording. A second one ends the first. */
#define sb_record_open(path) SB_RECORD(sb_open_log(path))
#define sb_record_close() SB_RECORD(sb_close_log())

/* A position that does not follow from the one before, and its 64 pieces as unsigned char: of all roots, or of none. */
#define sb_record_board(pieces) SB_RECORD(sb_write_board(pieces))
#define sb_record_root(occupied) SB_RECORD(sb_write_line("root #", 0, 0, occupied))

/* A move, also a null move, was made or taken back. `occupied` is what it leads to; 0 if that is not at hand. */
#define sb_record_move(from, to, promotion) SB_RECORD(sb_write_move(from, to, promotion))
#define sb_record_make(occupied) SB_RECORD(sb_write_line("make #", 0, 0, occupied))
#define sb_record_null() SB_RECORD(sb_write_line("null", 0, 0, 0))
#define sb_record_unmake(occupied) SB_RECORD(sb_write_line("unmake #", 0, 0, occupied))

/* The position on the board is evaluated; the hash table is probed for it. */
#define sb_record_eval() SB_RECORD(sb_write_line("eval", 0, 0, 0))
#define sb_record_probe() SB_RECORD(sb_write_line("probe", 0, 0, 0))

/* The attacks of a bishop, a rook or a queen on a square; `both` are those of bishop and rook, separately. */
#define sb_record_bishop(square, occupied) SB_RECORD(sb_write_line("b @ #", square, 0, occupied))
#define sb_record_rook(square, occupied) SB_RECORD(sb_write_line("r @ #", square, 0, occupied))
#define sb_record_queen(square, occupied) SB_RECORD(sb_write_line("q @ #", square, 0, occupied))
#define sb_record_both(square, occupied) SB_RECORD(sb_write_line("x @ #", square, 0, occupied))

#endif /* SLIDEBENCH_RECORD_H */

#if defined(SLIDEBENCH_RECORD) && defined(SLIDEBENCH_RECORD_IMPLEMENTATION) && !defined(SLIDEBENCH_RECORD_IMPLEMENTED)
#define SLIDEBENCH_RECORD_IMPLEMENTED

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { sb_buffer_bytes = 65536, sb_longest_line = 80 };

struct sb_recorder {
  char* next; /* behind the last whole line; exit() may read it while the thread goes on */
  char buffer[sb_buffer_bytes];
  char path[4096];
  int file; /* -1: nothing is written any more */
  struct sb_recorder* following;
};

static __thread struct sb_recorder* sb_recorder_here;
static struct sb_recorder* sb_first_recorder; /* of all threads; the lock is for these and their files */
static pthread_mutex_t sb_lock = PTHREAD_MUTEX_INITIALIZER;

static void sb_complain(const char* path) {
  fprintf(stderr, "slidebench_record: cannot write %s: %s; recording stops\n", path, strerror(errno));
}

static void sb_close_file(struct sb_recorder* recorder) {
  if (recorder->file >= 0) close(recorder->file);
  recorder->file = -1;
}

/* Writes what the buffer holds; the caller has the lock. */
static void sb_write_buffer(struct sb_recorder* recorder) {
  const char* from = recorder->buffer;
  const char* const end = __atomic_load_n(&recorder->next, __ATOMIC_ACQUIRE);
  while (recorder->file >= 0 && from < end) {
    const ssize_t written = write(recorder->file, from, (size_t)(end - from));
    if (written >= 0) {
      from += written;
    } else if (errno != EINTR) {
      sb_complain(recorder->path);
      sb_close_file(recorder);
    }
  }
}

/* Empties the buffer of this thread; the engine's errno stays. */
static void sb_flush(struct sb_recorder* recorder) {
  const int kept_errno = errno;
  pthread_mutex_lock(&sb_lock);
  sb_write_buffer(recorder);
  __atomic_store_n(&recorder->next, &recorder->buffer[0], __ATOMIC_RELEASE);
  pthread_mutex_unlock(&sb_lock);
  errno = kept_errno;
}

/* Writes what all threads have left, ended or running; what the latter add from now on is lost. */
static void sb_at_exit(void) {
  pthread_mutex_lock(&sb_lock);
  for (struct sb_recorder* recorder = sb_first_recorder; recorder != NULL; recorder = recorder->following) {
    sb_write_buffer(recorder);
    sb_close_file(recorder);
  }
  pthread_mutex_unlock(&sb_lock);
}

/* Makes the first file of PATH, PATH.2, PATH.3 that does not exist yet; false, with errno, if it cannot. */
static int sb_create_file(struct sb_recorder* recorder, const char* path) {
  const size_t length = strlen(path), ending = 8;
  errno = ENAMETOOLONG;
  if (length + ending > sizeof recorder->path) return 0;
  memcpy(recorder->path, path, length + 1);
  for (int number = 2; number < 100000; ++number) {
    recorder->file = open(recorder->path, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (recorder->file >= 0 || errno != EEXIST) break;
    snprintf(recorder->path + length, ending, ".%d", number);
  }
  return recorder->file >= 0 && fcntl(recorder->file, F_SETFD, FD_CLOEXEC) >= 0;
}

void sb_open_log(const char* path) {
  static int is_exit_prepared;
  sb_close_log();
  struct sb_recorder* const recorder = (struct sb_recorder*)malloc(sizeof *recorder);
  if (recorder == NULL || !sb_create_file(recorder, path)) {
    sb_complain(path);
    free(recorder);
    return;
  }
  recorder->next = recorder->buffer;
  pthread_mutex_lock(&sb_lock);
  if (!is_exit_prepared) is_exit_prepared = atexit(sb_at_exit) == 0;
  recorder->following = sb_first_recorder;
  sb_first_recorder = sb_recorder_here = recorder;
  pthread_mutex_unlock(&sb_lock);
}

void sb_close_log(void) {
  struct sb_recorder** link = &sb_first_recorder;
  if (sb_recorder_here == NULL) return;
  sb_flush(sb_recorder_here);
  pthread_mutex_lock(&sb_lock);
  while (*link != sb_recorder_here) link = &(*link)->following;
  *link = sb_recorder_here->following;
  sb_close_file(sb_recorder_here);
  pthread_mutex_unlock(&sb_lock);
  free(sb_recorder_here);
  sb_recorder_here = NULL;
}

void sb_write_line(const char* form, int square, int next_square, uint64_t occupied) {
  struct sb_recorder* const recorder = sb_recorder_here;
  if (recorder == NULL) return;
  char* at = recorder->next;
  for (; *form != 0; ++form) {
    if (*form == '@') {
      *at++ = (char)('a' + (square & 7));
      *at++ = (char)('1' + (square >> 3)); /* what is no square gets a name that the import refuses */
      square = next_square;
    } else if (*form == '#') {
      for (int shift = 60; shift >= 0; shift -= 4) *at++ = "0123456789abcdef"[occupied >> shift & 15];
    } else {
      *at++ = *form;
    }
  }
  *at++ = '\n';
  __atomic_store_n(&recorder->next, at, __ATOMIC_RELEASE); /* a plain store on x86-64 */
  if (at > recorder->buffer + (sb_buffer_bytes - sb_longest_line)) sb_flush(recorder);
}

/* As in a FEN. Whatever is no piece becomes '?', which the import refuses. */
void sb_write_board(const unsigned char* pieces) {
  char line[sb_longest_line] = "board ";
  char* at = line + strlen(line);
  for (int i = 0; i < 64; ++i) {
    const unsigned char piece = pieces[i ^ 56]; /* rank 8 comes first */
    if (i > 0 && i % 8 == 0) *at++ = '/';
    if (piece == 12 && at[-1] >= '1' && at[-1] <= '7') {
      ++at[-1]; /* one more empty square */
    } else {
      *at++ = "PNBRQKpnbrqk1?"[piece <= 12 ? piece : 13];
    }
  }
  sb_write_line(line, 0, 0, 0);
}

void sb_write_move(int from, int to, int promotion) {
  static const char* const forms[] = {"move @@", "move @@n", "move @@b", "move @@r", "move @@q", "move @@?"};
  sb_write_line(forms[promotion >= 0 && promotion <= 4 ? promotion : 5], from, to, 0);
}

#endif /* SLIDEBENCH_RECORD_IMPLEMENTATION */
