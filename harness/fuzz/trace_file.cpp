// SPDX-License-Identifier: MIT
//
// Trace files: refused, or safe to replay. The digest is made to fit, so that what lies behind it is tested too.
#include <cstring>

#include "harness/base/errors.hpp"
#include "harness/fuzz/fuzz_input.hpp"
#include "harness/simulator/trace_info.hpp"
#include "harness/trace/digest.hpp"
#include "harness/trace/reader.hpp"

namespace {

using namespace slidebench;

/// The same file with the digest that a writer would have given it, if its sizes allow that.
std::string with_digest(std::string bytes) {
  FileHeader header;
  if (bytes.size() < sizeof header) return bytes;
  std::memcpy(&header, bytes.data(), sizeof header);
  const std::size_t behind = bytes.size() - sizeof header;
  if (header.payload_bytes > behind || header.provenance_bytes > behind - header.payload_bytes) return bytes;
  TraceDigest digest;
  digest.add(bytes.data() + sizeof header, header.payload_bytes);
  digest.add(bytes.data() + sizeof header + header.payload_bytes, header.provenance_bytes);
  header.digest = digest.finish(header);
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const fuzz::MemoryFile file(with_digest(fuzz::text_of(data, size)));
    const Trace trace = Trace::open(file.path());
    to_text(describe(trace));
  } catch (const UserError&) {
  }
  return 0;
}
