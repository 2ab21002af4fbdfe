// SPDX-License-Identifier: MIT
#include "harness/import/pgn_feed.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "harness/base/errors.hpp"
#include "harness/base/text.hpp"
#include "harness/trace/packed_source.hpp"

namespace slidebench {
namespace {

/// PGN has no zero bytes: looks for them where a text begins.
class TextProbe {
 public:
  explicit TextProbe(std::string name) : name_(std::move(name)) {}

  void check(std::span<const char> text) {
    constexpr std::size_t probe_bytes = 1 << 16;
    if (probed_ >= probe_bytes) return;
    if (std::memchr(text.data(), 0, std::min(text.size(), probe_bytes - probed_)) != nullptr) {
      throw UserError(name_ + " is not PGN text: it has zero bytes; give PGN files, plain or compressed");
    }
    probed_ += text.size();
  }

 private:
  std::string name_;
  std::size_t probed_ = 0;
};

}  // namespace

FedSource PgnFeed::run(const FileHandle& pipe) {
  PackedSource source(
      path_, [this](std::uint64_t bytes) { bytes_read_ += bytes; }, &stopped_);
  TextProbe probe(source_name(path_));
  FedSource fed;
  for (auto text = source.next(); !text.empty() && !fed.cut_short; text = source.next()) {
    probe.check(text);
    const int error = write_all(pipe.get(), text.data(), text.size());
    if (error != 0 && error != EPIPE) {
      throw UserError("cannot feed " + source_name(path_) + " to pgn-extract: " + error_text(error));
    }
    fed.cut_short = error == EPIPE;
  }
  source.skip_rest();
  fed.sha256 = source.sha256();
  fed.bytes = source.bytes();
  return fed;
}

}  // namespace slidebench
