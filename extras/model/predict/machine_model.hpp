// SPDX-License-Identifier: MIT
//
// An out-of-order core reduced to what decides how far reads overlap: so many instructions in flight, leaving in order,
// and so many reads at once beyond the first level.
//
//   An instruction enters when the one `window` before it has left. A query computes as long as it does with
//   everything in the first level: in throughput that is the time to the next query; in latency, the time from operand
//   to answer. A read ahead starts when its query enters; a read of the chain, when the query's operand is there as
//   well. A read that misses the first level takes one of the slots, and waits for a free one.
//
// Sources: T. Karkhanis and J. E. Smith, A First-Order Superscalar Processor Model, ISCA 2004; S. Eyerman et al., A
// Mechanistic Performance Model for Superscalar Out-of-Order Processors, ACM TOCS 27(2), 2009: a miss costs what of it
// does not fit the window; misses within a window overlap.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace slidebench {

/// What bounds the overlap on a machine.
struct OverlapBounds {
  double window_instructions = 256;  ///< in flight
  double reads_in_flight = 16;       ///< beyond the first level
};

/// What a method does with everything in the first level.
struct Computation {
  double throughput_ns = 0;  ///< from query to query, of independent queries
  double latency_ns = 0;     ///< from query to query, of queries that wait for each other's answers
  double instructions = 0;   ///< a query, the loop's own and the other work's with it
};

/// What one query waits for, in ns beyond the first level, and how many reads take a slot for it.
struct QueryCost {
  double ahead_ns = 0;  ///< the slowest of what is read ahead
  double chain_ns = 0;  ///< the longest chain of what is read after
  std::uint32_t ahead_reads = 0;
  std::uint32_t chain_reads = 0;
  std::uint32_t touches = 0;  ///< of the pressure, before this query
};

class MachineModel {
 public:
  /// @param chained   whether a query waits for the answer of the one before
  /// @param touch_ns  how long a touched line of the pressure takes, one after another
  MachineModel(const OverlapBounds& bounds, const Computation& computation, bool chained, double touch_ns);

  /// Executes the queries in order. Returns ns per query.
  double run(std::span<const QueryCost> queries);

 private:
  struct InFlight {
    double position;  ///< of its first instruction
    double left;      ///< when that one has left
  };

  void touch(std::uint32_t lines);
  void ask(const QueryCost& query);
  double window_opens_for(double position);
  double start_reads(double ready, double ns, std::uint32_t reads);

  OverlapBounds bounds_;
  Computation computation_;
  bool chained_;
  double touch_ns_;
  std::vector<double> slots_;  ///< when each is free
  std::size_t next_slot_ = 0;
  std::deque<InFlight> in_flight_;
  double position_ = 0;  ///< instructions so far
  double enters_ = 0;    ///< when the next instruction can enter, if the window is open
  double left_ = 0;      ///< when the youngest has left
  double answered_ = 0;
};

}  // namespace slidebench
