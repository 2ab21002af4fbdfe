// SPDX-License-Identifier: MIT
//
// The digest of a trace file (see format.hpp for what it covers, and in which order).
#pragma once

#include <xxhash.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#include "harness/trace/format.hpp"

namespace slidebench {

/// XXH3-64 over blocks and provenance as they come, and over the header at last.
class TraceDigest {
 public:
  TraceDigest() : state_(XXH3_createState(), &XXH3_freeState) {
    if (!state_ || XXH3_64bits_reset(state_.get()) != XXH_OK) throw std::bad_alloc();
  }

  void add(const void* data, std::size_t size) { XXH3_64bits_update(state_.get(), data, size); }

  /// The digest, once everything but the header has been added. The digest field of `header` does not count.
  std::uint64_t finish(FileHeader header) {
    header.digest = 0;
    add(&header, sizeof header);
    return XXH3_64bits_digest(state_.get());
  }

 private:
  std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state_;
};

}  // namespace slidebench
