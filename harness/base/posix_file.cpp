// SPDX-License-Identifier: MIT
#include "harness/base/posix_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <system_error>

#include "harness/base/errors.hpp"

namespace slidebench {

int FileHandle::close() {
  if (fd_ < 0) return 0;
  return ::close(std::exchange(fd_, -1)) == 0 ? 0 : errno;
}

Pipe make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw UserError("cannot make a pipe: " + error_text(errno));
  return {FileHandle(ends[0]), FileHandle(ends[1])};
}

int write_all(int fd, const void* data, std::size_t size) {
  const char* next = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t written = ::write(fd, next, size);
    if (written < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    next += written;
    size -= static_cast<std::size_t>(written);
  }
  return 0;
}

ssize_t read_some(int fd, void* data, std::size_t size) {
  for (;;) {
    const ssize_t count = ::read(fd, data, size);
    if (count >= 0 || errno != EINTR) return count;
  }
}

int sync_to_disk(int fd) {
  while (::fsync(fd) != 0) {
    if (errno == EINTR) continue;
    return errno == EINVAL || errno == EROFS || errno == ENOTSUP ? 0 : errno;
  }
  return 0;
}

int sync_to_disk(const std::string& path) {
  const FileHandle file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return errno == EACCES ? 0 : errno;
  return sync_to_disk(file.get());
}

void check_regular(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    throw UserError("cannot read " + path + ": not a regular file; save it first");
  }
}

std::string error_text(int error) { return std::generic_category().message(error); }

}  // namespace slidebench
