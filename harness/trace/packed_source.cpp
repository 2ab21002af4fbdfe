// SPDX-License-Identifier: MIT
#include "harness/trace/packed_source.hpp"

#include <archive.h>
#include <fcntl.h>

#include <cerrno>
#include <new>

#include "harness/base/errors.hpp"
#include "harness/base/text.hpp"

namespace slidebench {

PackedSource::PackedSource(const std::string& path)
    : name_(source_name(path)),
      buffer_(1 << 18),
      file_(path == "-" ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (!file_) throw UserError("cannot open " + path + ": " + error_text(errno));
  open_archive();
}

void PackedSource::open_archive() {
  archive* const reader = archive_read_new();
  if (reader == nullptr) throw std::bad_alloc();
  archive_.reset(reader, archive_read_free);
  // Not all of libarchive's filters: some (uuencoding) take text for what it is not, some start programs.
  archive_read_support_filter_gzip(reader);
  archive_read_support_filter_bzip2(reader);
  archive_read_support_filter_xz(reader);
  archive_read_support_filter_lzma(reader);
  archive_read_support_filter_zstd(reader);
  archive_read_support_filter_lz4(reader);
  archive_read_support_filter_compress(reader);
  archive_read_support_format_raw(reader);
  archive_read_support_format_empty(reader);
  const auto pull = [](archive*, void* self, const void** data) -> la_ssize_t {
    auto* source = static_cast<PackedSource*>(self);
    *data = source->buffer_.data();
    return source->read_chunk();
  };
  check(archive_read_open(reader, this, nullptr, pull, nullptr));
  archive_entry* entry = nullptr;
  const int found = archive_read_next_header(reader, &entry);
  check(found);
  at_end_ = found == ARCHIVE_EOF;
}

std::span<const char> PackedSource::next() {
  while (!at_end_) {
    const void* data = nullptr;
    std::size_t size = 0;
    la_int64_t offset = 0;
    const int result = archive_read_data_block(archive_.get(), &data, &size, &offset);
    check(result);
    at_end_ = result == ARCHIVE_EOF;
    if (!at_end_ && size > 0) return {static_cast<const char*>(data), size};
  }
  return {};
}

void PackedSource::skip_rest() {
  while (read_chunk() > 0) {
    // Counts for the checksum only.
  }
  if (read_error_ != 0) throw UserError("cannot read " + name_ + ": " + error_text(read_error_));
}

ssize_t PackedSource::read_chunk() {
  const ssize_t count = read_some(file_.get(), buffer_.data(), buffer_.size());
  if (count < 0) read_error_ = errno;
  if (count <= 0) return count;
  sha_.add(buffer_.data(), static_cast<std::size_t>(count));
  bytes_ += static_cast<std::uint64_t>(count);
  return count;
}

void PackedSource::check(int result) const {
  if (result >= ARCHIVE_WARN) return;
  const char* reason = archive_error_string(archive_.get());
  throw UserError("cannot read " + name_ + ": " +
                  (read_error_ != 0 ? error_text(read_error_) : std::string(reason ? reason : "damaged")) +
                  "; the file is damaged or incomplete");
}

}  // namespace slidebench
