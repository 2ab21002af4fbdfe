// SPDX-License-Identifier: MIT
//
// SHA-256 of bytes as they come (FIPS 180-4), by libnettle: the checksum of a trace's sources.
#pragma once

#include <fmt/ranges.h>
#include <nettle/sha2.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace slidebench {

class Sha256 {
 public:
  Sha256() { sha256_init(&state_); }
  void add(const void* data, std::size_t size) { sha256_update(&state_, size, static_cast<const std::uint8_t*>(data)); }

  /// The digest of everything added so far, in lower-case hexadecimal; adding starts anew.
  std::string hex() {
    std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest{};
    sha256_digest(&state_, digest.size(), digest.data());
    return fmt::format("{:02x}", fmt::join(digest, ""));
  }

 private:
  sha256_ctx state_{};
};

}  // namespace slidebench
