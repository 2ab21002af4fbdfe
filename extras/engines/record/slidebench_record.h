/* SPDX-License-Identifier: MIT
 *
 * slidebench_record.h: writes down which sliding-piece attacks a chess engine asks for, and between which moves, so
 * that `slidebench trace import` can replay them with other methods. C99 or C++11, POSIX, one file.
 *
 * In one source file of the engine:
 *
 *   #define SLIDEBENCH_RECORD_IMPLEMENTATION
 *   #include "slidebench_record.h"
 *
 * In the others the second line alone. Then, in the thread that searches:
 *
 *   sb_record_open("search.queries");            when the search begins
 *   sb_record_root(occupied);                    the position that is searched
 *   sb_record_make(occupied);                    at the end of make(), sb_record_unmake(occupied) at that of unmake()
 *   sb_record_bishop(square, occupied);          where bishop attacks are asked for, before or after the look-up
 *   sb_record_close();                           when the search ends
 *
 * Two calls more, and the trace tells the pieces, for what needs more than the occupied squares:
 *
 *   sb_record_board(pieces);                     right before each sb_record_root()
 *   sb_record_move(from, to, promotion);         right before each sb_record_make()
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
 * The form of the file: extras/engines/README.md. */
#ifndef SLIDEBENCH_RECORD_H
#define SLIDEBENCH_RECORD_H

#ifndef SLIDEBENCH_RECORD

#define sb_record_open(path) ((void)0)
#define sb_record_close() ((void)0)
#define sb_record_root(occupied) ((void)0)
#define sb_record_make(occupied) ((void)0)
#define sb_record_unmake(occupied) ((void)0)
#define sb_record_null() ((void)0)
#define sb_record_eval() ((void)0)
#define sb_record_probe() ((void)0)
#define sb_record_board(pieces) ((void)0)
#define sb_record_move(from, to, promotion) ((void)0)

#define sb_record_bishop(square, occupied) ((void)0)
#define sb_record_rook(square, occupied) ((void)0)
#define sb_record_queen(square, occupied) ((void)0)
#define sb_record_both(square, occupied) ((void)0)

#else

#include <stdint.h>
#include <string.h>

/* A variable of each thread, and stores and loads in order, so that exit() may look at what another thread records. */
#define SB_THREAD_LOCAL __thread
#define SB_STORE(pointer, value) __atomic_store_n(&(pointer), value, __ATOMIC_RELEASE)
#define SB_LOAD(pointer) __atomic_load_n(&(pointer), __ATOMIC_ACQUIRE)

#ifdef __cplusplus
extern "C" {
#endif

/* Begins to record this thread's events; a recording that is open in this thread is closed first. */
void sb_record_open(const char* path);

/* Writes what is left, and ends this thread's recording. Without one it does nothing. */
void sb_record_close(void);

/* The pieces of the root that is recorded next, by square: 0 to 11, or 12 where there is none. All roots of a recording
 * have a board, or none has. */
void sb_record_board(const unsigned char pieces[64]);

/* Not for the engine: the events of the file, a thread's recorder, and how it is emptied when it is full. */
enum sb_record_event {
  sb_event_root = 1,
  sb_event_make = 2,
  sb_event_unmake = 3,
  sb_event_null = 4,
  sb_event_eval = 5,
  sb_event_probe = 6,
  sb_event_bishop = 7,
  sb_event_rook = 8,
  sb_event_queen = 9,
  sb_event_both = 10,
  sb_event_board = 11,
  sb_event_move = 12,
  sb_same_occupancy = 128, /* the occupancy is that of the record before, and is not written again */
  sb_short_record_bytes = 2,
  sb_record_bytes = 10,
  sb_move_record_bytes = 4,
  sb_board_record_bytes = 34, /* the longest */
  sb_buffer_bytes = 65536
};

struct sb_recorder {
  unsigned char* next; /* where the next record goes; read by the thread that calls exit() */
  uint64_t occupied;   /* of the last record that has one */
  unsigned char buffer[sb_buffer_bytes];
  char* path;
  int file; /* -1: not open yet */
  struct sb_recorder* following;
};

extern SB_THREAD_LOCAL struct sb_recorder* sb_recorder_here;
void sb_record_flush(void);

static inline void sb_record_advance(struct sb_recorder* recorder, unsigned char* next) {
  SB_STORE(recorder->next, next); /* a plain store on x86-64 */
  if (next > recorder->buffer + (sb_buffer_bytes - sb_board_record_bytes)) sb_record_flush();
}

static inline void sb_record(int event, int square, uint64_t occupied) {
  struct sb_recorder* const recorder = sb_recorder_here;
  unsigned char* record;
  unsigned same;
  if (recorder == 0) return;
  record = recorder->next;
  same = occupied == recorder->occupied;
  recorder->occupied = occupied;
  record[0] = (unsigned char)(event + (int)same * sb_same_occupancy);
  record[1] = (unsigned char)square;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  occupied = __builtin_bswap64(occupied);
#endif
  /* Written in any case: whether it is the same is hard to foresee, and a branch would cost more. */
  memcpy(record + sb_short_record_bytes, &occupied, sizeof occupied);
  sb_record_advance(recorder, record + sb_record_bytes - same * sizeof occupied);
}

/* An event without an occupancy. */
static inline void sb_record_bare(int event) {
  struct sb_recorder* const recorder = sb_recorder_here;
  if (recorder == 0) return;
  recorder->next[0] = (unsigned char)(event + sb_same_occupancy);
  recorder->next[1] = 0;
  sb_record_advance(recorder, recorder->next + sb_short_record_bytes);
}

/* A position that does not follow from the one before: where a search begins. */
static inline void sb_record_root(uint64_t occupied) { sb_record(sb_event_root, 0, occupied); }

/* A move was made, or taken back. `occupied` is what it leads to; 0 if that is not at hand. */
static inline void sb_record_make(uint64_t occupied) { sb_record(sb_event_make, 0, occupied); }
static inline void sb_record_unmake(uint64_t occupied) { sb_record(sb_event_unmake, 0, occupied); }

/* What the move is that sb_record_make() tells of next; `promotion` is 0, or 1 to 4, knight to queen. */
static inline void sb_record_move(int from, int to, int promotion) {
  struct sb_recorder* const recorder = sb_recorder_here;
  if (recorder == 0) return;
  recorder->next[0] = sb_event_move;
  recorder->next[1] = (unsigned char)from;
  recorder->next[2] = (unsigned char)to;
  recorder->next[3] = (unsigned char)promotion;
  sb_record_advance(recorder, recorder->next + sb_move_record_bytes);
}

/* The side to move passed: a null move. It is taken back by sb_record_unmake(). */
static inline void sb_record_null(void) { sb_record_bare(sb_event_null); }

/* The position on the board is evaluated; the hash table is probed for it. */
static inline void sb_record_eval(void) { sb_record_bare(sb_event_eval); }
static inline void sb_record_probe(void) { sb_record_bare(sb_event_probe); }

/* The attacks of a bishop, a rook or a queen on a square; `both` are those of bishop and rook, separately. */
static inline void sb_record_bishop(int square, uint64_t occupied) { sb_record(sb_event_bishop, square, occupied); }
static inline void sb_record_rook(int square, uint64_t occupied) { sb_record(sb_event_rook, square, occupied); }
static inline void sb_record_queen(int square, uint64_t occupied) { sb_record(sb_event_queen, square, occupied); }
static inline void sb_record_both(int square, uint64_t occupied) { sb_record(sb_event_both, square, occupied); }

#ifdef __cplusplus
}
#endif

#endif /* SLIDEBENCH_RECORD */
#endif /* SLIDEBENCH_RECORD_H */

#if defined(SLIDEBENCH_RECORD) && defined(SLIDEBENCH_RECORD_IMPLEMENTATION) && !defined(SLIDEBENCH_RECORD_IMPLEMENTED)
#define SLIDEBENCH_RECORD_IMPLEMENTED

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

SB_THREAD_LOCAL struct sb_recorder* sb_recorder_here;

/* A lock, and a new file that is not inherited. */
static pthread_mutex_t sb_record_mutex = PTHREAD_MUTEX_INITIALIZER;
static void sb_record_lock(void) { pthread_mutex_lock(&sb_record_mutex); }
static void sb_record_unlock(void) { pthread_mutex_unlock(&sb_record_mutex); }
static int sb_file_create(const char* path) {
  const int file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0666);
  if (file >= 0) fcntl(file, F_SETFD, FD_CLOEXEC);
  return file;
}

/* What the lock guards: the list of all threads' recorders, and their files. */
static struct sb_recorder* sb_record_first;
static int sb_record_is_prepared; /* for exit() */
static int sb_record_is_over;     /* exit() has written everything */

static void sb_record_complain(const char* path, int error) {
  fprintf(stderr, "slidebench_record: cannot write %s: %s; recording stops\n", path, strerror(error));
}

/* Writes all bytes. Returns 0 or errno. */
static int sb_record_write(int file, const unsigned char* from, unsigned bytes) {
  while (bytes > 0) {
    const int written = (int)write(file, from, bytes);
    if (written < 0 && errno != EINTR) return errno;
    if (written > 0) {
      from += written;
      bytes -= (unsigned)written;
    }
  }
  return 0;
}

/* Makes the first file that does not exist yet of PATH, PATH.2, PATH.3. Returns 0 or errno. */
static int sb_record_create(struct sb_recorder* recorder) {
  static const unsigned char header[16] = {'S', 'L', 'Q', 'U', 'E', 'R', 'Y', '\n', 3, 0, 0, 0, sb_board_record_bytes,
                                           0,   0,   0};
  const size_t room = strlen(recorder->path) + 8;
  char* const name = (char*)malloc(room);
  int number;
  int error = 0;
  if (name == NULL) return ENOMEM;
  strcpy(name, recorder->path);
  for (number = 2; number < 100000; ++number) {
    recorder->file = sb_file_create(name);
    error = recorder->file < 0 ? errno : 0;
    if (error != EEXIST) break;
    snprintf(name, room, "%s.%d", recorder->path, number);
  }
  free(name);
  if (error != 0) return error;
  return sb_record_write(recorder->file, header, sizeof header);
}

/* Writes what the buffer holds; the caller has the lock. Returns 0 or errno. */
static int sb_record_empty(struct sb_recorder* recorder) {
  unsigned char* const end = SB_LOAD(recorder->next);
  const unsigned bytes = (unsigned)(end - recorder->buffer);
  const int error = recorder->file < 0 && bytes > 0 ? sb_record_create(recorder) : 0;
  return error != 0 ? error : sb_record_write(recorder->file, recorder->buffer, bytes);
}

static void sb_record_close_file(struct sb_recorder* recorder) {
  if (recorder->file >= 0) close(recorder->file);
  recorder->file = -1;
}

static void sb_record_free(struct sb_recorder* recorder) {
  sb_record_close_file(recorder);
  free(recorder->path);
  free(recorder);
}

/* Ends this thread's recording, and says why if there is an error. The caller has the lock. */
static void sb_record_drop(int error) {
  struct sb_recorder** link = &sb_record_first;
  while (*link != sb_recorder_here) link = &(*link)->following;
  *link = sb_recorder_here->following;
  if (error != 0) sb_record_complain(sb_recorder_here->path, error);
  sb_record_free(sb_recorder_here);
  sb_recorder_here = NULL;
}

void sb_record_flush(void) {
  const int kept_errno = errno;
  int error;
  sb_record_lock();
  error = sb_record_is_over ? 0 : sb_record_empty(sb_recorder_here);
  if (error != 0) {
    sb_record_drop(error);
  } else {
    SB_STORE(sb_recorder_here->next, &sb_recorder_here->buffer[0]);
  }
  sb_record_unlock();
  errno = kept_errno;
}

void sb_record_close(void) {
  const int kept_errno = errno;
  if (sb_recorder_here == NULL) return;
  sb_record_lock();
  sb_record_drop(sb_record_is_over ? 0 : sb_record_empty(sb_recorder_here));
  sb_record_unlock();
  errno = kept_errno;
}

/* At exit(): writes what every thread has left, threads that have ended included. Others may still run and record: what
 * they add from now on is lost. */
static void sb_record_at_exit(void) {
  struct sb_recorder* recorder;
  sb_record_lock();
  for (recorder = sb_record_first; recorder != NULL; recorder = recorder->following) {
    const int error = sb_record_empty(recorder);
    if (error != 0) sb_record_complain(recorder->path, error);
    sb_record_close_file(recorder);
  }
  sb_record_is_over = 1;
  sb_record_unlock();
}

/* Four bits a square. Whatever is no piece and not none becomes 15, which the import refuses. */
void sb_record_board(const unsigned char pieces[64]) {
  struct sb_recorder* const recorder = sb_recorder_here;
  int square;
  if (recorder == NULL) return;
  recorder->next[0] = sb_event_board;
  recorder->next[1] = 0;
  for (square = 0; square < 64; square += 2) {
    const int low = pieces[square] < 15 ? pieces[square] : 15, high = pieces[square + 1] < 15 ? pieces[square + 1] : 15;
    recorder->next[2 + square / 2] = (unsigned char)(low | high << 4);
  }
  sb_record_advance(recorder, recorder->next + sb_board_record_bytes);
}

void sb_record_open(const char* path) {
  const int kept_errno = errno;
  struct sb_recorder* recorder;
  int error;
  sb_record_close();
  recorder = (struct sb_recorder*)malloc(sizeof *recorder);
  if (recorder != NULL) recorder->path = (char*)malloc(strlen(path) + 1);
  if (recorder == NULL || recorder->path == NULL) {
    free(recorder);
    sb_record_complain(path, ENOMEM);
    return;
  }
  strcpy(recorder->path, path);
  recorder->next = recorder->buffer;
  recorder->occupied = 0;
  recorder->file = -1;
  sb_record_lock();
  if (!sb_record_is_prepared) atexit(sb_record_at_exit);
  sb_record_is_prepared = 1;
  recorder->following = sb_record_first;
  sb_record_first = recorder;
  sb_recorder_here = recorder;
  error = sb_record_create(recorder);
  if (error != 0) sb_record_drop(error);
  sb_record_unlock();
  errno = kept_errno;
}

#ifdef __cplusplus
}
#endif

#endif /* SLIDEBENCH_RECORD_IMPLEMENTATION */
