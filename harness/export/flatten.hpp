// SPDX-License-Identifier: MIT
//
// A header and all that it includes as one text.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

namespace slidebench {

struct FlatHeader {
  std::set<std::string> standard;  ///< the standard headers that it includes, without brackets
  std::string text;                ///< what remains, each header once, after those that it includes
};

/// `text_of(path)` is the text of a header by the path in its #include; it throws for one that there is not.
FlatHeader flatten(std::string_view path, const std::function<std::string_view(std::string_view)>& text_of);

}  // namespace slidebench
