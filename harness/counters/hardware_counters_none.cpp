// SPDX-License-Identifier: MIT
//
// The build without PAPI: the same interface, with a source that is always disabled.
#include <memory>

#include "harness/counters/hardware_counters.hpp"

namespace slidebench {
namespace {

class NoSource final : public EventSource {
 public:
  std::string name() const override { return "papi"; }
  OpenedSet open(const std::vector<std::string>&) override { return {nullptr, true, "built without PAPI"}; }
};

}  // namespace

EventCounters open_hardware_counters(const std::vector<Metric>& metrics) {
  return EventCounters::open(std::make_unique<NoSource>(), metrics);
}

std::string papi_version() { return {}; }

}  // namespace slidebench
