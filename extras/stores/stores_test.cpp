// SPDX-License-Identifier: MIT
#include "extras/stores/test_fixture.hpp"
#include "harness/chess/ask_anew.hpp"
#include "methods/calculation/hyperbola.hpp"
#include "methods/rotated/rotated_hyatt.hpp"

namespace slidebench {
namespace {

using Stores = testing::Types<AskAnew<Hyperbola>, AskAnew<RotatedHyatt>, Copied<AskAnew<Hyperbola>>>;
template <class S>
class AskAnewTest : public StoreTest<S> {};
TYPED_TEST_SUITE(AskAnewTest, Stores);

TYPED_TEST(AskAnewTest, AnswersAsTheRayWalk) { EXPECT_EQ(this->fault(), ""); }

}  // namespace
}  // namespace slidebench
