// SPDX-License-Identifier: MIT
#include "harness/run/kernel_path.hpp"

#include <dlfcn.h>

#include <nlohmann/json.hpp>

#include "harness/base/errors.hpp"
#include "harness/base/ordered_jobs.hpp"
#include "harness/counters/executed_path.hpp"
#include "harness/plugin/board_storage.hpp"
#include "harness/run/kernel_counts.hpp"

namespace slidebench {
namespace {

using nlohmann::json;

template <class Pointer>
std::uintptr_t address_of(Pointer pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer);
}

std::uintptr_t load_address(const Plugin& method) {
  Dl_info found{};
  if (dladdr(&method.descriptor(), &found) == 0) throw UserError("cannot tell where the module was loaded");
  return address_of(found.dli_fbase);
}

std::string hexadecimal(const ExecutedPath::Instruction& instruction) {
  constexpr const char* digits = "0123456789abcdef";
  const auto* bytes = reinterpret_cast<const unsigned char*>(instruction.address);
  std::string text;
  for (unsigned i = 0; i < instruction.length; ++i) {
    text += digits[bytes[i] >> 4];
    text += digits[bytes[i] & 15];
  }
  return text;
}

json path_json(const ExecutedPath& path, std::uintptr_t base) {
  json code = json::array();
  for (const ExecutedPath::Instruction& instruction : path.code)
    code.push_back({static_cast<std::intptr_t>(instruction.address - base), hexadecimal(instruction)});
  return {{"code", std::move(code)}, {"order", path.order}};
}

constexpr Square asked_square = 27;  // d4: rays in all directions

/// What one query executes: the rook's, or of a method that keeps a board, so that it is not built, both sets.
struct AskedOnce {
  const char* name;
  ExecutedPath path;
};

AskedOnce asked_once(const PluginDescriptor& method, Bitboard occupied) {
  if (!method.board.has_state) {
    const auto rook = method.queries.rook;
    return {"rook", executed_path([&] { asm volatile("" : : "r"(rook(asked_square, occupied))); }, address_of(rook))};
  }
  BoardStorage board(method.board);
  board.build(occupied);
  const auto ask = [&board] { asm volatile("" : : "r"(board.both(asked_square).rook)); };
  return {"both", executed_path(ask, address_of(method.board.both))};
}

json line_of(const Plugin& method, const Workload& workload, const TraceBlock& block) {
  const ReplayKernel kernel = (method.descriptor().replay.*workload.kernels).alone;
  const auto replay = [&] { asm volatile("" : : "r"(kernel(block))); };
  const AskedOnce once = asked_once(method.descriptor(), block.occupied[0]);
  const std::uintptr_t base = load_address(method);
  json tables = json::array();
  for (const TableInfo& table : method.tables())
    tables.push_back({table.name, static_cast<std::intptr_t>(address_of(table.address) - base), table.bytes});
  return {{"method", method.id()},
          {"level", method.level()},
          {"workload", workload.name},
          {"queries", queries_of(workload, block)},
          {"kernel", path_json(executed_path(replay, address_of(kernel)), base)},
          {"once", path_json(once.path, base)},
          {"once_asks", once.name},
          {"once_square", asked_square},
          {"once_occupied", block.occupied[0]},
          {"tables", std::move(tables)}};
}

}  // namespace

void trace_kernels(const std::vector<const Plugin*>& methods, const Workload& workload, const Trace& trace,
                   std::uint64_t queries, const std::function<void(const std::string& line)>& traced) {
  const TraceBlock block = beginning_of(trace.blocks().front(), queries);
  const auto path_of = [&](std::size_t i) {
    json line = line_of(*methods[i], workload, block);
    line["trace"] = trace.digest_hex();
    return line.dump();
  };
  in_order(methods.size(), all_processors(), path_of, [&](std::size_t, const std::string& line) { traced(line); });
}

}  // namespace slidebench
