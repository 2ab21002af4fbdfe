// SPDX-License-Identifier: MIT
//
// The engine here as a UCI program, with one method compiled into it: what `slidebench run --workload engine` times, to
// be talked with from outside.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "harness/engine/position_state.hpp"
#include "harness/engine/search_memory.hpp"
#include "harness/measure/engine_work.hpp"
#include "harness/plugin/loader.hpp"

namespace slidebench {

/// How far a search goes. Zero: no such limit.
struct GoLimits {
  std::uint64_t nodes = 0;
  unsigned depth = 0;
  std::int64_t milliseconds = 0;

  /// A search to a depth or a number of nodes is one search, which nothing can stop: the same request visits the same
  /// nodes on every machine. One without, or with a time, goes in steps.
  bool is_one_search() const { return nodes > 0 || depth > 0; }
};

/// Reads the words after "go". A clock ("wtime 60000 winc 1000") becomes a thirtieth of what is left and most of the
/// increment; what is unknown is left aside.
GoLimits parse_go(const std::vector<std::string_view>& words, engine::Color side);

class UciProgram {
 public:
  /// @param method  initialised; outlives this
  /// @throws UserError  for a hash size that is impossible
  UciProgram(const Plugin& method, const EngineForm& form, unsigned hash_mib);
  ~UciProgram();
  UciProgram(const UciProgram&) = delete;
  UciProgram& operator=(const UciProgram&) = delete;

  /// Answers standard input on standard output until "quit" or its end. What was given last is searched to its end if
  /// it has one. "quit" ends the process at once, whatever it is doing.
  void serve();

 private:
  bool is_idle();
  void obey(const std::vector<std::string_view>& words);
  void introduce() const;
  void set_option(const std::vector<std::string_view>& words);
  void set_position(const std::vector<std::string_view>& words);
  void go(const GoLimits& limits);
  void finish_search();
  void work();
  void search(const GoLimits& limits);
  engine::RootResult search_once(const GoLimits& limits);
  engine::RootResult search_in_steps(const GoLimits& limits);
  engine::SearchResult ask(unsigned depth, std::uint64_t nodes, engine::RootResult& root);

  const Plugin& method_;
  EngineForm form_;
  engine::SearchMemory memory_;
  unsigned hash_mib_;
  engine::PositionState position_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<GoLimits> asked_;  ///< the search under way
  bool leaving_ = false;
  std::atomic<bool> stop_ = false;
  /// One for all searches: of a thread that ends the kernel may lose the last CPU time, by which engines are compared.
  std::thread searcher_;
};

}  // namespace slidebench
