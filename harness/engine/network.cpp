// SPDX-License-Identifier: MIT
#include "harness/engine/network.hpp"

#include <cstring>
#include <string>

#include "harness/base/errors.hpp"
#include "harness/engine/network_kernels.hpp"
#include "harness/engine/zobrist.hpp"

namespace slidebench::engine {

namespace {

/// Where the parts of a network lie in its memory, in bytes.
struct NetworkLayout {
  std::size_t piece_rows = 0;
  std::size_t threat_rows = 0;
  std::size_t start = 0;
  std::size_t first_layer = 0;
  std::size_t first_bias = 0;
  std::size_t second_layer = 0;
  std::size_t second_bias = 0;
  std::size_t output_layer = 0;
  std::size_t bytes = 0;
};

NetworkLayout layout_of(NetworkShape shape) {
  const std::size_t width = shape.width;
  if (width == 0 || width % network_width_step != 0 || width > max_network_width) {
    throw UserError("a network cannot be " + std::to_string(width) + " wide: its width is a multiple of " +
                    std::to_string(network_width_step) + " up to " + std::to_string(max_network_width));
  }
  NetworkLayout layout;
  const auto place = [&layout](std::size_t bytes) {
    const std::size_t offset = layout.bytes;
    layout.bytes += (bytes + 63) / 64 * 64;
    return offset;
  };
  layout.piece_rows = place(std::size_t{engine::piece_rows} * width * sizeof(std::int16_t));
  layout.threat_rows = place(shape.threats ? std::size_t{engine::threat_rows} * width : 0);
  layout.start = place(width * sizeof(std::int16_t));
  layout.first_layer = place(2 * width * first_layer_outputs);
  layout.first_bias = place(first_layer_outputs * sizeof(std::int32_t));
  layout.second_layer = place(first_layer_outputs * second_layer_outputs);
  layout.second_bias = place(second_layer_outputs * sizeof(std::int32_t));
  layout.output_layer = place(second_layer_outputs);
  return layout;
}

/// Pseudo-random weights, uniform, eight from each word of SplitMix64.
class WeightSource {
 public:
  explicit WeightSource(std::uint64_t seed) : state_(seed) {}

  /// Fills `count` numbers with -2^(bits-1) to 2^(bits-1) - 1. Preconditions: count % 8 == 0, bits <= 8.
  template <class Weight>
  void fill(Weight* weights, std::size_t count, unsigned bits) {
    const int half = 1 << (bits - 1);
    for (std::size_t i = 0; i < count; i += 8) {
      std::uint64_t word = split_mix(state_);
      for (std::size_t j = 0; j < 8; ++j, word >>= 8) {
        weights[i + j] = static_cast<Weight>(static_cast<int>(word & ((1u << bits) - 1)) - half);
      }
    }
  }

 private:
  std::uint64_t state_;
};

/// The sum of a few dozen piece rows (standard deviation 18.5 each) spreads by about 100. An accumulator that begins
/// this far below zero leaves one input in twelve active.
constexpr std::int16_t accumulator_start = -140;

template <class List, class Row>
unsigned number_rows(const List& features, Perspective perspective, std::uint32_t* rows, Row row_of) {
  for (unsigned i = 0; i < features.count; ++i) rows[i] = row_of(perspective, features.items[i]);
  return features.count;
}

void update(const NetworkCalls& network, const std::int16_t* in, std::int16_t* out, Perspective perspective,
            const FeatureChange& change) {
  std::uint32_t pieces_added[2];
  std::uint32_t pieces_removed[2];
  std::uint32_t threats_added[ThreatChange::most];
  std::uint32_t threats_removed[ThreatChange::most];
  const RowNumbers rows{
      .pieces_added = pieces_added,
      .pieces_removed = pieces_removed,
      .threats_added = threats_added,
      .threats_removed = threats_removed,
      .pieces_added_count = number_rows(change.pieces_added, perspective, pieces_added, piece_row),
      .pieces_removed_count = number_rows(change.pieces_removed, perspective, pieces_removed, piece_row),
      .threats_added_count = number_rows(change.threats.came, perspective, threats_added, threat_row),
      .threats_removed_count = number_rows(change.threats.went, perspective, threats_removed, threat_row)};
  network.kernels->add_rows(network.weights, in, out, rows);
}

void refresh(const NetworkCalls& network, std::int16_t* out, Perspective perspective, const ActiveFeatures& features) {
  std::uint32_t pieces[32];
  std::uint32_t threats[256];
  const RowNumbers rows{.pieces_added = pieces,
                        .pieces_removed = nullptr,
                        .threats_added = threats,
                        .threats_removed = nullptr,
                        .pieces_added_count = number_rows(features.pieces, perspective, pieces, piece_row),
                        .pieces_removed_count = 0,
                        .threats_added_count = number_rows(features.threats, perspective, threats, threat_row),
                        .threats_removed_count = 0};
  network.kernels->add_rows(network.weights, network.weights.start, out, rows);
}

int evaluate(const NetworkCalls& network, const std::int16_t* own, const std::int16_t* other) {
  return network.kernels->evaluate(network.weights, own, other);
}

unsigned layer_lines(const NetworkCalls& network, const std::int16_t* own, const std::int16_t* other) {
  return network.kernels->layer_lines(network.weights, own, other);
}

#if defined(__x86_64__)
bool cpu_runs(NetworkIsa isa) {
  switch (isa) {
    case NetworkIsa::baseline: return true;
    case NetworkIsa::avx2: return __builtin_cpu_supports("avx2") != 0;
    case NetworkIsa::avx512: return __builtin_cpu_supports("avx512bw") != 0;
  }
  return false;
}

const NetworkKernels* kernels_for(NetworkIsa isa) {
  switch (isa) {
    case NetworkIsa::avx2: return &avx2_network_kernels;
    case NetworkIsa::avx512: return &avx512_network_kernels;
    case NetworkIsa::baseline: break;
  }
  return &baseline_network_kernels;
}
#else
bool cpu_runs(NetworkIsa isa) { return isa == NetworkIsa::baseline; }
const NetworkKernels* kernels_for(NetworkIsa) { return &baseline_network_kernels; }
#endif

}  // namespace

std::size_t network_bytes(NetworkShape shape) { return layout_of(shape).bytes; }

void fill_network(NetworkShape shape, std::uint64_t seed, void* memory) {
  const NetworkLayout layout = layout_of(shape);
  auto* const base = static_cast<std::byte*>(memory);
  const auto words = [base](std::size_t offset) { return reinterpret_cast<std::int16_t*>(base + offset); };
  const auto bytes = [base](std::size_t offset) { return reinterpret_cast<std::int8_t*>(base + offset); };
  const std::size_t width = shape.width;
  WeightSource source(seed);
  source.fill(words(layout.piece_rows), std::size_t{piece_rows} * width, 6);
  source.fill(bytes(layout.first_layer), 2 * width * first_layer_outputs, 6);
  source.fill(bytes(layout.second_layer), first_layer_outputs * second_layer_outputs, 6);
  source.fill(bytes(layout.output_layer), second_layer_outputs, 6);
  if (shape.threats) source.fill(bytes(layout.threat_rows), std::size_t{threat_rows} * width, 4);
  for (std::size_t i = 0; i < width; ++i) words(layout.start)[i] = accumulator_start;
  std::memset(base + layout.first_bias, 0, first_layer_outputs * sizeof(std::int32_t));
  std::memset(base + layout.second_bias, 0, second_layer_outputs * sizeof(std::int32_t));
}

NetworkIsa best_network_isa() {
  if (cpu_runs(NetworkIsa::avx512)) return NetworkIsa::avx512;
  return cpu_runs(NetworkIsa::avx2) ? NetworkIsa::avx2 : NetworkIsa::baseline;
}

NetworkCalls network_calls(NetworkShape shape, const void* memory, NetworkIsa isa) {
  if (!cpu_runs(isa)) throw UserError("this CPU lacks the instructions of the chosen network code: choose another");
  const NetworkLayout layout = layout_of(shape);
  const auto* const base = static_cast<const std::byte*>(memory);
  const auto bytes = [base](std::size_t offset) { return reinterpret_cast<const std::int8_t*>(base + offset); };
  const auto words = [base](std::size_t offset) { return reinterpret_cast<const std::int16_t*>(base + offset); };
  const auto sums = [base](std::size_t offset) { return reinterpret_cast<const std::int32_t*>(base + offset); };
  return {.weights = {.width = shape.width,
                      .piece_rows = words(layout.piece_rows),
                      .threat_rows = shape.threats ? bytes(layout.threat_rows) : nullptr,
                      .start = words(layout.start),
                      .first_layer = bytes(layout.first_layer),
                      .first_bias = sums(layout.first_bias),
                      .second_layer = bytes(layout.second_layer),
                      .second_bias = sums(layout.second_bias),
                      .output_layer = bytes(layout.output_layer)},
          .kernels = kernels_for(isa),
          .update = &update,
          .refresh = &refresh,
          .evaluate = &evaluate,
          .layer_lines = &layer_lines};
}

}  // namespace slidebench::engine
