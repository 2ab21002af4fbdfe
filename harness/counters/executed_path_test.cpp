// SPDX-License-Identifier: MIT
//
// The path of a call whose instructions are written out.
#include "harness/counters/executed_path.hpp"

#include <gtest/gtest.h>

#include "harness/base/errors.hpp"

namespace slidebench {
namespace {

/// Counts down to zero: two instructions a round, and whatever the compiler puts around them, the same for any `times`.
[[gnu::noinline]] void count_down(std::uint64_t times) {
#if defined(__x86_64__)
  asm volatile("1: dec %0\n jnz 1b\n" : "+r"(times) : : "cc");
#else
  asm volatile("1: subs %0, %0, #1\n b.ne 1b\n" : "+r"(times) : : "cc");
#endif
}

[[gnu::noinline]] void another() { asm volatile(""); }

class Path : public testing::Test {
 protected:
  static std::uintptr_t address_of(auto function) { return reinterpret_cast<std::uintptr_t>(function); }
  void SetUp() override {
    try {
      executed_path([] {}, 0);
    } catch (const UserError& error) {
      GTEST_SKIP() << error.what();
    }
  }
};

TEST_F(Path, HasEveryInstructionOnceInCodeAndAsOftenAsExecutedInOrder) {
  const auto path_of = [](std::uint64_t times) {
    return executed_path([times] { count_down(times); }, address_of(&count_down));
  };
  const ExecutedPath few = path_of(5), many = path_of(25);
  EXPECT_EQ(many.order.size() - few.order.size(), 40u);
  EXPECT_EQ(many.code.size(), few.code.size());
  ASSERT_FALSE(few.order.empty());
  EXPECT_EQ(few.order.front(), 0u);
}

TEST_F(Path, IsOfTheFirstCallAlone) {
  const ExecutedPath once = executed_path([] { count_down(3); }, address_of(&count_down));
  const ExecutedPath with_more = executed_path(
      [] {
        another();
        count_down(3);
        another();
        count_down(30);
      },
      address_of(&count_down));
  EXPECT_EQ(with_more.order, once.order);
}

TEST_F(Path, IsEmptyWithoutTheCall) {
  EXPECT_TRUE(executed_path([] { another(); }, address_of(&count_down)).order.empty());
}

}  // namespace
}  // namespace slidebench
