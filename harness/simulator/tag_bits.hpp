// SPDX-License-Identifier: MIT
//
// A set of tags: a bit for each.
#pragma once

#include <cstddef>
#include <vector>

#include "harness/simulator/lru_list.hpp"

namespace slidebench {

class TagBits {
 public:
  /// Returns whether the tag is new, and remembers it.
  bool add(Tag tag) {
    if (tag >= bits_.size()) bits_.resize(2 * std::size_t{tag} + 1);
    const bool is_new = !bits_[tag];
    bits_[tag] = true;
    return is_new;
  }

  /// Returns whether the tag was there, and forgets it.
  bool take(Tag tag) {
    if (tag >= bits_.size() || !bits_[tag]) return false;
    bits_[tag] = false;
    return true;
  }

 private:
  std::vector<bool> bits_;
};

}  // namespace slidebench
