// SPDX-License-Identifier: MIT
//
// The build without PAPI: the same interface, with a source that is always disabled.
#include "harness/counters/hardware_counters.hpp"

namespace slidebench {
namespace {

class NoSource final : public EventSource {
 public:
  std::string name() const override { return "PAPI"; }
  std::vector<std::string> names() const override { return {}; }
  OpenedSet open(const std::vector<std::string>&) override { return {nullptr, true, "built without PAPI"}; }
};

}  // namespace

std::unique_ptr<EventSource> papi_source() { return std::make_unique<NoSource>(); }

}  // namespace slidebench
