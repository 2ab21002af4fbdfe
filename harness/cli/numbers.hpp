// SPDX-License-Identifier: MIT
//
// The kinds of numbers that options take. Each has a name and a range, which help and refusals show: CLI11 by itself
// makes large numbers of negative ones, and takes what is none.
#pragma once

#include <cstdint>

namespace CLI {
class Option;
}

namespace slidebench {

/// Bounds that several commands share; of most_counted, where nothing else limits a count.
inline constexpr std::uint64_t most_process_runs = 1'000'000, most_rounds = 1'000'000, most_hash_mib = 64 << 10,
                               widest_network = 8192, most_counted = 1'000'000'000'000;

/// N: a whole number, in decimal.
CLI::Option* counts(CLI::Option* option, std::uint64_t low = 1, std::uint64_t high = most_counted);

/// SEED: any of 64 bits.
CLI::Option* seeds(CLI::Option* option);

/// SECONDS: with or without a decimal point.
CLI::Option* seconds(CLI::Option* option, double low, double high);

/// BYTES: a whole number, or one with K, M or G for powers of 1,024.
CLI::Option* bytes(CLI::Option* option, std::uint64_t low, std::uint64_t high);

/// TIME: what parse_duration() reads.
CLI::Option* durations(CLI::Option* option);

/// PERCENT: what parse_margin() reads.
CLI::Option* margins(CLI::Option* option);

}  // namespace slidebench
