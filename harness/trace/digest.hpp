// SPDX-License-Identifier: MIT
//
// The digest of a trace file (see format.hpp for what it covers, and in which order).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "harness/trace/format.hpp"

struct XXH3_state_s;

namespace slidebench {

/// XXH3-64 over blocks and provenance as they come, and over the header at last.
class TraceDigest {
 public:
  TraceDigest();

  void add(const void* data, std::size_t size);

  /// The digest, once everything but the header has been added. The digest field of `header` does not count.
  std::uint64_t finish(FileHeader header);

 private:
  struct Free {
    void operator()(XXH3_state_s* state) const;
  };
  std::unique_ptr<XXH3_state_s, Free> state_;
};

}  // namespace slidebench
