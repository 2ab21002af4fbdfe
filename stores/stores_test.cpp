// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "methods/calculation/hyperbola.hpp"
#include "methods/rotated/rotated_hyatt.hpp"
#include "stores/ask_anew.hpp"
#include "stores/store_check.hpp"

namespace slidebench {
namespace {

template <class S>
class Store : public testing::Test {};

using Stores = testing::Types<AskAnew<Hyperbola>, AskAnew<RotatedHyatt>, Copied<AskAnew<Hyperbola>>>;
TYPED_TEST_SUITE(Store, Stores);

TYPED_TEST(Store, AnswersAsTheRayWalk) { EXPECT_EQ(check_store(QueriesOfStore<TypeParam>::value, 2'000, 1), ""); }

}  // namespace
}  // namespace slidebench
