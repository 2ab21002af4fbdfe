// SPDX-License-Identifier: MIT
#include <fmt/core.h>
#include <papi.h>

#include <utility>
#include <vector>

#include "harness/counters/hardware_counters.hpp"

namespace slidebench {
namespace {

std::string papi_error(int code) {
  const char* text = PAPI_strerror(code);
  return text ? text : "PAPI error " + std::to_string(code);
}

// Initialises the library, once a process. Empty if that went well, otherwise why not.
const std::string& init_error() {
  static const std::string error = [] {
    const int version = PAPI_library_init(PAPI_VER_CURRENT);
    if (version == PAPI_VER_CURRENT) return std::string();
    if (version > 0) return std::string("the PAPI library is another version than this program was built with");
    return "PAPI does not initialise: " + papi_error(version);
  }();
  return error;
}

// What PAPI says about an event that is not there depends on which component it asked last.
bool is_missing_event(int status) { return status == PAPI_ENOEVNT || status == PAPI_ECMP || status == PAPI_ENOSUPP; }

// What failed with `status` while preparing events of `component`. A disabled component answers PAPI_ECMP_DISABLED for
// presets only, and "no such event" for the rest, so its state is asked for too.
OpenedSet failure(int status, int component) {
  const PAPI_component_info_t* info = PAPI_get_component_info(component);
  const bool disabled = info && info->disabled != PAPI_OK && info->disabled != PAPI_EDELAY_INIT;
  if (disabled || status == PAPI_ECMP_DISABLED) {
    const bool told = info && info->disabled_reason[0] != '\0';
    return {nullptr, true, told ? info->disabled_reason : papi_error(PAPI_ECMP_DISABLED)};
  }
  if (is_missing_event(status)) return {nullptr, false, "not offered by this processor, its kernel or its hypervisor"};
  return {nullptr, false, papi_error(status)};
}

class PapiSet final : public EventSet {
 public:
  PapiSet() = default;
  PapiSet(const PapiSet&) = delete;
  PapiSet& operator=(const PapiSet&) = delete;
  ~PapiSet() override {
    if (set_ == PAPI_NULL) return;
    if (running_) PAPI_stop(set_, nullptr);
    PAPI_cleanup_eventset(set_);
    PAPI_destroy_eventset(&set_);
  }

  // PAPI_OK or the error of the first step that failed.
  int prepare(int component, const std::vector<std::string>& events) {
    // The domain of the component, not of the set: setting that of a set tries out a hardware event on the way
    // (PAPI 7.0) and so refuses even the kernel's own events on a machine without a PMU.
    int status = PAPI_set_cmp_domain(PAPI_DOM_USER, component);
    if (status == PAPI_OK) status = PAPI_create_eventset(&set_);
    if (status == PAPI_OK) status = PAPI_assign_eventset_component(set_, component);
    for (const std::string& event : events) {
      if (status == PAPI_OK) status = PAPI_add_named_event(set_, event.c_str());
    }
    events_ = events.size();
    return status;
  }

  bool start() override {
    running_ = PAPI_start(set_) == PAPI_OK;
    return running_;
  }

  std::optional<std::vector<std::int64_t>> stop() override {
    std::vector<long long> counts(events_, -1);
    const int status = PAPI_stop(set_, counts.data());
    running_ = false;
    if (status != PAPI_OK) return std::nullopt;
    return std::vector<std::int64_t>(counts.begin(), counts.end());
  }

 private:
  int set_ = PAPI_NULL;
  std::size_t events_ = 0;
  bool running_ = false;
};

/// "7.0.0.0".
std::string papi_version() {
  if (!init_error().empty()) return {};
  const int version = PAPI_get_opt(PAPI_LIB_VERSION, nullptr);
  return fmt::format("{}.{}.{}.{}", PAPI_VERSION_MAJOR(version), PAPI_VERSION_MINOR(version),
                     PAPI_VERSION_REVISION(version), PAPI_VERSION_INCREMENT(version));
}

class PapiSource final : public EventSource {
 public:
  std::string name() const override { return "PAPI " + papi_version(); }

  std::vector<std::string> names() const override {
    std::vector<std::string> presets;
    int code = static_cast<int>(PAPI_PRESET_MASK);
    if (!init_error().empty() || PAPI_enum_event(&code, PAPI_ENUM_FIRST) != PAPI_OK) return presets;
    do {
      char text[PAPI_MAX_STR_LEN] = "";
      if (PAPI_event_code_to_name(code, text) == PAPI_OK) presets.emplace_back(text);
    } while (PAPI_enum_event(&code, PAPI_ENUM_EVENTS) == PAPI_OK);
    return presets;
  }

  OpenedSet open(const std::vector<std::string>& events) override {
    if (!init_error().empty()) return {nullptr, true, init_error()};
    const int component = PAPI_get_component_index("perf_event");
    if (component < 0) return {nullptr, true, "PAPI was built without its component perf_event"};
    auto set = std::make_unique<PapiSet>();
    const int status = set->prepare(component, events);
    if (status != PAPI_OK) return failure(status, component);
    return {std::move(set), false, ""};
  }
};

}  // namespace

std::unique_ptr<EventSource> papi_source() { return std::make_unique<PapiSource>(); }

}  // namespace slidebench
