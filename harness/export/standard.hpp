// SPDX-License-Identifier: MIT
//
// The standard library as far as methods use it: declarations for the front end of the exporter, in place of each
// header that they include. It needs no installed library then, and reads methods for any processor.
#pragma once

using uint8_t = __UINT8_TYPE__;
using uint16_t = __UINT16_TYPE__;
using uint32_t = __UINT32_TYPE__;
using uint64_t = __UINT64_TYPE__;
using int64_t = __INT64_TYPE__;

namespace std {

using ::int64_t;
using ::uint16_t;
using ::uint32_t;
using ::uint64_t;
using ::uint8_t;
using size_t = decltype(sizeof(0));

// <array>
template <class T, size_t N>
struct array {
  T elements[N == 0 ? 1 : N];
  constexpr T& operator[](size_t i) { return elements[i]; }
  constexpr const T& operator[](size_t i) const { return elements[i]; }
  constexpr T* begin() { return elements; }
  constexpr T* end() { return elements + N; }
  constexpr const T* begin() const { return elements; }
  constexpr const T* end() const { return elements + N; }
  constexpr size_t size() const { return N; }
  constexpr T* data() { return elements; }
  constexpr const T* data() const { return elements; }
};
template <class T, class... More>
array(T, More...) -> array<T, 1 + sizeof...(More)>;

template <class T>
class initializer_list {
  const T* first_;
  size_t size_;

 public:
  constexpr const T* begin() const { return first_; }
  constexpr const T* end() const { return first_ + size_; }
};

// <bit>
template <class T>
constexpr int popcount(T value) {
  return __builtin_popcountll(value);
}
template <class T>
constexpr int countr_zero(T value) {
  return __builtin_ctzll(value);
}
template <class T>
constexpr int countl_zero(T value) {
  return __builtin_clzll(value) - 8 * static_cast<int>(8 - sizeof(T));
}
template <class T>
constexpr T rotl(T value, int count) {
  return value << count | value >> (8 * sizeof(T) - count);
}
template <class To, class From>
constexpr To bit_cast(const From& from) {
  return __builtin_bit_cast(To, from);
}

// <type_traits>, <concepts>
constexpr bool is_constant_evaluated() { return __builtin_is_constant_evaluated(); }
template <class T>
T&& declval();
template <class F, class... Arguments>
using invoke_result_t = decltype(declval<F>()(declval<Arguments>()...));
template <class A, class B>
concept same_as = __is_same(A, B);
template <class From, class To>
concept convertible_to = __is_convertible_to(From, To);
template <class T, class... Arguments>
concept constructible_from = __is_constructible(T, Arguments...);

// <utility>, <algorithm>
template <class T, T... values>
struct integer_sequence {};
template <size_t... values>
using index_sequence = integer_sequence<size_t, values...>;
template <size_t n>
using make_index_sequence = __make_integer_seq<integer_sequence, size_t, n>;
template <class T>
constexpr const T& max(const T& a, const T& b) {
  return a < b ? b : a;
}
template <class Place, class T>
constexpr Place find(Place first, Place last, const T& value) {
  while (first != last && !(*first == value)) ++first;
  return first;
}

// <cstring>
void* memcpy(void* to, const void* from, size_t bytes);

}  // namespace std
