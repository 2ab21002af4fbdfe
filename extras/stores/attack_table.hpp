// SPDX-License-Identifier: MIT
//
// Attack table: for each square the pieces that attack it, a bit each, kept from move to move by what changes alone.
//
//      T[colour][square]    16 bits      bit i: piece number i of the colour attacks the square
//
// Attackers are a load for each colour; what a piece attacks is its bit in all squares, what a side attacks the squares
// that are not 0. A row of rows.hpp is a column here, and the other way round. A move changes three things:
//
//      clear      the bits of the mover, and of the captured piece, in all squares
//      toggle     Where a square is emptied, each slider that looks at it goes on along the opposite ray, up to the
//                 first piece: its bit is set in those squares. Where one is filled these bits are cleared. Both are
//                 one exclusive or, and the rays of the square (ray_layout.hpp) know slider and squares at once: they
//                 are permuted once more, with numbers in place of pieces.
//      set        the bits of the mover on what it attacks from its new square
//
// Both squares of a move are looked at on the board without the mover: neither waits for the other. A capture fills its
// square again, so that it toggles the square that it leaves alone. The captured piece may look at that one: its bits
// are cleared after toggling, or it is passed over.
//
// Numbers are kept by square as bytes, so made that vectors tell colours apart by an addition (codes below). Those of
// captured pieces lie on a stack, for unmake.
//
// Inventor: 87flowers (Rose, 2025), then the engines Clockwork and cherry. Source: https://87flowers.com; Clockwork,
// pull request 43. Here in words, byte by byte. State: 384 bytes: 256 of T, 64 of numbers, 32 of captured ones, 32
// of squares by number. Tables: perm, 4,096 bytes, and 176 of classes and slots. Loads: attackers 2, and a square for
// each; attacks and attacked 128 bytes.
#pragma once

#include <utility>

#include "extras/stores/rays.hpp"

namespace slidebench {

/// The number of a piece, and its colour in bit 7; 0 is nobody. The lower six bits count from 16 (white) and 32
/// (black). Minus 16 a white code is below 128 and all others are not; minus 128 a black one alone is.
using PieceCode = std::uint8_t;
inline constexpr PieceCode nobodys_code = 0;
constexpr unsigned first_code(unsigned color) { return color == 0 ? 0x50 : 0xE0; }
constexpr PieceCode code_of(unsigned color, unsigned number) {
  return static_cast<PieceCode>(first_code(color) + number);
}
constexpr unsigned color_of_code(PieceCode code) { return code >> 7; }
constexpr std::uint16_t bit_of_code(PieceCode code) { return static_cast<std::uint16_t>(1u << (code & 15)); }

/// T itself.
struct AttackWords {
  alignas(64) std::array<std::array<std::uint16_t, 64>, 2> of{};
};

/// What a step does to the table besides toggling: bits cleared in all squares of either colour, and one set in some
/// squares of the first colour. `Set` is what a form takes for a set of squares.
template <class Set>
struct TableStep {
  unsigned color;
  std::uint16_t clear;
  std::uint16_t clear_others;
  Set set;
  std::uint16_t set_bit;
};

/// What is kept beside T. All bytes are named: unmake restores every one.
struct alignas(64) TableNumbers {
  Slots codes{};                           ///< by square
  std::array<PieceCode, 31> taken{};       ///< of captured pieces, a stack
  std::uint8_t taken_count = 0;            ///< and how many there are
  std::array<std::uint8_t, 32> squares{};  ///< by the lower six bits of a code, minus 16; in forms that ask

  void push_taken(PieceCode code) { taken[taken_count++] = code; }
  PieceCode pop_taken() { return std::exchange(taken[--taken_count], nobodys_code); }
};
static_assert(sizeof(TableNumbers) == 128);

/// A store that keeps a table. What a form of it has to offer: Rays and their Bytes (rays.hpp); Codes, as Bytes;
/// Set, and reach for what a piece attacks; Passing, the sliders that look at a square and what they attack beyond;
/// apply, add, squares_of, attacks, attacked.
template <AttackMethod M, class Form>
requires(!HasBoard<M>) class AttackTableStore {
 public:
  using Method = M;
  static constexpr MethodInfo info = Form::info;
  static constexpr auto tables = Form::tables;

  explicit AttackTableStore(const PieceBoard& board) {
    const Bytes bytes(board);
    std::array<unsigned, 2> next{};
    for (Bitboard left = board.occupied(); left != 0;) {
      const Square s = pop_lowest(left);
      const unsigned color = color_of(board.on[s]);
      const PieceCode code = code_of(color, next[color]++);
      numbers_.codes.at[s] = code;
      stands(code, s);
      Form::add(words_.of[color], bit_of_code(code), Form::reach(Rays(bytes, s), board.on[s]));
    }
  }

  void make(PieceBoard& board, const Change& change) {
    const bool captures = change.captures_on_target();
    if (change.lifts == 2 && !captures) [[unlikely]]
      return make_step_by_step(board, change);
    State state(*this, board);
    if (captures) {
      capture(state, change);
    } else {
      move(state, change.lifted[0], change.put[0]);
    }
    state.store(*this);
  }

  void unmake(PieceBoard& board, const Change& change) {
    const bool captures = change.captures_on_target();
    if (change.lifts == 2 && !captures) [[unlikely]]
      return unmake_step_by_step(board, change);
    State state(*this, board);
    if (captures) {
      take_back_capture(state, change);
    } else {
      move(state, change.put[0], change.lifted[0]);
    }
    state.store(*this);
  }

  Bitboard attacks(const PieceBoard&, Square s) const {
    const PieceCode code = numbers_.codes.at[s];
    const unsigned color = color_of_code(code);
    return Form::attacks(words_.of[color], bit_of_code(code));
  }

  Bitboard attackers(const PieceBoard&, Square s) const {
    // Bit n: the piece in whose code the lower six bits are n.
    return Form::squares_of(std::uint64_t{words_.of[0][s]} << 16 | std::uint64_t{words_.of[1][s]} << 32, numbers_);
  }

  Bitboard attacked(const PieceBoard&, Color color) const {
    return Form::attacked(words_.of[static_cast<unsigned>(color)]);
  }

  PlainBoard asked(const PieceBoard&, Bitboard occupied) const { return PlainBoard(occupied); }

 private:
  using Rays = typename Form::Rays;
  using Bytes = typename Rays::Bytes;
  using Codes = typename Form::Codes;
  using Passing = typename Form::Passing;
  using Set = typename Form::Set;
  using Step = TableStep<Set>;

  /// Pieces and codes by square, for the time of a move.
  struct State {
    State(AttackTableStore& store, PieceBoard& pieces)
        : board(pieces), bytes(pieces), codes(store.numbers_.codes.at), by_square(store.numbers_.codes) {}
    /// As the store had it before the move.
    PieceCode code(PieceAt at) const { return by_square.at[at.square]; }
    void lift(PieceAt at) {
      bytes.set(board, at.square, no_piece);
      board.flip(at);
    }
    void put(PieceAt at) {
      bytes.set(board, at.square, at.piece);
      board.flip(at);
    }
    void store(AttackTableStore& store) const {
      bytes.store(board);
      codes.store(store.numbers_.codes.at);
    }

    PieceBoard& board;
    Bytes bytes;
    Codes codes;
    const Slots& by_square;
  };

  void stands(PieceCode code, Square s) {
    if constexpr (Form::asks_squares) numbers_.squares[(code & 63u) - 16] = static_cast<std::uint8_t>(s);
  }
  void place(State& state, PieceCode code, Square s) {
    state.codes.set(s, code);
    stands(code, s);
  }

  /// A move without capture, there or back.
  void move(State& state, PieceAt from, PieceAt to) {
    const PieceCode mover = state.code(from);
    state.lift(from);
    // One square after the other, so that few vectors live at a time; processors interleave them.
    const Rays left(state.bytes, from.square);
    const Passing beyond_from(left, state.codes);
    const Rays reached(state.bytes, to.square);
    const Passing beyond_to(reached, state.codes);
    Form::apply(words_, moved(mover, Form::reach(reached, to.piece)), beyond_from, beyond_to);
    state.put(to);
    state.codes.set(from.square, nobodys_code);
    place(state, mover, to.square);
  }

  void capture(State& state, const Change& change) {
    const PieceAt from = change.lifted[0], taken = change.lifted[1], to = change.put[0];
    const PieceCode mover = state.code(from), victim = state.code(taken);
    state.lift(from);
    const Rays left(state.bytes, from.square);
    const Passing beyond_from(left, state.codes);
    state.lift(taken);
    const Rays reached(state.bytes, to.square);
    Step step = moved(mover, Form::reach(reached, to.piece));
    step.clear_others = bit_of_code(victim);
    Form::apply(words_, step, beyond_from);
    state.put(to);
    state.codes.set(from.square, nobodys_code);
    place(state, mover, to.square);
    numbers_.push_taken(victim);
  }

  void take_back_capture(State& state, const Change& change) {
    const PieceAt from = change.lifted[0], taken = change.lifted[1], to = change.put[0];
    const PieceCode mover = state.code(to), victim = numbers_.pop_taken();
    state.lift(to);
    state.put(taken);
    place(state, victim, taken.square);
    const Rays left(state.bytes, from.square);
    const Passing beyond_from(left, state.codes);
    Step step = moved(mover, Form::reach(left, from.piece));
    // What the toggling does to a piece that is not in the table yet.
    step.clear_others = bit_of_code(victim);
    Form::apply(words_, step, beyond_from);
    state.put(from);
    // Seen from an occupied square, as in attackers().
    const Set attacked = Form::reach(Rays(state.bytes, taken.square), taken.piece);
    Form::add(words_.of[color_of_code(victim)], bit_of_code(victim), attacked);
    place(state, mover, from.square);
  }

  /// En passant, castling: a toggle for each square. Rare, and never inlined: the state of the others is to stay in
  /// registers, and their code short.
  [[gnu::noinline]] void make_step_by_step(PieceBoard& board, const Change& change) {
    State state(*this, board);
    const PieceCode mover = state.code(change.lifted[0]), second = state.code(change.lifted[1]);
    lift(state, change.lifted[0], mover);
    lift(state, change.lifted[1], second);
    put(state, change.put[0], mover);
    if (change.puts == 2) {
      put(state, change.put[1], second);
    } else {
      numbers_.push_taken(second);
    }
    state.store(*this);
  }

  [[gnu::noinline]] void unmake_step_by_step(PieceBoard& board, const Change& change) {
    State state(*this, board);
    const bool castling = change.puts == 2;
    const PieceCode mover = state.code(change.put[0]);
    const PieceCode second = castling ? state.code(change.put[1]) : numbers_.pop_taken();
    if (castling) lift(state, change.put[1], second);
    lift(state, change.put[0], mover);
    put(state, change.lifted[1], second);
    put(state, change.lifted[0], mover);
    state.store(*this);
  }

  [[gnu::noinline]] void lift(State& state, PieceAt at, PieceCode code) {
    state.lift(at);
    const Rays rays(state.bytes, at.square);
    Form::apply(words_, Step{color_of_code(code), bit_of_code(code), 0, Set{}, 0}, Passing(rays, state.codes));
    state.codes.set(at.square, nobodys_code);
  }

  [[gnu::noinline]] void put(State& state, PieceAt at, PieceCode code) {
    const Rays rays(state.bytes, at.square);
    Form::apply(words_, moved(code, Form::reach(rays, at.piece)), Passing(rays, state.codes));
    state.put(at);
    place(state, code, at.square);
  }

  /// A piece stops to attack what it attacked, and attacks other squares.
  static Step moved(PieceCode code, Set set) {
    return {color_of_code(code), bit_of_code(code), 0, set, bit_of_code(code)};
  }

  AttackWords words_;
  TableNumbers numbers_;
};

/// The table in words of eight bytes, toggled square by square.
struct TableWords {
  static constexpr MethodInfo info{.id = "attack_table",
                                   .title = "Attack table: who attacks each square",
                                   .family = "store",
                                   .inventor = "87flowers",
                                   .year = 2025,
                                   .reference = "https://87flowers.com",
                                   .requires_isa = Isa::none};
  static constexpr std::array tables{
      table_info("perm", ray_layout::perm), table_info("class_of_piece", ray_layout::class_of_piece),
      table_info("sliding", ray_layout::sliding), table_info("attacked_slots", ray_layout::attacked_slots)};
  static constexpr bool asks_squares = true;
  using Rays = RayWords;
  using Set = Bitboard;
  using Squares = std::array<std::uint16_t, 64>;

  /// The store's own codes.
  class Codes {
   public:
    explicit Codes(std::uint8_t* codes) : at_(codes) {}
    void set(Square s, PieceCode code) { at_[s] = code; }
    PieceCode operator[](Square s) const { return at_[s]; }
    static void store(const std::uint8_t*) {}

   private:
    std::uint8_t* at_;
  };

  struct Passing {
    Passing(const RayWords& around, const Codes& now) : rays(around), codes(now) {}
    const RayWords& rays;
    const Codes& codes;
  };

  static Set reach(const RayWords& rays, Piece piece) { return rays.attacks(piece); }

  template <class... Toggles>
  static void apply(AttackWords& words, const TableStep<Set>& step, const Toggles&... passing) {
    // Words of eight bytes first: they would wait for those of two to leave the store buffer.
    clear(words.of[step.color], step.clear);
    if (step.clear_others != 0) clear(words.of[step.color ^ 1], step.clear_others);
    (toggle(words, step, passing), ...);
    add(words.of[step.color], step.set_bit, step.set);
  }

  static void add(Squares& words, std::uint16_t bit, Bitboard squares) {
    while (squares != 0) words[pop_lowest(squares)] |= bit;
  }

  static Bitboard squares_of(std::uint64_t attackers, const TableNumbers& numbers) {
    Bitboard set = 0;
    while (attackers != 0) set |= bit(numbers.squares[pop_lowest(attackers) - 16]);
    return set;
  }

  static Bitboard attacks(const Squares& words, std::uint16_t bit) {
    const unsigned number = static_cast<unsigned>(std::countr_zero(bit));
    return gathered(words, [number](std::uint64_t four) { return (four >> number) & lowest_bits; });
  }

  static Bitboard attacked(const Squares& words) {
    constexpr std::uint64_t tops = 0x8000800080008000;
    // A word that is not 0 has its top bit, or carries into it.
    return gathered(words, [](std::uint64_t four) { return ((four | ((four & ~tops) + ~tops)) & tops) >> 15; });
  }

 private:
  static constexpr std::uint64_t lowest_bits = 0x0001000100010001;

  static std::uint64_t four_words(const Squares& words, unsigned first) {
    std::uint64_t four;
    std::memcpy(&four, &words[first], sizeof four);
    return four;
  }

  /// The set of squares, from four lowest bits at a time.
  template <class Bits>
  static Bitboard gathered(const Squares& words, Bits bits_of) {
    Bitboard set = 0;
    for (unsigned first = 0; first < 64; first += 4) {
      // Moves bits 0, 16, 32 and 48 to 48, 49, 50 and 51.
      constexpr std::uint64_t together = bit(48) | bit(33) | bit(18) | bit(3);
      set |= (bits_of(four_words(words, first)) * together >> 48 & 15) << first;
    }
    return set;
  }

  static void clear(Squares& words, std::uint16_t bit) {
    const std::uint64_t kept = ~(bit * lowest_bits);
    for (unsigned first = 0; first < 64; first += 4) {
      const std::uint64_t four = four_words(words, first) & kept;
      std::memcpy(&words[first], &four, sizeof four);
    }
  }

  static void toggle(AttackWords& words, const TableStep<Set>& step, const Passing& passing) {
    for (std::uint64_t left = passing.rays.sliders(); left != 0;) {
      const unsigned slot = pop_lowest(left);
      const PieceCode code = passing.codes[passing.rays.square_at(slot)];
      const unsigned color = color_of_code(code);
      // Those who leave are cleared already.
      if (color != step.color && bit_of_code(code) == step.clear_others) continue;
      for (Bitboard squares = passing.rays.open_ray(slot / 8 ^ 4); squares != 0;)
        words.of[color][pop_lowest(squares)] ^= bit_of_code(code);
    }
  }
};

template <AttackMethod M>
using AttackTable = AttackTableStore<M, TableWords>;

}  // namespace slidebench
