// SPDX-License-Identifier: MIT
//
// Every store of bytes that the flags of this file and the machine allow.
#include "extras/stores/attack_table.hpp"
#include "extras/stores/byte_rays.hpp"
#include "extras/stores/test_fixture.hpp"
#include "methods/calculation/hyperbola.hpp"
#ifdef __AVX2__
#include "extras/stores/attack_table_avx2.hpp"
#include "extras/stores/byte_rays_avx2.hpp"
#endif
#if defined(__AVX512VBMI__) && defined(__AVX512VBMI2__)
#include "extras/stores/byte_rays_avx512.hpp"
#ifdef __AVX512BITALG__
#include "extras/stores/attack_table_avx512.hpp"
#endif
#endif

#ifdef __aarch64__
#include "extras/stores/byte_rays_neon.hpp"
#endif

namespace slidebench {
namespace {

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
template <class S>
class ByteStoreTest : public StoreTest<S> {};
TYPED_TEST_SUITE(ByteStoreTest, Stores);

TYPED_TEST(ByteStoreTest, AnswersAsTheRayWalk) { EXPECT_EQ(this->fault(), ""); }

}  // namespace
}  // namespace slidebench
