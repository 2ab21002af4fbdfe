// SPDX-License-Identifier: MIT
#include "harness/lab/caches/store_forwarding.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "harness/statistics/statistics.hpp"

namespace slidebench {
namespace {

using Clock = std::chrono::steady_clock;
using std::uint32_t, std::uint64_t, std::uint8_t;

constexpr unsigned links = 1 << 14;
constexpr unsigned chains = 21;

alignas(64) std::byte buffer[64];

template <class Link>
double ns_a_link(Link link) {
  std::vector<double> times;
  for (unsigned chain = 0; chain < chains; ++chain) {
    uint64_t value = chain;
    const Clock::time_point start = Clock::now();
    for (unsigned i = 0; i < links; ++i) value = link(value);
    asm volatile("" : "+r"(value));
    times.push_back(std::chrono::duration<double, std::nano>(Clock::now() - start).count() / links);
  }
  std::sort(times.begin(), times.end());
  return quantile(times, 0.25);
}

/// Stores a value of one kind at an offset, and reads another kind back from an offset.
template <class Stored, class Loaded, std::size_t StoreAt, std::size_t LoadAt>
uint64_t through_memory(uint64_t value) {
  const auto stored = static_cast<Stored>(value);
  std::memcpy(buffer + StoreAt, &stored, sizeof stored);
  asm volatile("" : : "r"(buffer) : "memory");  // read and written, as far as the compiler knows
  Loaded loaded;
  std::memcpy(&loaded, buffer + LoadAt, sizeof loaded);
  asm volatile("" : "+r"(loaded));
  return loaded;
}

void add_words(std::vector<ForwardedLoad>& loads) {
  const auto add = [&](const char* name, auto link) { loads.push_back({name, ns_a_link(link)}); };
  add("8 bytes, read as 8", [](uint64_t v) { return through_memory<uint64_t, uint64_t, 0, 0>(v); });
  add("8 bytes, upper 4 read", [](uint64_t v) { return through_memory<uint64_t, uint32_t, 0, 4>(v); });
  add("8 bytes, last one read", [](uint64_t v) { return through_memory<uint64_t, uint8_t, 0, 7>(v); });
  add("1 byte, read as part of 8", [](uint64_t v) { return through_memory<uint8_t, uint64_t, 3, 0>(v); });
}

#if defined(__x86_64__)

// Written out, because a compiler splits a vector that it may not use, and joins words that it may.
// NOLINTBEGIN(bugprone-macro-parentheses): asm takes no text in parentheses.
#define SLIDEBENCH_LINK(text)                                          \
  [](uint64_t value) {                                                 \
    asm volatile(text : "+r"(value) : "r"(buffer) : "xmm0", "memory"); \
    return value;                                                      \
  }
// NOLINTEND(bugprone-macro-parentheses)
#define SLIDEBENCH_STORE_16 "movq %0, %%xmm0\n\tpunpcklqdq %%xmm0, %%xmm0\n\tmovdqu %%xmm0, (%1)\n\t"
#define SLIDEBENCH_STORE_32 "vmovq %0, %%xmm0\n\tvpbroadcastq %%xmm0, %%ymm0\n\tvmovdqu %%ymm0, (%1)\n\tvzeroupper\n\t"
#define SLIDEBENCH_STORE_64 "vpbroadcastq %0, %%zmm0\n\tvmovdqu64 %%zmm0, (%1)\n\tvzeroupper\n\t"

void add_vectors(std::vector<ForwardedLoad>& loads) {
  const auto add = [&](const char* name, auto link) { loads.push_back({name, ns_a_link(link)}); };
  add("16-byte vector, read as one", SLIDEBENCH_LINK(SLIDEBENCH_STORE_16 "movdqu (%1), %%xmm0\n\tmovq %%xmm0, %0"));
  add("16-byte vector, first 8 bytes read", SLIDEBENCH_LINK(SLIDEBENCH_STORE_16 "mov (%1), %0"));
  add("16-byte vector, last 8 bytes read", SLIDEBENCH_LINK(SLIDEBENCH_STORE_16 "mov 8(%1), %0"));
  add("two words, read as a 16-byte vector",
      SLIDEBENCH_LINK("mov %0, (%1)\n\tmov %0, 8(%1)\n\tmovdqu (%1), %%xmm0\n\tmovq %%xmm0, %0"));
  if (__builtin_cpu_supports("avx2")) {
    add("32-byte vector, first 8 bytes read", SLIDEBENCH_LINK(SLIDEBENCH_STORE_32 "mov (%1), %0"));
    add("32-byte vector, last 8 bytes read", SLIDEBENCH_LINK(SLIDEBENCH_STORE_32 "mov 24(%1), %0"));
  }
  if (__builtin_cpu_supports("avx512f")) {
    add("64-byte vector, first 8 bytes read", SLIDEBENCH_LINK(SLIDEBENCH_STORE_64 "mov (%1), %0"));
    add("64-byte vector, last 8 bytes read", SLIDEBENCH_LINK(SLIDEBENCH_STORE_64 "mov 56(%1), %0"));
  }
}

#else
void add_vectors(std::vector<ForwardedLoad>&) {}
#endif

}  // namespace

std::vector<ForwardedLoad> measure_store_forwarding() {
  std::vector<ForwardedLoad> loads;
  add_words(loads);
  add_vectors(loads);
  return loads;
}

}  // namespace slidebench
