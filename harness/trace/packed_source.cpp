// SPDX-License-Identifier: MIT
#include "harness/trace/packed_source.hpp"

#include <archive.h>
#include <fcntl.h>
#include <poll.h>

#include <cerrno>
#include <new>
#include <utility>

#include "harness/base/errors.hpp"
#include "harness/base/text.hpp"

namespace slidebench {
namespace {

constexpr std::size_t chunk_bytes = 1 << 18;

}  // namespace

void PackedSource::Free::operator()(archive* reader) const { archive_read_free(reader); }

PackedSource::PackedSource(const std::string& path, ReadFn on_read, const std::atomic<bool>* stopped)
    : name_(source_name(path)), on_read_(std::move(on_read)), stopped_(stopped), buffer_(chunk_bytes) {
  if (path == "-") {
    fd_ = STDIN_FILENO;
  } else {
    file_ = FileHandle(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file_) throw UserError("cannot open " + path + ": " + error_text(errno));
    fd_ = file_.get();
  }
  open_archive();
}

PackedSource::~PackedSource() = default;

void PackedSource::open_archive() {
  archive_.reset(archive_read_new());
  archive* const reader = archive_.get();
  if (reader == nullptr) throw std::bad_alloc();
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
  while (!at_end_ && !is_stopped()) {
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
  if (!wait_for_input()) return 0;
  const ssize_t count = read_some(fd_, buffer_.data(), buffer_.size());
  if (count < 0) read_error_ = errno;
  if (count <= 0) return count;
  sha_.add(buffer_.data(), static_cast<std::size_t>(count));
  bytes_ += static_cast<std::uint64_t>(count);
  if (on_read_) on_read_(static_cast<std::uint64_t>(count));
  return count;
}

/// Returns false if nobody wants the input any more (a terminal may never send any).
bool PackedSource::wait_for_input() const {
  constexpr int patience_ms = 100;
  pollfd poll_fd{fd_, POLLIN, 0};
  while (!is_stopped()) {
    if (::poll(&poll_fd, 1, patience_ms) != 0) return true;
  }
  return false;
}

void PackedSource::check(int result) const {
  if (result >= ARCHIVE_WARN || is_stopped()) return;
  const char* reason = archive_error_string(archive_.get());
  throw UserError("cannot read " + name_ + ": " +
                  (read_error_ != 0 ? error_text(read_error_) : std::string(reason ? reason : "damaged")) +
                  "; the file is damaged or incomplete");
}

}  // namespace slidebench
