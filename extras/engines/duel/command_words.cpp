// SPDX-License-Identifier: MIT
#include "extras/engines/duel/command_words.hpp"

#include <wordexp.h>

#include "harness/base/errors.hpp"

namespace slidebench::duel {
namespace {

std::string reason(int error) {
  switch (error) {
    case WRDE_BADCHAR: return "one of | & ; < > ( ) { } stands outside quotes; write such a command into a script";
    case WRDE_BADVAL: return "a variable in it is not set";
    case WRDE_CMDSUB: return "a command inside it is not carried out";
    case WRDE_SYNTAX: return "a quote or bracket is not closed";
    default: return "it cannot be split into words";
  }
}

}  // namespace

std::vector<std::string> command_words(const std::string& command) {
  wordexp_t expanded{};
  const int error = wordexp(command.c_str(), &expanded, WRDE_NOCMD | WRDE_UNDEF);
  std::vector<std::string> words;
  if (error == 0) words.assign(expanded.we_wordv, expanded.we_wordv + expanded.we_wordc);
  if (error == 0 || error == WRDE_NOSPACE) wordfree(&expanded);
  if (error != 0) throw UserError("engine '" + command + "': " + reason(error));
  if (words.empty() || words.front().empty()) throw UserError("engine '" + command + "': no program is named");
  return words;
}

}  // namespace slidebench::duel
