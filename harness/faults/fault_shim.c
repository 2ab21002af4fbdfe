// SPDX-License-Identifier: MIT
//
// What can go wrong with a disk and a clock, at a chosen moment; preloaded into the program by faults.py.
//
//   SLIDEBENCH_FAULT=log:FILE        appends each operation on the folder to FILE: "write samples.csv"
//   SLIDEBENCH_FAULT=kill:N          at the N-th operation the process is killed; a write is cut in the middle
//   SLIDEBENCH_FAULT=full:N          from the N-th operation on the disk is full; the first write still gets half, and
//   a
//                                    sync finds no room, as where a file system puts off what it writes
//   SLIDEBENCH_FAULT=clock           the wall clock steps back an hour each time it is read
//   SLIDEBENCH_FAULT=stands          the clock by which times are measured stands
//   SLIDEBENCH_FAULT=back            it steps back a second each time it is read
//   SLIDEBENCH_FAULT_FOLDER=FOLDER   only operations on files inside count, from 1
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static const char* fault(void) {
  const char* text = getenv("SLIDEBENCH_FAULT");
  return text != NULL ? text : "";
}

/// What remains of a path inside the folder, "." for the folder itself; null outside it.
static const char* inside(const char* path) {
  const char* folder = getenv("SLIDEBENCH_FAULT_FOLDER");
  if (folder == NULL) return NULL;
  const size_t length = strlen(folder);
  if (strncmp(path, folder, length) != 0) return NULL;
  if (path[length] == 0) return ".";
  return path[length] == '/' ? path + length + 1 : NULL;
}

/// Whether this operation is the one that fails, or, of a full disk, comes after it.
static int is_due(const char* operation, const char* path) {
  static int count = 0;
  const char* name = inside(path);
  if (name == NULL) return 0;
  ++count;
  if (strncmp(fault(), "log:", 4) == 0) {
    char line[PATH_MAX + 32];
    const int length = snprintf(line, sizeof line, "%s %s\n", operation, name);
    const int log = REAL(open)(fault() + 4, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (REAL(write)(log, line, (size_t)length) != length) abort();
    close(log);
  }
  if (strncmp(fault(), "kill:", 5) == 0) return count == atoi(fault() + 5);
  if (strncmp(fault(), "full:", 5) == 0) return count - atoi(fault() + 5) + 1 > 0 ? count - atoi(fault() + 5) + 1 : 0;
  return 0;
}

static int kills(void) { return fault()[0] == 'k'; }

static void die(void) {
  kill(getpid(), SIGKILL);
  pause();
}

/// The same of an operation on an open file.
static int is_due_on(const char* operation, int fd) {
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return is_due(operation, path);
}

/// Of a write: 0 to go on, otherwise the result is in `*result`.
static int write_fails(int fd, const char* data, size_t size, ssize_t* result) {
  const int due = is_due_on("write", fd);
  if (due == 0) return 0;
  *result = due == 1 && size > 1 ? REAL(write)(fd, data, size / 2) : -1;
  if (kills()) die();
  if (*result < 0) errno = ENOSPC;
  return 1;
}

ssize_t write(int fd, const void* data, size_t size) {
  ssize_t result;
  return write_fails(fd, data, size, &result) ? result : REAL(write)(fd, data, size);
}

ssize_t writev(int fd, const struct iovec* parts, int count) {
  ssize_t result;
  if (count > 0 && write_fails(fd, parts[0].iov_base, parts[0].iov_len, &result)) return result;
  return REAL(writev)(fd, parts, count);
}

int fsync(int fd) {
  if (is_due_on("sync", fd) == 0) return REAL(fsync)(fd);
  if (kills()) die();
  errno = ENOSPC;
  return -1;
}

int rename(const char* from, const char* to) {
  if (is_due("rename", to) == 1 && kills()) die();
  return REAL(rename)(from, to);
}

int unlink(const char* path) {
  if (is_due("remove", path) == 1 && kills()) die();
  return REAL(unlink)(path);
}

int remove(const char* path) {
  if (is_due("remove", path) == 1 && kills()) die();
  return REAL(remove)(path);
}

static time_t earlier(void) {
  static time_t hours = 0;
  return 3600 * ++hours;
}

/// The monotonic clock, which may be read by several threads at once.
static void disturb_monotonic(struct timespec* now) {
  static _Atomic long seconds = 0;
  const int stands = strcmp(fault(), "stands") == 0;
  if (!stands && strcmp(fault(), "back") != 0) return;
  now->tv_sec = 1000000 - (stands ? 0 : seconds++);
  now->tv_nsec = 0;
}

int clock_gettime(clockid_t clock, struct timespec* now) {
  const int result = REAL(clock_gettime)(clock, now);
  if (clock == CLOCK_MONOTONIC) disturb_monotonic(now);
  if (clock == CLOCK_REALTIME && strcmp(fault(), "clock") == 0) now->tv_sec -= earlier();
  return result;
}

time_t time(time_t* now) {
  time_t seconds = REAL(time)(NULL);
  if (strcmp(fault(), "clock") == 0) seconds -= earlier();
  if (now != NULL) *now = seconds;
  return seconds;
}
