// SPDX-License-Identifier: MIT
//
// A UCI engine that is talked with: started, set up, and asked to search positions. Whatever it does wrong is a
// UserError, one line that names the engine and what it did.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "extras/engines/duel/engine_process.hpp"
#include "extras/engines/duel/uci_protocol.hpp"
#include "harness/engine/position_state.hpp"
#include "harness/platform/machine.hpp"

namespace slidebench::duel {

struct OptionValue {
  std::string name;
  std::string value;
};

/// Which engine, and what it is told of its own.
struct EngineSpec {
  std::string command;              ///< as the user wrote it
  std::string name;                 ///< what to call it; empty: as it calls itself
  std::vector<std::string> builds;  ///< the program, looked up in PATH; or several, builds of one source
  std::vector<std::string> arguments;
  std::vector<std::string> environment = {};  ///< more entries, "NAME=value"
  std::vector<OptionValue> options = {};
};

/// How far a search goes: to a number of nodes, or if that is 0, to a depth.
struct SearchLimit {
  std::uint64_t nodes = 100'000;
  unsigned depth = 0;
};

/// "nodes 100000", as UCI's `go` has it.
std::string to_string(const SearchLimit& limit);

/// What holds for all engines of a duel.
struct Conditions {
  SearchLimit limit;
  unsigned hash_mib = 16;
  unsigned threads = 1;
  double start_seconds = 120;  ///< an engine may take to get ready
  double turn_seconds = 60;    ///< it may take for a search
  std::optional<unsigned> cpu;
};

/// What a search took and found.
struct Turn {
  std::uint64_t nodes = 0;  ///< as the engine counts them
  std::string move;
  std::uint64_t signature = 0;  ///< of the search's course and result; equal for equal trees
  std::int64_t cpu_ns = 0;      ///< CPU time of all its threads, from `go` to `bestmove`
  Disturbance disturbance;
  bool ended_threads = false;  ///< threads of the search are gone after it: see listen_to_search
  unsigned repeats = 0;        ///< searches before this one whose time cannot be: see timed_search
};

class UciEngine {
 public:
  /// Starts an engine and sets it up: hash and threads where it has such options, OwnBook off where it has a book (a
  /// book's moves cost no search), then its own options.
  /// @param build        which of the spec's
  /// @param environment  one more entry of its environment; empty: none
  /// @throws UserError, Interrupted
  UciEngine(const EngineSpec& spec, std::size_t build, const Conditions& conditions, const std::string& environment,
            const std::atomic<bool>& stop);

  const std::string& name() const { return name_; }      ///< as it calls itself; empty if it does not
  const std::string& author() const { return author_; }  ///< the same
  bool has_option(const std::string& name) const { return find_option(name) != nullptr; }
  const EngineProcess& process() const { return process_; }

  /// Searches a position from an empty hash table: ucinewgame, and its button "Clear Hash" if it has one, come before.
  /// Precondition: there is a legal move.
  Turn search(const engine::PositionState& position);

  /// The same, but once more, up to three times, where the process used less CPU time than any engine needs: on a
  /// virtual machine the kernel may take what the host stole off the time of a thread that ran later, down to 0. Throws
  /// UserError if none of the searches was timed.
  Turn timed_search(const engine::PositionState& position);

 private:
  [[noreturn]] void refuse(const std::string& what) const;
  void send(const std::string& line);
  std::string hear(Clock::time_point deadline, const std::string& awaited, double seconds, const char* option);
  void introduce(Clock::time_point deadline);
  void set_up(Clock::time_point deadline);
  void set_option(const OptionValue& option);
  void wait_until_quiet(Clock::time_point deadline);
  void synchronise(Clock::time_point deadline, double seconds, const char* option);
  const UciOption* find_option(const std::string& name) const;
  SearchReport listen_to_search(Clock::time_point deadline, std::string& move, std::size_t& threads);
  void check(const engine::PositionState& position, const SearchReport& report, const Turn& turn) const;

  const EngineSpec& spec_;
  std::string called_;  ///< in complaints: the command, or which of several builds
  const Conditions& conditions_;
  EngineProcess process_;
  std::string name_;
  std::string author_;
  std::vector<UciOption> options_;
};

}  // namespace slidebench::duel
