// SPDX-License-Identifier: MIT
//
// A binary neural network: whether a square is attacked is a vote of 32 neurons, each of which only counts bits.
//
// A neuron of a binary network has weights of one bit, and multiplies by XOR: it counts the inputs that differ from its
// weights, and fires if they are fewer than four of eight. A square is attacked if more than 16 of its 32 neurons fire.
// All of them see the same byte: which of the (at most six) inner squares of the line are occupied, and zeros.
//
//      input     PEXT of the line                      0 0 f e d c b a
//      fires     popcount(input ^ weights) < 4         32 at once: XOR, two table look-ups (PSHUFB), ADD, compare
//      attacked  neurons that fire > 16                move the signs to a register, POPCNT
//
// What has to be learnt: a piece between the slider and this square must silence the majority, all others on the line
// must not matter. The weights are not trained here but made, and one can see why they are right. Those of the squares
// between are 0, so that a piece there is a difference more, to every neuron. Those of the k others go through all
// their 2^k patterns: whatever stands there, every number of differences is met equally often, and the vote is the
// same. The inputs that are always 0 set the threshold: with a weight of 1 they are a difference that is always there,
// and with 3 - (k + 1) / 2 of these the first piece between turns the majority.
//
// Neighbours of the slider are always attacked and need no neurons.
//
// Inventor: Daniel Infuehr (Chess_Movegen, February 2022), who trained a network for each square and piece: the same
// neurons and votes, on the occupancy of both lines. One line at a time, and weights that are made, are this project's.
// Source: https://github.com/Gigantua/Chess_Movegen (BinaryNeuralNetwork).
//
// Tables: 1,036 squares x 32 weights = 33,152, and 64 x 4 records x 32 bytes = 8,192; 41,344 bytes.
// Loads: 2 records, and 32 bytes a square that is not a neighbour: 5.7 for a bishop on average, 10.5 for a rook.
#pragma once

#ifndef __AVX2__
#error "binary_network needs AVX2: compile for x86-64-v3 or with -mavx2 -mbmi2"
#endif

#include <immintrin.h>

#include "methods/method.hpp"
#include "methods/pext/bit_permute.hpp"

namespace slidebench {

/// The weights of the 32 neurons of one square of one line.
struct alignas(32) NeuronWeights {
  std::uint8_t of_neuron[32];
};

/// The squares whose numbers are between those of s and t: of a line through both, the ones between them.
constexpr Bitboard between_numbers(Square s, Square t) {
  return (bit(s < t ? t : s) - 1) & ~(2 * bit(s < t ? s : t) - 1);
}

/// Neurons that fire in their majority if none of the inputs is 1 that are `between`.
constexpr NeuronWeights weights_for(Bitboard inputs, Bitboard between) {
  const auto size = static_cast<unsigned>(std::popcount(inputs));
  unsigned behind = 0;  // the other inputs, as bits of the byte that the neurons see
  for (unsigned i = 0; inputs != 0; ++i) behind |= static_cast<unsigned>((~between >> pop_lowest(inputs)) & 1) << i;
  const unsigned zeros = 8 - size;
  const unsigned wanted = 3 - (static_cast<unsigned>(std::popcount(behind)) + 1) / 2;
  const unsigned always_different = (0xFF00u >> (wanted < zeros ? wanted : zeros)) & 0xFFu;
  NeuronWeights weights{};
  unsigned pattern = 0;
  for (unsigned neuron = 0; neuron < 32; ++neuron) {
    // With all six squares between there is a zero too few. There each neuron errs about one of the squares, by turns.
    const unsigned error = wanted > zeros ? 1u << (neuron % size) : 0;
    weights.of_neuron[neuron] = static_cast<std::uint8_t>(always_different | pattern | error);
    pattern = (pattern - behind) & behind;
  }
  return weights;
}

struct BinaryNetwork {
  static constexpr MethodInfo info{.id = "binary_network",
                                   .title = "Binary neural network",
                                   .family = "calculation",
                                   .inventor = "D. Infuehr",
                                   .year = 2022,
                                   .reference = "https://github.com/Gigantua/Chess_Movegen",
                                   .requires_isa = Isa::avx2 | Isa::bmi2 | Isa::popcnt};

  static Bitboard bishop(Square s, Bitboard occupied) {
    return line_attacks(layers[4 * s], occupied) | line_attacks(layers[4 * s + 1], occupied);
  }

  static Bitboard rook(Square s, Bitboard occupied) {
    return line_attacks(layers[4 * s + 2], occupied) | line_attacks(layers[4 * s + 3], occupied);
  }

 private:
  /// The network of one line of one square.
  struct Layer {
    Bitboard inputs;      ///< the line's inner squares without the slider's
    Bitboard neighbours;  ///< of the slider, on the line: always attacked
    Bitboard outputs;     ///< the other squares of the line
    std::uint32_t first;  ///< the weights of the lowest output; those of the next one follow
    std::uint32_t count;  ///< of outputs
  };

  static constexpr std::size_t output_count = 364 + 672;

  /// Element 4 * square + line: diagonal, antidiagonal, file, rank.
  static constexpr Table<Layer, 64 * 4> layers = [] {
    Table<Layer, 64 * 4> table;
    std::uint32_t first = 0;
    for (unsigned i = 0; i < 64 * 4; ++i) {
      const Square s = i / 4;
      constexpr Direction up[] = {Direction::northeast, Direction::northwest, Direction::north, Direction::east};
      constexpr Direction down[] = {Direction::southwest, Direction::southeast, Direction::south, Direction::west};
      const Bitboard line = ray(up[i % 4], s) | ray(down[i % 4], s);
      const Bitboard neighbours = step(bit(s), up[i % 4]) | step(bit(s), down[i % 4]);
      const Bitboard outputs = line & ~neighbours;
      const auto count = static_cast<std::uint32_t>(std::popcount(outputs));
      table.data[i] = {relevant_ray(up[i % 4], s) | relevant_ray(down[i % 4], s), neighbours, outputs, first, count};
      first += count;
    }
    return table;
  }();

  static constexpr Table<NeuronWeights, output_count> weights = [] {
    Table<NeuronWeights, output_count> table;
    for (unsigned i = 0; i < 64 * 4; ++i) {
      const Layer& layer = layers.data[i];
      std::uint32_t next = layer.first;
      for (Bitboard outputs = layer.outputs; outputs != 0; ++next) {
        table.data[next] = weights_for(layer.inputs, between_numbers(i / 4, pop_lowest(outputs)));
      }
    }
    return table;
  }();

  static Bitboard line_attacks(const Layer& layer, Bitboard occupied) {
    const __m256i input = _mm256_set1_epi8(static_cast<char>(extract_bits(occupied, layer.inputs)));
    Bitboard attacked = 0;
    for (unsigned i = 0; i < layer.count; ++i) {
      attacked |= Bitboard{votes(_mm256_xor_si256(input, weights.load256(layer.first + i))) > 16} << i;
    }
    return layer.neighbours | deposit_bits(attacked, layer.outputs);
  }

  /// How many of the 32 bytes have fewer than four bits.
  static unsigned votes(__m256i differences) {
    const __m256i half = _mm256_set1_epi8(0x0F);
    const __m256i low = bits_of_halves(_mm256_and_si256(differences, half));
    const __m256i high = bits_of_halves(_mm256_and_si256(_mm256_srli_epi16(differences, 4), half));
    const __m256i fires = _mm256_cmpgt_epi8(_mm256_set1_epi8(4), _mm256_add_epi8(low, high));
    return static_cast<unsigned>(std::popcount(static_cast<std::uint32_t>(_mm256_movemask_epi8(fires))));
  }

  /// How many bits each byte has. Precondition: bytes < 16.
  static __m256i bits_of_halves(__m256i bytes) {
    const __m128i counts = _mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(counts), bytes);
  }

 public:
  static constexpr std::array tables{table_info("weights", weights), table_info("layers", layers)};
};

}  // namespace slidebench
