// The lookup tables: arrays that a function can return, aligned to cache lines.
#pragma once

#include <cstddef>

namespace slidebench {

template <class T, std::size_t N>
struct alignas(64) Array {
  T data[N] = {};

  constexpr const T& operator[](std::size_t i) const { return data[i]; }
};

}  // namespace slidebench
