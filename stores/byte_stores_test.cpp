// SPDX-License-Identifier: MIT
//
// Every store of bytes that the flags of this file and the machine allow.
#include <gtest/gtest.h>

#include "methods/calculation/hyperbola.hpp"
#include "stores/attack_table.hpp"
#include "stores/byte_rays.hpp"
#include "stores/store_check.hpp"
#ifdef __AVX2__
#include "stores/attack_table_avx2.hpp"
#include "stores/byte_rays_avx2.hpp"
#endif
#if defined(__AVX512VBMI__) && defined(__AVX512VBMI2__)
#include "stores/byte_rays_avx512.hpp"
#ifdef __AVX512BITALG__
#include "stores/attack_table_avx512.hpp"
#endif
#endif

#ifdef __aarch64__
#include "stores/byte_rays_neon.hpp"
#endif

namespace slidebench {
namespace {

bool machine_has([[maybe_unused]] Isa isa) {
#ifdef __x86_64__
  const auto needs = [isa](Isa feature) { return (isa & feature) != Isa::none; };
  if (needs(Isa::avx2) && !__builtin_cpu_supports("avx2")) return false;
  if (needs(Isa::avx512bw) && !__builtin_cpu_supports("avx512bw")) return false;
  if (needs(Isa::avx512vbmi) && !__builtin_cpu_supports("avx512vbmi2")) return false;
  if (needs(Isa::avx512bitalg) && !__builtin_cpu_supports("avx512bitalg")) return false;
#endif
  return true;
}

template <class S>
class ByteStoreTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!machine_has(S::info.requires_isa)) GTEST_SKIP() << "this machine lacks instructions of " << S::info.id;
  }
};

using Stores = testing::Types<
#ifdef __aarch64__
    ByteRaysNeon<Hyperbola>, Copied<ByteRaysNeon<Hyperbola>>,
#endif
#ifdef __AVX2__
    ByteRaysAvx2<Hyperbola>, Copied<ByteRaysAvx2<Hyperbola>>, AttackTableAvx2<Hyperbola>,
    Copied<AttackTableAvx2<Hyperbola>>,
#endif
#if defined(__AVX512VBMI__) && defined(__AVX512VBMI2__)
    ByteRaysAvx512<Hyperbola>, Copied<ByteRaysAvx512<Hyperbola>>,
#ifdef __AVX512BITALG__
    AttackTableAvx512<Hyperbola>, Copied<AttackTableAvx512<Hyperbola>>,
#endif
#endif
    ByteRays<Hyperbola>, Copied<ByteRays<Hyperbola>>, AttackTable<Hyperbola>, Copied<AttackTable<Hyperbola>>>;
TYPED_TEST_SUITE(ByteStoreTest, Stores);

TYPED_TEST(ByteStoreTest, AnswersAsTheRayWalk) {
  EXPECT_EQ(check_store(QueriesOfStore<TypeParam>::value, 3'000, 1), "");
}

}  // namespace
}  // namespace slidebench
