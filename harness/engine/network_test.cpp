// SPDX-License-Identifier: MIT
#include "harness/engine/network.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "harness/base/errors.hpp"
#include "harness/engine/test_support.hpp"

namespace slidebench::engine {
namespace {

constexpr NetworkShape small{.width = 256, .threats = true};

/// Features without meaning, different for each `salt`.
ActiveFeatures some_features(unsigned salt) {
  ActiveFeatures features;
  for (unsigned i = 0; i < 24; ++i) {
    const auto square = static_cast<std::uint8_t>((i * 7 + salt * 13) % 64);
    features.pieces.add({static_cast<std::uint8_t>((i + salt) % 12), square});
    features.threats.add({static_cast<std::uint8_t>(i % 12), square, static_cast<std::uint8_t>((i + 5) % 12),
                          static_cast<std::uint8_t>((square + 9) % 64)});
  }
  return features;
}

struct Accumulator : LineMemory {
  explicit Accumulator(unsigned width) : LineMemory(width * sizeof(std::int16_t)) {}
  std::int16_t* data() { return as<std::int16_t>(); }
  std::vector<std::int16_t> values() { return {data(), data() + bytes() / sizeof(std::int16_t)}; }
};

TEST(Network, RefusesImpossibleWidthsAndTakesTensOfMegabytesWhenLarge) {
  for (const unsigned width : {0u, 64u, 100u, 1000u, 8320u, 1u << 30}) {
    EXPECT_THROW(network_bytes({.width = width, .threats = false}), UserError) << width;
  }
  EXPECT_NO_THROW(network_bytes({.width = 128, .threats = false}));
  EXPECT_NO_THROW(network_bytes({.width = 8192, .threats = true}));
  const std::size_t pieces = network_bytes({.width = 1024, .threats = false});
  EXPECT_EQ(network_bytes({.width = 1024, .threats = true}) - pieces, std::size_t{64} << 20);
  EXPECT_GT(pieces, std::size_t{24} << 20);
  EXPECT_LT(pieces, std::size_t{25} << 20);
}

TEST(Network, EveryKingSquareHasABucketAndMirrorsShareIt) {
  std::set<unsigned> used;
  for (unsigned king = 0; king < 64; ++king) {
    const unsigned bucket = king_bucket({0, king});
    EXPECT_LT(bucket, king_buckets);
    EXPECT_EQ(bucket, king_bucket({0, king ^ 7}));
    EXPECT_EQ(bucket, king_bucket({1, king ^ 56}));
    used.insert(bucket);
  }
  EXPECT_EQ(used.size(), king_buckets);
  EXPECT_TRUE(same_rows({0, 3}, {0, 3}));
  EXPECT_FALSE(same_rows({0, 3}, {0, 4}));   // d1 and e1: the same bucket, but mirrored
  EXPECT_TRUE(same_rows({0, 33}, {0, 41}));  // b5 and b6
}

TEST(Network, RowsAreSeenFromThePerspective) {
  // White's king on g1 sees a white rook on h1 as black's king on b8 sees a black rook on a8.
  const Perspective white{0, 6};
  const Perspective black{1, 57};
  EXPECT_EQ(piece_row(white, {3, 7}), piece_row(black, {9, 56}));
  EXPECT_EQ(threat_row(white, {3, 7, 6, 55}), threat_row(black, {9, 56, 0, 8}));
  EXPECT_NE(piece_row(white, {3, 7}), piece_row(black, {3, 7}));
  std::set<std::uint32_t> rows;
  for (std::uint8_t piece = 0; piece < 12; ++piece) {
    for (std::uint8_t square = 0; square < 64; ++square) rows.insert(piece_row(white, {piece, square}));
  }
  EXPECT_EQ(rows.size(), 12u * 64);
  EXPECT_LT(*rows.rbegin(), piece_rows);
}

TEST(Network, RefreshSumsTheRows) {
  TestNetwork network(small);
  const Perspective perspective{0, 12};
  const ActiveFeatures features = some_features(2);
  Accumulator sum(small.width);
  network.calls.refresh(network.calls, sum.data(), perspective, features);
  const NetworkWeights& weights = network.calls.weights;
  for (unsigned i = 0; i < small.width; ++i) {
    int expected = weights.start[i];
    for (const PieceFeature& f : features.pieces) {
      expected += weights.piece_rows[std::size_t{piece_row(perspective, f)} * small.width + i];
    }
    for (const ThreatFeature& f : features.threats) {
      expected += weights.threat_rows[std::size_t{threat_row(perspective, f)} * small.width + i];
    }
    ASSERT_EQ(sum.data()[i], expected) << i;
  }
}

/// The layers, one number after the other.
int plain_evaluation(const NetworkWeights& weights, const std::int16_t* own, const std::int16_t* other) {
  const auto clip = [](int value) { return value < 0 ? 0 : (value > 127 ? 127 : value); };
  std::vector<int> first(weights.first_bias, weights.first_bias + first_layer_outputs);
  for (unsigned i = 0; i < 2 * weights.width; ++i) {
    const int input = clip(i < weights.width ? own[i] : other[i - weights.width]);
    for (unsigned j = 0; j < first_layer_outputs; ++j) {
      first[j] += input * weights.first_layer[first_layer_outputs * i + j];
    }
  }
  std::vector<int> second(weights.second_bias, weights.second_bias + second_layer_outputs);
  int output = 0;
  for (unsigned j = 0; j < second_layer_outputs; ++j) {
    for (unsigned i = 0; i < first_layer_outputs; ++i) {
      second[j] += clip(first[i] >> 7) * weights.second_layer[second_layer_outputs * i + j];
    }
    output += clip(second[j] >> 6) * weights.output_layer[j];
  }
  return output >> 7;
}

TEST(Network, EveryInstructionSetGivesThePlainScore) {
  for (const NetworkShape shape : {small, NetworkShape{.width = 384, .threats = false}}) {
    TestNetwork network(shape, 3);
    std::set<int> scores;
    for (unsigned salt = 0; salt < 20; ++salt) {
      ActiveFeatures features = some_features(salt);
      Accumulator own(shape.width);
      Accumulator other(shape.width);
      network.calls.refresh(network.calls, own.data(), {0, salt}, features);
      network.calls.refresh(network.calls, other.data(), {1, 63 - salt}, features);
      const int plain = plain_evaluation(network.calls.weights, own.data(), other.data());
      scores.insert(plain);
      for (unsigned isa = 0; isa <= static_cast<unsigned>(best_network_isa()); ++isa) {
        const NetworkCalls calls = network_calls(shape, network.weights.as<void>(), NetworkIsa{isa});
        EXPECT_EQ(calls.evaluate(calls, own.data(), other.data()), plain) << isa;
        Accumulator again(shape.width);
        calls.refresh(calls, again.data(), {0, salt}, features);
        EXPECT_EQ(again.values(), own.values()) << isa;
      }
    }
    EXPECT_GT(scores.size(), 5u);
  }
}

TEST(Network, ClipsWhateverTheAccumulatorsHold) {
  TestNetwork network(small);
  Accumulator own(small.width);
  Accumulator other(small.width);
  for (unsigned i = 0; i < small.width; ++i) {
    own.data()[i] = static_cast<std::int16_t>(i % 3 == 0 ? 32767 : (i % 3 == 1 ? -32768 : 127));
    other.data()[i] = static_cast<std::int16_t>(static_cast<int>(i) - 128);
  }
  EXPECT_EQ(network.calls.evaluate(network.calls, own.data(), other.data()),
            plain_evaluation(network.calls.weights, own.data(), other.data()));
}

TEST(Network, CountsTheLinesItTouches) {
  TestNetwork network(small);
  const NetworkWeights& weights = network.calls.weights;
  EXPECT_EQ(accumulator_lines(weights), 8u);
  FeatureChange change;
  change.pieces_added.add({0, 28});
  change.pieces_removed.add({0, 12});
  EXPECT_EQ(update_lines(weights, change), 4u * 8);
  for (std::uint8_t i = 0; i < 10; ++i) change.threats.came.add({0, i, 1, 40});
  EXPECT_EQ(update_lines(weights, change), 4u * 8 + 10 * 4);
  EXPECT_EQ(refresh_lines(weights, some_features(1)), 26u * 8 + 24 * 4);

  // No active input: only the later layers. Each group of four inputs then adds a line.
  Accumulator own(small.width);
  Accumulator other(small.width);
  EXPECT_EQ(network.calls.layer_lines(network.calls, own.data(), other.data()), 12u);
  own.data()[5] = 1;
  own.data()[6] = 300;
  other.data()[255] = 5;
  other.data()[0] = -5;
  EXPECT_EQ(network.calls.layer_lines(network.calls, own.data(), other.data()), 14u);
}

}  // namespace
}  // namespace slidebench::engine
