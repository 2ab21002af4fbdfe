// SPDX-License-Identifier: MIT
#include "harness/trace/trace_file.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string_view>

#include "harness/base/errors.hpp"
#include "harness/base/posix_file.hpp"
#include "harness/trace/digest.hpp"

namespace slidebench {
namespace {

TraceFile map_file(const std::string& path) {
  TraceFile trace;
  // Not blocking: opening a pipe that nobody writes to would wait for ever.
  FileHandle file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) throw UserError("cannot open trace " + path + ": " + error_text(errno));
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) throw UserError("cannot read trace " + path + ": " + error_text(errno));
  if (S_ISDIR(status.st_mode)) throw UserError("cannot read trace " + path + ": it is a directory; give a file");
  if (!S_ISREG(status.st_mode)) throw UserError("cannot read trace " + path + ": not a regular file; save it first");
  if (status.st_size == 0) refuse_trace(path, "is empty");
  trace.bytes = MemoryMap::of_file(file.get(), static_cast<std::size_t>(status.st_size), path);
  if (!trace.bytes) throw UserError("cannot read trace " + path + ": " + error_text(errno));
  trace.mapped = std::move(file);
  trace.modified = status.st_mtim;
  return trace;
}

/// Checks everything that the header says about itself, and returns it.
FileHeader checked_header(const std::string& path, std::span<const char> bytes) {
  if (bytes.size() < trace_magic.size() || !std::equal(trace_magic.begin(), trace_magic.end(), bytes.begin())) {
    throw UserError(path + " is not a slidebench trace; build one with `slidebench trace build`");
  }
  FileHeader header;
  if (bytes.size() < sizeof header) {
    refuse_trace(path, fmt::format("is truncated: its header is cut off after {} bytes", bytes.size()));
  }
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.byte_order == __builtin_bswap32(byte_order_mark)) {
    throw UserError("trace " + path +
                    " is in the other byte order; build or fetch it again on a little-endian machine");
  }
  if (header.byte_order == byte_order_mark && header.version != format_version) {
    refuse_trace(path, fmt::format("has format version {}, this program reads {}", header.version, format_version));
  }
  const bool spare = header.zero != 0 || header.reserved != FileHeader{}.reserved;
  if (header.byte_order != byte_order_mark || header.header_bytes != sizeof header || spare) {
    refuse_trace(path, "is damaged: its header makes no sense");
  }
  return header;
}

/// The size of the whole file, as the header has it.
std::size_t promised_bytes(const std::string& path, const FileHeader& header) {
  std::size_t size = sizeof header;
  if (__builtin_add_overflow(size, header.payload_bytes, &size) ||
      __builtin_add_overflow(size, header.provenance_bytes, &size)) {
    refuse_trace(path, "is damaged: its header promises an impossible size");
  }
  return size;
}

[[noreturn]] void refuse_truncated(const std::string& path, std::size_t found, std::size_t promised) {
  refuse_trace(path, fmt::format("is truncated: it has {} bytes, its header promises {}", found, promised));
}

constexpr const char* trailing = "has bytes after its end that do not belong to it";

/// A Zstandard stream that is read in pieces.
class Decompressor {
 public:
  Decompressor(const std::string& path, std::span<const char> stream)
      : path_(path), input_{stream.data(), stream.size(), 0}, context_(ZSTD_createDCtx(), &ZSTD_freeDCtx) {
    if (!context_) throw std::bad_alloc();
  }

  /// Fills `size` bytes, less where the stream ends. Returns how many.
  std::size_t read(char* data, std::size_t size) {
    ZSTD_outBuffer output{data, size, 0};
    while (output.pos < size && !at_end()) {
      const std::size_t before = output.pos;
      left_ = ZSTD_decompressStream(context_.get(), &output, &input_);
      if (ZSTD_isError(left_)) refuse_trace(path_, std::string("is damaged: ") + ZSTD_getErrorName(left_));
      if (output.pos == before && input_.pos == input_.size) break;
    }
    return output.pos;
  }

  /// Whether a frame ended exactly where the input ends. A frame that does not has lost its end.
  bool at_end() const { return left_ == 0 && input_.pos == input_.size; }

 private:
  const std::string& path_;
  ZSTD_inBuffer input_;
  std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context_;
  std::size_t left_ = 1;
};

bool is_zstd(std::span<const char> bytes) {
  return std::string_view(bytes.data(), bytes.size()).starts_with("\x28\xB5\x2F\xFD");
}

/// @throws UserError  if the machine has less, or gives less
MemoryMap memory_for(const std::string& path, std::uint64_t size) {
  const auto all = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<unsigned>(::getpagesize());
  MemoryMap memory = size <= all ? MemoryMap::of_memory(size) : MemoryMap();
  if (memory) return memory;
  throw UserError(fmt::format(
      "cannot load trace {}: it would take {} bytes of memory; unpack it by zstd -d, and give what that makes", path,
      size));
}

/// Decompresses into memory of the size that the header promises, so that a small file cannot fill the memory with
/// something that is no trace.
TraceFile decompress(const std::string& path, const MemoryMap& compressed) {
  Decompressor stream(path, compressed.bytes());
  std::array<char, sizeof(FileHeader)> front{};
  const std::size_t front_bytes = stream.read(front.data(), front.size());
  TraceFile file;
  file.header = checked_header(path, std::span(front).first(front_bytes));
  const std::size_t promised = promised_bytes(path, file.header);
  file.bytes = memory_for(path, promised);
  std::memcpy(file.bytes.data(), front.data(), front.size());
  const std::size_t found = front.size() + stream.read(file.bytes.data() + front.size(), promised - front.size());
  if (found < promised) refuse_truncated(path, found, promised);
  char extra = 0;
  if (stream.read(&extra, 1) != 0) refuse_trace(path, trailing);
  if (!stream.at_end()) refuse_trace(path, "is truncated: its Zstandard stream has no end");
  return file;
}

void check_digest(const std::string& path, const TraceFile& file) {
  TraceDigest digest;
  digest.add(file.payload(), file.header.payload_bytes);
  digest.add(file.provenance(), file.header.provenance_bytes);
  if (digest.finish(file.header) != file.header.digest) refuse_trace(path, "is damaged: checksum mismatch");
}

}  // namespace

void refuse_trace(const std::string& path, const std::string& what) {
  throw UserError("trace " + path + " " + what + "; build or fetch it again");
}

TraceFile load_trace_file(const std::string& path) {
  TraceFile file = map_file(path);
  const std::span<const char> bytes = file.bytes.bytes();
  if (is_zstd(bytes)) {
    file = decompress(path, file.bytes);
  } else {
    file.header = checked_header(path, bytes);
    const std::size_t promised = promised_bytes(path, file.header);
    if (bytes.size() < promised) refuse_truncated(path, bytes.size(), promised);
    if (bytes.size() > promised) refuse_trace(path, trailing);
  }
  check_digest(path, file);
  return file;
}

bool is_unchanged(const TraceFile& file) {
  if (!file.mapped) return true;
  struct stat now {};
  return ::fstat(file.mapped.get(), &now) == 0 && now.st_size == static_cast<off_t>(file.bytes.bytes().size()) &&
         now.st_mtim.tv_sec == file.modified.tv_sec && now.st_mtim.tv_nsec == file.modified.tv_nsec;
}

}  // namespace slidebench
