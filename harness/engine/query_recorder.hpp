// SPDX-License-Identifier: MIT
//
// Listening to an engine: which attack queries it asks, on which occupancy, and who asks them.
//
// Three things that fit together:
//   - QueryRecorder<M> is a method that reports each query and lets M answer it;
//   - ListeningObserver reports what else happens in a position, see NoObserver in position.hpp;
//   - RecordedPosition is a position with both, which also knows who asks: its query functions find out, by a default
//     argument, from which file they were called.
// For the host alone: nothing of this is compiled into modules.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "harness/engine/position.hpp"
#include "harness/trace/block.hpp"
#include "methods/bitboard.hpp"
#include "methods/method.hpp"

namespace slidebench::engine {

/// Who asks.
enum class Caller : std::uint8_t {
  checks,       ///< a move was made: does it give check, and what is pinned to that king?
  king_moves,   ///< generation: is the square safe for the king (castling and en passant included)?
  pins,         ///< generation: what may not leave the king's lines?
  piece_moves,  ///< generation: where do the bishops, rooks and queens go?
  exchange,     ///< who captures on a square, and who behind it?
  evaluation,   ///< mobility and king safety of the classical evaluation
  threats,      ///< features of a network
};
inline constexpr std::array<std::string_view, 7> caller_names{"checks",   "king_moves", "pins",   "piece_moves",
                                                              "exchange", "evaluation", "threats"};

struct RecordedQuery {
  QueryKind kind;
  Square square;
  Bitboard occupied;  ///< the board that was asked about, not always the position's
  Caller caller;

  friend bool operator==(const RecordedQuery&, const RecordedQuery&) = default;
};

/// What can be heard of an engine. A move is reported after the query that Position asks from the king while it makes
/// that move.
class EngineListener {
 public:
  virtual ~EngineListener() = default;

  virtual void query(const RecordedQuery& query) = 0;
  virtual void made(Bitboard occupied, Move move) = 0;
  virtual void unmade(Bitboard occupied) = 0;
  virtual void null_made(Bitboard occupied) = 0;
  virtual void null_unmade(Bitboard occupied) = 0;
  virtual void evaluated() = 0;
  virtual void probed() = 0;
};

/// Who listens to the queries of this thread, and who asks at the moment. Queries that nobody listens to are answered.
struct Listening {
  static inline thread_local EngineListener* listener = nullptr;
  static inline thread_local Caller caller = Caller::checks;
};

/// Connects a listener as long as it lives; null to be left alone for a while.
class ListeningScope {
 public:
  explicit ListeningScope(EngineListener* listener) : before_(Listening::listener) { Listening::listener = listener; }
  ~ListeningScope() { Listening::listener = before_; }
  ListeningScope(const ListeningScope&) = delete;
  ListeningScope& operator=(const ListeningScope&) = delete;

 private:
  EngineListener* before_;
};

/// Reports queries, and asks M, a method without state.
template <AttackMethod M>
struct QueryRecorder {
  static constexpr MethodInfo info = M::info;

  static Bitboard bishop(Square s, Bitboard occupied) {
    report(QueryKind::bishop, s, occupied);
    return M::bishop(s, BoardOf<M>(occupied));
  }
  static Bitboard rook(Square s, Bitboard occupied) {
    report(QueryKind::rook, s, occupied);
    return M::rook(s, BoardOf<M>(occupied));
  }
  static Bitboard queen(Square s, Bitboard occupied) {
    report(QueryKind::queen, s, occupied);
    return slidebench::queen_attacks<M>(s, BoardOf<M>(occupied));
  }
  static BishopRook both(Square s, Bitboard occupied) {
    report(QueryKind::both, s, occupied);
    return slidebench::both_attacks<M>(s, BoardOf<M>(occupied));
  }

 private:
  static void report(QueryKind kind, Square s, Bitboard occupied) {
    if (Listening::listener != nullptr) Listening::listener->query({kind, s, occupied, Listening::caller});
  }
};

/// Reports the events of a position to this thread's listener.
struct ListeningObserver {
  static void made(Bitboard occupied, Move move) { tell(&EngineListener::made, occupied, move); }
  static void unmade(Bitboard occupied) { tell(&EngineListener::unmade, occupied); }
  static void null_made(Bitboard occupied) { tell(&EngineListener::null_made, occupied); }
  static void null_unmade(Bitboard occupied) { tell(&EngineListener::null_unmade, occupied); }
  static void evaluated() { tell(&EngineListener::evaluated); }
  static void probed() { tell(&EngineListener::probed); }

 private:
  template <class... Arguments>
  static void tell(void (EngineListener::*event)(Arguments...), Arguments... arguments) {
    if (Listening::listener != nullptr) (Listening::listener->*event)(arguments...);
  }
};

/// A position whose queries say who asks: by the file that the call stands in, and, within move generation, by the
/// function that is called. What Position asks for itself, when it makes a move, is about checks.
template <AttackMethod M>
class RecordedPosition : public Position<QueryRecorder<M>, ListeningObserver> {
  using Base = Position<QueryRecorder<M>, ListeningObserver>;

 public:
  using Base::Base;

  Bitboard bishop_attacks(Square s, const char* file = __builtin_FILE()) const {
    const Asking asking(file, Caller::piece_moves);
    return Base::bishop_attacks(s);
  }
  Bitboard rook_attacks(Square s, const char* file = __builtin_FILE()) const {
    const Asking asking(file, Caller::piece_moves);
    return Base::rook_attacks(s);
  }
  Bitboard queen_attacks(Square s, const char* file = __builtin_FILE()) const {
    const Asking asking(file, Caller::piece_moves);
    return Base::queen_attacks(s);
  }
  BishopRook both_attacks(Square s, const char* file = __builtin_FILE()) const {
    const Asking asking(file, Caller::pins);
    return Base::both_attacks(s);
  }

  BishopRook both_attacks(Square s, Bitboard occupied, const char* file = __builtin_FILE()) const {
    const Asking asking(file, Caller::pins);
    return Base::both_attacks(s, occupied);
  }
  Bitboard attackers_to(Square s, Bitboard occupied, const char* file = __builtin_FILE()) const {
    const Asking asking(file, Caller::king_moves);
    return Base::attackers_to(s, occupied);
  }
  bool attacked_by(Color color, Square s, Bitboard occupied, const char* file = __builtin_FILE()) const {
    const Asking asking(file, Caller::king_moves);
    return Base::attacked_by(color, s, occupied);
  }

 private:
  static Caller caller_in(std::string_view file, Caller in_generation) {
    if (file.ends_with("move_generator.hpp")) return in_generation;
    if (file.ends_with("exchange.hpp")) return Caller::exchange;
    if (file.ends_with("evaluation.hpp")) return Caller::evaluation;
    if (file.ends_with("threat_features.hpp")) return Caller::threats;
    return Caller::checks;
  }

  struct Asking {
    Asking(const char* file, Caller in_generation) { Listening::caller = caller_in(file, in_generation); }
    ~Asking() { Listening::caller = Caller::checks; }
    Asking(const Asking&) = delete;
    Asking& operator=(const Asking&) = delete;
  };
};

}  // namespace slidebench::engine
