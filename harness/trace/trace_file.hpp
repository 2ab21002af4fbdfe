// SPDX-License-Identifier: MIT
//
// The first half of reading a trace: its bytes, in memory, whole and undamaged. What they say is reader.hpp's business.
#pragma once

#include <ctime>
#include <string>

#include "harness/base/memory_map.hpp"
#include "harness/base/posix_file.hpp"
#include "harness/trace/format.hpp"

namespace slidebench {

/// The bytes of a trace file, and its header.
struct TraceFile {
  FileHeader header;
  MemoryMap bytes;    ///< exactly header, payload and provenance
  FileHandle mapped;  ///< the file whose pages `bytes` are; none if they are a copy
  timespec modified{};

  const char* payload() const { return bytes.data() + sizeof(FileHeader); }
  const char* provenance() const { return payload() + header.payload_bytes; }
};

/// Throws UserError: what is wrong with the trace, and to build or fetch it again.
[[noreturn]] void refuse_trace(const std::string& path, const std::string& what);

/// Maps a raw trace, or decompresses a Zstandard one into memory, and checks magic, byte order, version, size and
/// digest, in this order.
/// @throws UserError with the first thing that is wrong
TraceFile load_trace_file(const std::string& path);

/// Whether nobody has written into the file since it was loaded. One that was replaced by another of its name is as it
/// was.
bool is_unchanged(const TraceFile& file);

}  // namespace slidebench
