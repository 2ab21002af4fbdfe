// SPDX-License-Identifier: MIT
#include "harness/counters/executed_path.hpp"

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "harness/counters/decoded_instruction.hpp"
#include "harness/counters/single_step.hpp"

namespace slidebench {
namespace {

/// Of the addresses executed, those of the first call of a function: its caller goes on behind the instruction before
/// it.
std::vector<std::uintptr_t> of_the_call(const std::vector<std::uintptr_t>& executed, std::uintptr_t function) {
  const auto begin = std::find(executed.begin(), executed.end(), function);
  if (begin == executed.begin() || begin == executed.end()) return {};
  const std::uintptr_t call = *std::prev(begin);
  return {begin, std::find(begin, executed.end(), call + decode_instruction(call).length)};
}

}  // namespace

ExecutedPath executed_path(const std::function<void()>& work, std::uintptr_t function) {
  std::vector<std::uintptr_t> executed;
  single_step(work, [&executed](const TracedRegisters& registers) { executed.push_back(next_instruction(registers)); });
  ExecutedPath path;
  std::unordered_map<std::uintptr_t, std::uint32_t> known;
  for (const std::uintptr_t address : of_the_call(executed, function)) {
    const auto [place, is_new] = known.try_emplace(address, static_cast<std::uint32_t>(path.code.size()));
    if (is_new) path.code.push_back({address, decode_instruction(address).length});
    path.order.push_back(place->second);
  }
  return path;
}

}  // namespace slidebench
