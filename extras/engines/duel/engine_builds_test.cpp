// SPDX-License-Identifier: MIT
#include "extras/engines/duel/engine_builds.hpp"

#include <gtest/gtest.h>

#include "harness/base/errors.hpp"

namespace slidebench::duel {
namespace {

using Words = std::vector<std::string>;

TEST(command_words, as_a_shell_splits) {
  EXPECT_EQ(command_words("stockfish"), (Words{"stockfish"}));
  EXPECT_EQ(command_words("  ./engine  --net 0 "), (Words{"./engine", "--net", "0"}));
  EXPECT_EQ(command_words("'my engine' \"a b\" c\\ d"), (Words{"my engine", "a b", "c d"}));
  EXPECT_EQ(command_words("engine ''"), (Words{"engine", ""}));
}

TEST(command_words, what_only_a_shell_can_do) {
  for (const char* command :
       {"", "   ", "''", "'open", "a; b", "a | b", "a > b", "$(reboot)", "`reboot`", "$NOT_A_VARIABLE_THAT_IS_SET"}) {
    EXPECT_THROW(command_words(command), UserError) << command;
  }
}

}  // namespace
}  // namespace slidebench::duel
