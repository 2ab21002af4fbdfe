// SPDX-License-Identifier: MIT
//
// The network's inner loops, written with vector extensions and compiled once an instruction set: each of the files
// network_<isa>.cpp includes this header and has its own flags. Nothing in here may be shared between them by the
// linker, hence the unnamed namespace and the absence of the standard library.
#pragma once

#include <cstdint>

#include "harness/engine/network.hpp"

namespace slidebench::engine {

/// Numbers of the rows that an accumulator gains and loses.
struct RowNumbers {
  const std::uint32_t* pieces_added;
  const std::uint32_t* pieces_removed;
  const std::uint32_t* threats_added;
  const std::uint32_t* threats_removed;
  unsigned pieces_added_count;
  unsigned pieces_removed_count;
  unsigned threats_added_count;
  unsigned threats_removed_count;
};

/// The inner loops for one instruction set.
struct NetworkKernels {
  void (*add_rows)(const NetworkWeights& weights, const std::int16_t* in, std::int16_t* out, const RowNumbers& rows);
  int (*evaluate)(const NetworkWeights& weights, const std::int16_t* own, const std::int16_t* other);
  unsigned (*layer_lines)(const NetworkWeights& weights, const std::int16_t* own, const std::int16_t* other);
};

extern const NetworkKernels baseline_network_kernels;
extern const NetworkKernels avx2_network_kernels;
extern const NetworkKernels avx512_network_kernels;

inline constexpr unsigned max_network_width = 8192;
inline constexpr unsigned network_width_step = 128;

namespace {

/// Vectors of `bytes` bytes. Spelled out, because GCC 12 takes no attribute that depends on a template parameter.
template <unsigned bytes>
struct Vectors;
template <>
struct Vectors<16> {
  using Words [[gnu::vector_size(16)]] = std::uint16_t;
  using SignedWords [[gnu::vector_size(16)]] = std::int16_t;
  using SignedBytes [[gnu::vector_size(8)]] = std::int8_t;
  using Bytes [[gnu::vector_size(8)]] = std::uint8_t;
};
template <>
struct Vectors<32> {
  using Words [[gnu::vector_size(32)]] = std::uint16_t;
  using SignedWords [[gnu::vector_size(32)]] = std::int16_t;
  using SignedBytes [[gnu::vector_size(16)]] = std::int8_t;
  using Bytes [[gnu::vector_size(16)]] = std::uint8_t;
};
template <>
struct Vectors<64> {
  using Words [[gnu::vector_size(64)]] = std::uint16_t;
  using SignedWords [[gnu::vector_size(64)]] = std::int16_t;
  using SignedBytes [[gnu::vector_size(32)]] = std::int8_t;
  using Bytes [[gnu::vector_size(32)]] = std::uint8_t;
};

/// The loops over vectors of `bytes` bytes.
template <unsigned bytes>
struct VectorLoops {
  using Words = typename Vectors<bytes>::Words;
  using SignedWords = typename Vectors<bytes>::SignedWords;
  using SignedBytes = typename Vectors<bytes>::SignedBytes;
  using Bytes = typename Vectors<bytes>::Bytes;
  using Sums [[gnu::vector_size(64)]] = std::int32_t;
  using LayerRow [[gnu::vector_size(16)]] = std::int8_t;

  static constexpr unsigned words = bytes / 2;                  // numbers a vector
  static constexpr unsigned tile = network_width_step / words;  // vectors a tile

  /// A tile of the accumulator stays in registers while its part of every row streams by. Words are unsigned, so that
  /// wrapping around is defined.
  static void add_rows(const NetworkWeights& w, const std::int16_t* in, std::int16_t* out, const RowNumbers& rows) {
    for (unsigned first = 0; first < w.width; first += network_width_step) {
      Words sums[tile];
      for (unsigned i = 0; i < tile; ++i) __builtin_memcpy(&sums[i], in + first + i * words, bytes);
      add<1>(sums, w, w.piece_rows + first, rows.pieces_added, rows.pieces_added_count);
      add<-1>(sums, w, w.piece_rows + first, rows.pieces_removed, rows.pieces_removed_count);
      if (w.threat_rows != nullptr) {
        add<1>(sums, w, w.threat_rows + first, rows.threats_added, rows.threats_added_count);
        add<-1>(sums, w, w.threat_rows + first, rows.threats_removed, rows.threats_removed_count);
      }
      for (unsigned i = 0; i < tile; ++i) __builtin_memcpy(out + first + i * words, &sums[i], bytes);
    }
  }

  static int evaluate(const NetworkWeights& w, const std::int16_t* own, const std::int16_t* other) {
    alignas(64) std::uint8_t inputs[2 * max_network_width];
    clip(own, w.width, inputs);
    clip(other, w.width, inputs + w.width);

    Sums sums;
    __builtin_memcpy(&sums, w.first_bias, sizeof sums);
    for (unsigned first = 0; first < 2 * w.width; first += 64) {
      for (std::uint64_t active = active_inputs(inputs + first); active != 0; active &= active - 1) {
        const unsigned input = first + static_cast<unsigned>(__builtin_ctzll(active));
        LayerRow row;
        __builtin_memcpy(&row, w.first_layer + first_layer_outputs * input, sizeof row);
        sums += __builtin_convertvector(row, Sums) * static_cast<std::int32_t>(inputs[input]);
      }
    }
    return last_layers(w, sums);
  }

  static unsigned layer_lines(const NetworkWeights& w, const std::int16_t* own, const std::int16_t* other) {
    alignas(64) std::uint8_t inputs[2 * max_network_width];
    clip(own, w.width, inputs);
    clip(other, w.width, inputs + w.width);
    // Bias of the first and of the second layer (1 + 2), weights of the second and of the last (8 + 1).
    unsigned lines = 12;
    for (unsigned first = 0; first < 2 * w.width; first += 4) {  // a line holds the weights of four inputs
      std::uint32_t four = 0;
      __builtin_memcpy(&four, inputs + first, sizeof four);
      lines += four != 0;
    }
    return lines;
  }

 private:
  template <int sign, class Weight>
  static void add(Words* sums, const NetworkWeights& w, const Weight* part, const std::uint32_t* rows, unsigned count) {
    for (unsigned row = 0; row < count; ++row) {
      const Weight* weights = part + static_cast<std::uint64_t>(rows[row]) * w.width;
      for (unsigned i = 0; i < tile; ++i) {
        Words v;
        load(v, weights + i * words);
        sums[i] = sign > 0 ? sums[i] + v : sums[i] - v;
      }
    }
  }

  static void load(Words& v, const std::int16_t* weights) { __builtin_memcpy(&v, weights, sizeof v); }
  static void load(Words& v, const std::int8_t* weights) {
    SignedBytes narrow;
    __builtin_memcpy(&narrow, weights, sizeof narrow);
    v = reinterpret_cast<Words>(__builtin_convertvector(narrow, SignedWords));
  }

  /// An accumulator, each number brought into 0..127.
  static void clip(const std::int16_t* accumulator, unsigned width, std::uint8_t* clipped) {
    for (unsigned i = 0; i < width; i += words) {
      SignedWords v;
      __builtin_memcpy(&v, accumulator + i, sizeof v);
      v &= v > 0;
      const SignedWords below = v < 127;
      v = (v & below) | (127 & ~below);
      const Bytes narrow = __builtin_convertvector(v, Bytes);
      __builtin_memcpy(clipped + i, &narrow, sizeof narrow);
    }
  }

  /// Which of 64 inputs (0..127 each) are not zero. The sum carries into bit 7 of each byte that is not zero, and the
  /// multiplication brings the eight bits 7 side by side.
  static std::uint64_t active_inputs(const std::uint8_t* inputs) {
    std::uint64_t active = 0;
    for (unsigned i = 0; i < 8; ++i) {
      std::uint64_t eight = 0;
      __builtin_memcpy(&eight, inputs + 8 * i, sizeof eight);
      eight = ((eight + 0x7F7F7F7F7F7F7F7F) >> 7) & 0x0101010101010101;
      active |= ((eight * 0x0102040810204080) >> 56) << (8 * i);
    }
    return active;
  }

  static std::int32_t clip_sum(std::int32_t sum, unsigned shift) {
    sum >>= shift;
    return sum < 0 ? 0 : (sum > 127 ? 127 : sum);
  }

  /// 16 -> 32 -> 1. The shifts keep typical sums of random weights within the clipped range.
  static int last_layers(const NetworkWeights& w, const Sums& first) {
    std::int32_t second[second_layer_outputs];
    __builtin_memcpy(second, w.second_bias, sizeof second);
    for (unsigned i = 0; i < first_layer_outputs; ++i) {
      const std::int32_t input = clip_sum(first[i], 7);
      const std::int8_t* weights = w.second_layer + second_layer_outputs * i;
      for (unsigned j = 0; j < second_layer_outputs; ++j) second[j] += input * weights[j];
    }
    std::int32_t output = 0;
    for (unsigned j = 0; j < second_layer_outputs; ++j) output += clip_sum(second[j], 6) * w.output_layer[j];
    return output >> 7;
  }
};

template <unsigned bytes>
constexpr NetworkKernels network_kernels{.add_rows = &VectorLoops<bytes>::add_rows,
                                         .evaluate = &VectorLoops<bytes>::evaluate,
                                         .layer_lines = &VectorLoops<bytes>::layer_lines};

}  // namespace

}  // namespace slidebench::engine
