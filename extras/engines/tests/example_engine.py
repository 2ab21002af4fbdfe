# SPDX-License-Identifier: MIT
"""A chess engine of a hundred lines that prints what it asks for, in the text form of a log of queries.

The log goes to standard output, all else to standard error:

    python3 example_engine.py --depth 3 | slidebench trace import - --out python.trace

It tells the pieces too: the board of each root, and each move. It knows no castling, no capture in passing and no choice of
promotion, which a log of queries does not need.
"""

import argparse
import re
import sys

DIAGONALS, LINES = ((1, 1), (1, -1), (-1, 1), (-1, -1)), ((1, 0), (-1, 0), (0, 1), (0, -1))
KNIGHT = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
VALUES = {"p": 100, "n": 320, "b": 330, "r": 500, "q": 900, "k": 0}
START = "RNBQKBNR" + "P" * 8 + "." * 32 + "p" * 8 + "rnbqkbnr"


def log(*words):
    """One event of the log."""
    print(*words)


def name(square):
    return "abcdefgh"[square % 8] + str(1 + square // 8)


def step(square, across, up):
    """The square so many files and ranks away, or None."""
    file, rank = square % 8 + across, square // 8 + up
    return 8 * rank + file if 0 <= file < 8 and 0 <= rank < 8 else None


def slide(square, occupied, directions):
    """The squares that a slider sees, blockers included."""
    seen = []
    for across, up in directions:
        target = step(square, across, up)
        while target is not None:
            seen.append(target)
            target = None if occupied >> target & 1 else step(target, across, up)
    return seen


def ask(kind, square, occupied):
    """Attacks of a bishop (b), a rook (r) or a queen (q): where a query is recorded."""
    log(kind, name(square), f"{occupied:x}")
    return slide(square, occupied, {"b": DIAGONALS, "r": LINES, "q": DIAGONALS + LINES}[kind])


class Board:
    """Pieces as letters, white's in capitals; a1 is square 0."""

    def __init__(self, pieces=START):
        self.pieces, self.white, self.undo = list(pieces), True, []

    def occupied(self):
        return sum(1 << square for square, piece in enumerate(self.pieces) if piece != ".")

    def placement(self):
        """The first field of a FEN."""
        ranks = ("".join(self.pieces[first:first + 8]) for first in range(56, -8, -8))
        return "/".join(re.sub(r"\.+", lambda gap: str(len(gap[0])), rank) for rank in ranks)

    def is_own(self, piece):
        return piece != "." and piece.isupper() == self.white

    def make(self, move):
        """Makes a move; False, and nothing made, if it leaves the own king attacked."""
        source, target = move
        self.undo.append((move, self.pieces[source], self.pieces[target]))
        promotes = self.pieces[source] in "Pp" and target // 8 in (0, 7)
        self.pieces[target] = ("Q" if self.white else "q") if promotes else self.pieces[source]
        self.pieces[source] = "."
        log("move", name(source) + name(target) + ("q" if promotes else ""))
        log("make", f"{self.occupied():x}")
        attacked = self.is_attacked(self.pieces.index("K" if self.white else "k"))
        self.white = not self.white
        if attacked:
            self.unmake()
        return not attacked

    def unmake(self):
        (source, target), piece, captured = self.undo.pop()
        self.pieces[source], self.pieces[target] = piece, captured
        self.white = not self.white
        log("unmake", f"{self.occupied():x}")

    def is_attacked(self, square):
        """Whether the enemy of the side to move attacks a square: the king sees as a bishop and as a rook."""
        enemy = str.lower if self.white else str.upper
        forward = 1 if self.white else -1

        def stands(targets, kinds):
            return any(t is not None and self.pieces[t] in map(enemy, kinds) for t in targets)

        occupied = self.occupied()
        return (stands(ask("b", square, occupied), "bq") or stands(ask("r", square, occupied), "rq")
                or stands([step(square, *jump) for jump in KNIGHT], "n")
                or stands([step(square, *jump) for jump in DIAGONALS + LINES], "k")
                or stands([step(square, across, forward) for across in (-1, 1)], "p"))

    def pawn_targets(self, square):
        forward, home = (1, 1) if self.white else (-1, 6)
        ahead = step(square, 0, forward)
        if self.pieces[ahead] == ".":
            yield ahead
            if square // 8 == home and self.pieces[ahead + 8 * forward] == ".":
                yield ahead + 8 * forward
        for target in (step(square, across, forward) for across in (-1, 1)):
            if target is not None and self.pieces[target] != ".":
                yield target

    def moves(self):
        """Moves that may leave the king attacked; captures first."""
        occupied, found = self.occupied(), []
        for square, piece in enumerate(self.pieces):
            if not self.is_own(piece):
                continue
            kind = piece.lower()
            if kind in "brq":
                targets = ask(kind, square, occupied)
            elif kind == "p":
                targets = self.pawn_targets(square)
            else:
                targets = (step(square, *jump) for jump in (KNIGHT if kind == "n" else DIAGONALS + LINES))
            found += [(square, t) for t in targets if t is not None and not self.is_own(self.pieces[t])]
        return sorted(found, key=lambda move: self.pieces[move[1]] == ".")

    def evaluate(self):
        """Material and what the sliders see, for the side to move."""
        log("eval")
        occupied, score = self.occupied(), 0
        for square, piece in enumerate(self.pieces):
            kind = piece.lower()
            worth = VALUES.get(kind, 0) + (len(ask(kind, square, occupied)) if kind in "brq" else 0)
            score += worth if self.is_own(piece) else -worth
        return score


def perft(board, depth):
    """How many lines of so many moves there are."""
    if depth == 0:
        return 1
    count = 0
    for move in board.moves():
        if board.make(move):
            count += perft(board, depth - 1)
            board.unmake()
    return count


def search(board, depth, alpha, beta):
    """Alpha-beta; the score for the side to move."""
    if depth == 0:
        return board.evaluate()
    best = -100_000
    for move in board.moves():
        if not board.make(move):
            continue
        best = max(best, -search(board, depth - 1, -beta, -alpha))
        board.unmake()
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--depth", type=int, default=3, help="plies of the search, and of the perft before it")
    depth = parser.parse_args().depth
    for name, work in (("perft", perft), ("search", lambda b, d: search(b, d, -100_000, 100_000))):
        board = Board()
        log("board", board.placement())
        log("root", f"{board.occupied():x}")
        print(f"{name} {depth}: {work(board, depth)}", file=sys.stderr)


if __name__ == "__main__":
    main()
