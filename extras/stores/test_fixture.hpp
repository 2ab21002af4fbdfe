// SPDX-License-Identifier: MIT
//
// For tests of stores: one of them, skipped where the machine lacks its instructions.
#pragma once

#include <gtest/gtest.h>

#include "harness/chess/store_check.hpp"

namespace slidebench {

inline bool machine_has([[maybe_unused]] Isa isa) {
#ifdef __x86_64__
  const auto needs = [isa](Isa feature) { return (isa & feature) != Isa::none; };
  if (needs(Isa::avx2) && !__builtin_cpu_supports("avx2")) return false;
  if (needs(Isa::avx512bw) && !__builtin_cpu_supports("avx512bw")) return false;
  if (needs(Isa::avx512vbmi) && !__builtin_cpu_supports("avx512vbmi")) return false;
  if (needs(Isa::avx512vbmi2) && !__builtin_cpu_supports("avx512vbmi2")) return false;
  if (needs(Isa::avx512bitalg) && !__builtin_cpu_supports("avx512bitalg")) return false;
#endif
  return true;
}

template <class S>
class StoreTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!machine_has(S::info.requires_isa)) GTEST_SKIP() << "this machine lacks instructions of " << S::info.id;
    initialise<typename S::Method>();
  }

  static std::string fault() { return check_store(QueriesOfStore<S>::value, 3'000, 1); }
};

}  // namespace slidebench
