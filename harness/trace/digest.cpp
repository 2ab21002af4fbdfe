// SPDX-License-Identifier: MIT
#include "harness/trace/digest.hpp"

#include <xxhash.h>

#include <new>

namespace slidebench {

void TraceDigest::Free::operator()(XXH3_state_s* state) const { XXH3_freeState(state); }

TraceDigest::TraceDigest() : state_(XXH3_createState()) {
  if (!state_ || XXH3_64bits_reset(state_.get()) != XXH_OK) throw std::bad_alloc();
}

void TraceDigest::add(const void* data, std::size_t size) { XXH3_64bits_update(state_.get(), data, size); }

std::uint64_t TraceDigest::finish(FileHeader header) {
  header.digest = 0;
  add(&header, sizeof header);
  return XXH3_64bits_digest(state_.get());
}

}  // namespace slidebench
