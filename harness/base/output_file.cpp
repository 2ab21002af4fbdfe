// SPDX-License-Identifier: MIT
#include "harness/base/output_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <zstd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <new>
#include <vector>

#include "harness/base/errors.hpp"

namespace slidebench {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t copy_bytes = 1 << 18;

/// A temporary file that loses its name at once: it vanishes with its descriptor, however the program ends.
FileHandle open_nameless(const fs::path& folder) {
  std::string name = (folder / ".slidebench-XXXXXX").native();
  FileHandle file(::mkostemp(name.data(), O_CLOEXEC));
  if (file) ::unlink(name.c_str());
  return file;
}

/// Whether the path still names the open file.
bool is_named(const FileHandle& file, const std::string& path) {
  struct stat open {};
  struct stat named {};
  return ::fstat(file.get(), &open) == 0 && ::stat(path.c_str(), &named) == 0 && open.st_dev == named.st_dev &&
         open.st_ino == named.st_ino;
}

/// Throws CannotWrite unless the error is 0.
void check_write(const std::string& path, int error) {
  if (error == 0) return;
  const char* advice = error == ENOSPC || error == EDQUOT ? "; free some space or choose another file"
                       : error == ENOENT                  ? "; create the folder first"
                                                          : "; choose another file";
  throw CannotWrite("cannot write " + path + ": " + error_text(error) + advice);
}

fs::path folder_of(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

}  // namespace

FileHandle open_alone(const std::string& path, const std::string& output) {
  for (;;) {
    FileHandle file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
    if (!file) check_write(output, errno);
    if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
      throw CannotWrite("cannot write " + output + ": another process is writing it; wait, or choose another file");
    if (!is_named(file, path)) continue;  // another process has finished it, and given it its last name
    if (::ftruncate(file.get(), 0) != 0) check_write(output, errno);
    return file;
  }
}

OutputFile::OutputFile(const std::string& path) : path_(path), final_(path), compressed_(path.ends_with(".zst")) {
  if (path.empty()) throw UserError("the name of the output file is empty: give one with --out");
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::is_directory(status)) throw UserError("cannot write " + path + ": it is a directory; give a file name");
  const bool special = fs::exists(status) && !fs::is_regular_file(status);
  if (special) {
    target_ = FileHandle(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (!target_) check(errno);
  } else {
    if (fs::exists(status)) final_ = fs::canonical(path, ignored).native();
    partial_ = final_ + ".partial";
    target_ = open_alone(partial_, path);
  }
  if (!special && !compressed_) return;
  spool_ = open_nameless(special ? fs::temp_directory_path(ignored) : folder_of(final_));
  if (!spool_) {
    const int error = errno;
    if (!partial_.empty()) ::unlink(partial_.c_str());
    check(error);
  }
}

OutputFile::~OutputFile() {
  if (!partial_.empty()) ::unlink(partial_.c_str());
}

void OutputFile::check(int error) const { check_write(path_, error); }

void OutputFile::append(const void* data, std::size_t size) { check(write_all(body(), data, size)); }

void OutputFile::patch_front(const void* data, std::size_t size) {
  if (::lseek(body(), 0, SEEK_SET) < 0) check(errno);
  check(write_all(body(), data, size));
}

void OutputFile::commit(Durability durability) {
  if (spool_) {
    if (::lseek(spool_.get(), 0, SEEK_SET) < 0) check(errno);
    compressed_ ? deliver_compressed() : deliver_spool();
    spool_.close();
  }
  if (durability == Durability::synced) check(sync_to_disk(target_.get()));
  const FileHandle lock(::dup(target_.get()));  // until it has its name, nobody else may take it for theirs
  check(target_.close());
  if (partial_.empty()) return;
  if (::rename(partial_.c_str(), final_.c_str()) != 0) check(errno);
  partial_.clear();
  if (durability == Durability::synced) check(sync_to_disk(folder_of(final_).native()));
}

void OutputFile::deliver_spool() {
  std::vector<char> buffer(copy_bytes);
  for (;;) {
    const ssize_t count = read_some(spool_.get(), buffer.data(), buffer.size());
    if (count < 0) check(errno);
    if (count <= 0) return;
    deliver(buffer.data(), static_cast<std::size_t>(count));
  }
}

void OutputFile::deliver_compressed() {
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), &ZSTD_freeCCtx);
  if (!context) throw std::bad_alloc();
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  std::vector<char> in(copy_bytes);
  std::vector<char> out(ZSTD_CStreamOutSize());
  for (bool last = false; !last;) {
    const ssize_t count = read_some(spool_.get(), in.data(), in.size());
    if (count < 0) check(errno);
    last = count == 0;
    ZSTD_inBuffer input{in.data(), static_cast<std::size_t>(count), 0};
    for (bool done = false; !done;) {
      ZSTD_outBuffer output{out.data(), out.size(), 0};
      const std::size_t left =
          ZSTD_compressStream2(context.get(), &output, &input, last ? ZSTD_e_end : ZSTD_e_continue);
      if (ZSTD_isError(left)) throw UserError("cannot compress " + path_ + ": " + ZSTD_getErrorName(left));
      deliver(out.data(), output.pos);
      done = last ? left == 0 : input.pos == input.size;
    }
  }
}

}  // namespace slidebench
