// SPDX-License-Identifier: MIT
#include "harness/counters/perf_source.hpp"

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>
#include <utility>

namespace slidebench {
namespace {

struct KernelEvent {
  std::string_view name;
  std::uint32_t type;
  std::uint64_t config;
};

constexpr std::uint64_t read_misses_of(std::uint64_t cache) {
  return cache | PERF_COUNT_HW_CACHE_OP_READ << 8 | PERF_COUNT_HW_CACHE_RESULT_MISS << 16;
}

constexpr auto kernel_events = std::to_array<KernelEvent>({
    {"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    {"branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
    {"branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
    {"stalled-cycles-frontend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND},
    {"stalled-cycles-backend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND},
    {"L1-dcache-load-misses", PERF_TYPE_HW_CACHE, read_misses_of(PERF_COUNT_HW_CACHE_L1D)},
    {"LLC-load-misses", PERF_TYPE_HW_CACHE, read_misses_of(PERF_COUNT_HW_CACHE_LL)},
    {"dTLB-load-misses", PERF_TYPE_HW_CACHE, read_misses_of(PERF_COUNT_HW_CACHE_DTLB)},
    {"page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
});

bool has_line(const std::string& text, const std::string& start, const std::string& word) {
  const std::size_t at = text.find(start);
  return at != std::string::npos && text.substr(at, text.find('\n', at) - at).find(word) != std::string::npos;
}

/// Why a permission is missing, and what gives it.
std::string not_permitted(PerfKernel& kernel) {
  const std::string level = kernel.text_of("/proc/sys/kernel/perf_event_paranoid");
  const int paranoid = std::atoi(level.c_str());
  if (paranoid > 2)
    return "kernel.perf_event_paranoid is " + std::to_string(paranoid) +
           ", which lets nobody but root count; sudo sysctl kernel.perf_event_paranoid=2";
  if (has_line(kernel.text_of("/proc/self/status"), "Seccomp:", "2"))
    return "a seccomp filter forbids perf_event_open, as in a container; start it with --security-opt "
           "seccomp=unconfined or --cap-add PERFMON";
  return "the kernel permits no perf_event_open, although kernel.perf_event_paranoid is " + std::to_string(paranoid) +
         "; a container needs --cap-add PERFMON";
}

/// Why the kernel did not open an event.
std::string refusal(int error, const KernelEvent& event, PerfKernel& kernel) {
  switch (error) {
    case EACCES:
    case EPERM: return not_permitted(kernel);
    case ENOSYS: return "the kernel was built without perf events, or a seccomp filter hides them";
    case ENOENT:
    case ENODEV:
    case EOPNOTSUPP:
      if (has_line(kernel.text_of("/proc/cpuinfo"), "flags", " hypervisor"))
        return "the host of this virtual machine gives it no PMU, or only a part of one";
      return "the kernel does not count " + std::string(event.name) + " on this processor";
    case EMFILE: return "too many files are open; ulimit -n has the limit";
    default: return std::string("perf_event_open: ") + std::strerror(error);
  }
}

class PerfSet final : public EventSet {
 public:
  explicit PerfSet(std::shared_ptr<PerfKernel> kernel) : kernel_(std::move(kernel)) {}
  PerfSet(const PerfSet&) = delete;
  PerfSet& operator=(const PerfSet&) = delete;
  ~PerfSet() override {
    for (const int descriptor : descriptors_) kernel_->close(descriptor);
  }

  /// 0, or the error.
  int add(const KernelEvent& event) {
    const int descriptor = kernel_->open(event.type, event.config, descriptors_.empty() ? -1 : descriptors_.front());
    if (descriptor < 0) return -descriptor;
    descriptors_.push_back(descriptor);
    return 0;
  }

  bool start() override { return kernel_->start(descriptors_.front()); }

  std::optional<std::vector<std::int64_t>> stop() override {
    if (!kernel_->stop(descriptors_.front())) return std::nullopt;
    std::vector<std::uint64_t> read(3 + descriptors_.size());
    const std::size_t bytes = read.size() * sizeof(std::uint64_t);
    // A pinned group that found no room on the PMU reads as the end of a file.
    if (kernel_->read(descriptors_.front(), read.data(), bytes) != static_cast<long>(bytes)) return std::nullopt;
    const std::uint64_t enabled = read[1], running = read[2];
    if (running < enabled) return std::nullopt;
    return std::vector<std::int64_t>(read.begin() + 3, read.end());
  }

 private:
  std::shared_ptr<PerfKernel> kernel_;
  std::vector<int> descriptors_;  // the leader first
};

class PerfSource final : public EventSource {
 public:
  explicit PerfSource(std::shared_ptr<PerfKernel> kernel) : kernel_(std::move(kernel)) {}

  std::string name() const override { return "the kernel"; }

  std::vector<std::string> names() const override {
    std::vector<std::string> all;
    for (const KernelEvent& event : kernel_events) all.emplace_back(event.name);
    return all;
  }

  OpenedSet open(const std::vector<std::string>& events) override {
    auto set = std::make_unique<PerfSet>(kernel_);
    for (const std::string& name : events) {
      const auto event = std::ranges::find(kernel_events, name, &KernelEvent::name);
      if (event == kernel_events.end()) return {nullptr, false, ""};  // another source's
      const int error = set->add(*event);
      if (error != 0) return {nullptr, false, refusal(error, *event, *kernel_)};
    }
    return {std::move(set), false, ""};
  }

 private:
  std::shared_ptr<PerfKernel> kernel_;
};

}  // namespace

int PerfKernel::open(std::uint32_t type, std::uint64_t config, int leader) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = type;
  attributes.config = config;
  attributes.disabled = leader < 0;
  attributes.pinned = leader < 0;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  attributes.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  const long opened = syscall(SYS_perf_event_open, &attributes, 0, -1, leader, PERF_FLAG_FD_CLOEXEC);
  return opened < 0 ? -errno : static_cast<int>(opened);
}

bool PerfKernel::start(int leader) {
  return ioctl(leader, PERF_EVENT_IOC_RESET, PERF_IOC_FLAG_GROUP) == 0 &&
         ioctl(leader, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP) == 0;
}

bool PerfKernel::stop(int leader) { return ioctl(leader, PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP) == 0; }

long PerfKernel::read(int leader, std::uint64_t* to, std::size_t bytes) { return ::read(leader, to, bytes); }

void PerfKernel::close(int descriptor) { ::close(descriptor); }

std::string PerfKernel::text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::unique_ptr<EventSource> perf_source(std::shared_ptr<PerfKernel> kernel) {
  return std::make_unique<PerfSource>(std::move(kernel));
}

}  // namespace slidebench
