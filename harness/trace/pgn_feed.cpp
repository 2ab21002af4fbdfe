// SPDX-License-Identifier: MIT
#include "harness/trace/pgn_feed.hpp"

#include <archive.h>
#include <fcntl.h>
#include <poll.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "harness/trace/errors.hpp"
#include "harness/trace/posix_file.hpp"
#include "harness/trace/sha256.hpp"
#include "harness/trace/text.hpp"

namespace slidebench {
namespace {

constexpr std::size_t chunk_bytes = 1 << 18;

/// Text of this length is looked at for zero bytes, which no PGN has.
constexpr std::size_t text_probe_bytes = 1 << 16;

}  // namespace

/// One pass over a source: libarchive pulls its bytes through read_chunk().
class PgnFeedStream {
 public:
  explicit PgnFeedStream(PgnFeed& feed) : feed_(feed), name_(source_name(feed.path_)), buffer_(chunk_bytes) {
    if (feed.path_ == "-") {
      fd_ = STDIN_FILENO;
      return;
    }
    file_ = FileHandle(::open(feed.path_.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file_) throw UserError("cannot open " + feed.path_ + ": " + error_text(errno));
    fd_ = file_.get();
  }

  FedSource run(int pipe) {
    decompress(pipe);
    while (read_chunk() > 0) {
      // What follows the text (or the point where the parser had enough) counts for the checksum only.
    }
    if (read_error_ != 0) throw UserError("cannot read " + name_ + ": " + error_text(read_error_));
    fed_.sha256 = sha_.hex();
    return fed_;
  }

 private:
  ssize_t read_chunk() {
    if (!wait_for_input()) return 0;
    const ssize_t count = read_some(fd_, buffer_.data(), buffer_.size());
    if (count < 0) read_error_ = errno;
    if (count <= 0) return count;
    sha_.add(buffer_.data(), static_cast<std::size_t>(count));
    fed_.bytes += static_cast<std::uint64_t>(count);
    feed_.bytes_read_ += static_cast<std::uint64_t>(count);
    return count;
  }

  /// Waits for input; returns false if the feed has been stopped meanwhile (a terminal may never send any).
  bool wait_for_input() {
    constexpr int patience_ms = 100;
    pollfd poll_fd{fd_, POLLIN, 0};
    while (!feed_.stopped_) {
      if (::poll(&poll_fd, 1, patience_ms) != 0) return true;
    }
    return false;
  }

  static la_ssize_t pull(archive*, void* self, const void** data) {
    auto* stream = static_cast<PgnFeedStream*>(self);
    *data = stream->buffer_.data();
    return stream->read_chunk();
  }

  std::unique_ptr<archive, decltype(&archive_read_free)> open_archive() {
    std::unique_ptr<archive, decltype(&archive_read_free)> reader(archive_read_new(), &archive_read_free);
    if (!reader) throw std::bad_alloc();
    // Not all of libarchive's filters: some (uuencoding) take text for what it is not, some start programs.
    archive_read_support_filter_gzip(reader.get());
    archive_read_support_filter_bzip2(reader.get());
    archive_read_support_filter_xz(reader.get());
    archive_read_support_filter_lzma(reader.get());
    archive_read_support_filter_zstd(reader.get());
    archive_read_support_filter_lz4(reader.get());
    archive_read_support_filter_compress(reader.get());
    archive_read_support_format_raw(reader.get());
    archive_read_support_format_empty(reader.get());
    check(archive_read_open(reader.get(), this, nullptr, &PgnFeedStream::pull, nullptr), reader.get());
    return reader;
  }

  void check(int result, archive* reader) const {
    if (result >= ARCHIVE_WARN || feed_.stopped_) return;
    const char* reason = archive_error_string(reader);
    throw UserError("cannot read " + name_ + ": " +
                    (read_error_ != 0 ? error_text(read_error_) : std::string(reason ? reason : "damaged")) +
                    "; the file is damaged or incomplete");
  }

  void decompress(int pipe) {
    const auto reader = open_archive();
    archive_entry* entry = nullptr;
    const int found = archive_read_next_header(reader.get(), &entry);
    check(found, reader.get());
    if (found == ARCHIVE_EOF) return;
    while (!feed_.stopped_) {
      const void* data = nullptr;
      std::size_t size = 0;
      la_int64_t offset = 0;
      const int result = archive_read_data_block(reader.get(), &data, &size, &offset);
      check(result, reader.get());
      if (result == ARCHIVE_EOF) return;
      check_text(static_cast<const char*>(data), size);
      if (const int error = write_all(pipe, data, size); error != 0) {
        if (error != EPIPE) throw UserError("cannot feed " + name_ + " to pgn-extract: " + error_text(error));
        fed_.cut_short = true;
        return;
      }
    }
  }

  void check_text(const char* data, std::size_t size) {
    if (probed_ >= text_probe_bytes || size == 0) return;
    if (std::memchr(data, 0, std::min(size, text_probe_bytes - probed_)) != nullptr) {
      throw UserError(name_ + " is not PGN text: it has zero bytes; give PGN files, plain or compressed");
    }
    probed_ += size;
  }

  PgnFeed& feed_;
  std::string name_;
  std::vector<char> buffer_;
  FileHandle file_;
  int fd_ = -1;
  int read_error_ = 0;
  std::size_t probed_ = 0;
  Sha256 sha_;
  FedSource fed_;
};

FedSource PgnFeed::run(const FileHandle& pipe) { return PgnFeedStream(*this).run(pipe.get()); }

}  // namespace slidebench
