// SPDX-License-Identifier: MIT
//
// The build without PAPI: the same interface, with a source that is always disabled.
#include <utility>

#include "harness/counters/papi_source.hpp"

namespace slidebench {
namespace {

class NoSource final : public EventSource {
 public:
  explicit NoSource(std::string source) : source_(std::move(source)) {}
  std::string name() const override { return source_; }
  OpenedSet open(const std::vector<std::string>&) override { return {nullptr, true, "built without PAPI"}; }

 private:
  std::string source_;
};

}  // namespace

std::unique_ptr<EventSource> papi_source(const std::string&, std::string source) {
  return std::make_unique<NoSource>(std::move(source));
}

std::string papi_version() { return {}; }

}  // namespace slidebench
