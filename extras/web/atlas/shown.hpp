// SPDX-License-Identifier: MIT
//
// What the explaining build puts around the expressions of a query (instrument.py): an identity that records the value;
// and around pointers: a layout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace slidebench::atlas {

/// How a value's words are to be read.
enum class Type : std::uint32_t { number = 0, board = 1, vector = 2 };

/// Whether a query is being recorded; the tables are filled, and boards built, without.
inline bool recording = false;

/// Records the value of a place: so many words, at most 8.
void record_value(std::uint32_t place, Type type, std::uint32_t words, const std::uint64_t* value);

/// Integers of 8 to 64 bits, and vectors of 16 to 64 bytes. The others pass unrecorded.
template <class T>
inline constexpr bool is_integer = std::is_integral_v<T> && !std::is_same_v<T, bool>;
template <class T>
inline constexpr bool is_vector = !std::is_class_v<T> && !std::is_scalar_v<T> && sizeof(T) % 16 == 0 && sizeof(T) <= 64;

template <class T>
void record(std::uint32_t place, const T& value) {
  if constexpr (is_integer<T>) {
    const auto word = static_cast<std::uint64_t>(static_cast<std::make_unsigned_t<T>>(value));
    record_value(place, sizeof(T) == 8 ? Type::board : Type::number, 1, &word);
  } else if constexpr (is_vector<T>) {
    std::uint64_t words[sizeof(T) / 8];
    __builtin_memcpy(words, &value, sizeof value);
    record_value(place, Type::vector, sizeof(T) / 8, words);
  }
}

/// The expression itself, once it is recorded: an lvalue stays one.
template <std::uint32_t place, class T>
constexpr T shown(T&& expression) {
  if (!std::is_constant_evaluated() && recording) record(place, expression);
  return static_cast<T&&>(expression);
}

/// A pointer with the size and alignment that it has on x86-64, so that records lie there and here alike.
template <class T>
struct alignas(8) Pointer {
  T address;

  constexpr Pointer() = default;
  constexpr Pointer(T to) : address(to) {}
  constexpr operator T() const { return address; }
};
template <class T>
using Laid = std::conditional_t<std::is_pointer_v<T>, Pointer<T>, T>;

}  // namespace slidebench::atlas
