#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Selects a small, widely spread sample of games from a large PGN file, or describes the games of one.

The selection is deterministic and uses no random numbers. Every usable game gets a rank: the SHA-256 of its
own text. Every game belongs to one stratum: (period, opening letter, length class). Then

1. for every rare feature (see ``RARE``), the ``RARE_GAMES`` games of lowest rank that have it are taken;
2. the rest is filled in turns: in each turn every stratum that still has games gives its game of lowest rank
   (preferring an ECO group, such as C5, that this stratum has not given yet), until the wanted count is reached.
   In the last turn, which not all strata can win, the games of lowest rank win.

The order of the games in the input, the Python version and the machine have no influence. Of several games with the
same moves only the one of lowest rank counts. Games are copied byte for byte and sorted by year, then rank.

    select_games.py datasets/games/book_1.02.pgn --count 1000 --out datasets/sample.pgn
    select_games.py --describe datasets/sample.pgn
"""

import argparse
import collections
import hashlib
import pathlib
import re
import sys
from typing import NamedTuple

RARE = ("en passant", "promotion to queen", "promotion to rook", "promotion to bishop", "promotion to knight",
        "castling long by white", "castling long by black")
RARE_GAMES = 8
MIN_PLIES = 10

# Length classes in plies (half-moves): first ply count of the class, and its name.
LENGTHS = ((0, "under 40"), (40, "40 to 79"), (80, "80 to 119"), (120, "120 to 159"), (160, "160 and more"))

TAG = re.compile(rb'^\[([A-Za-z0-9_]+)\s+"((?:[^"\\]|\\.)*)"\]\s*$')
RESULTS = (b"1-0", b"0-1", b"1/2-1/2", b"*")
# One move in standard algebraic notation, with its check mark and annotation glyphs.
MOVE = re.compile(rb"(O-O-O|O-O|[KQRBN][a-h]?[1-8]?x?[a-h][1-8]|(?:[a-h]x)?[a-h][1-8](?:=?[QRBN])?)([+#]?)[!?]*")
NUMBER = re.compile(rb"\d+\.+")
PROMOTION = {b"Q": "promotion to queen", b"R": "promotion to rook", b"B": "promotion to bishop", b"N": "promotion to knight"}


class Game(NamedTuple):
    text: bytes  # with LF line ends: tags, an empty line, moves
    rank: bytes
    year: int
    eco: str  # "B05", or the first move of each side where there is no ECO tag
    plies: int
    result: str
    moves: bytes  # bare: equal for duplicates
    features: tuple

    @property
    def stratum(self):
        return period(self.year), self.eco[0], length_class(self.plies)


def period(year):
    """The decade of a year; the few games before 1850 and from 1990 on are one period each."""
    if year < 1850:
        return "before 1850"
    return "1990 to 2000" if year >= 1990 else f"{year // 10 * 10}s"


def length_class(plies):
    return [name for first, name in LENGTHS if plies >= first][-1]


def read_texts(data):
    """The games of a PGN file as (tags, moves), lists of lines. A tag after moves starts the next game."""
    tags, moves = [], []
    for line in data.removeprefix(b"\xef\xbb\xbf").splitlines():
        is_tag = line.startswith(b"[")
        if is_tag and moves:
            yield tags, moves
            tags, moves = [], []
        if is_tag:
            tags.append(line)
        elif line.strip() and tags:
            moves.append(line)
    if moves:
        yield tags, moves


def sans(movetext):
    """The moves as (move without marks, "+", "#" or ""), and the result; None where there is more, such as comments."""
    body, _, result = movetext.rstrip().rpartition(b" ")
    body = NUMBER.sub(b" ", body)
    if result not in RESULTS or MOVE.sub(b"", body).strip():
        return None
    return MOVE.findall(body), result


def features_of(moves):
    """The special moves in a game, sorted.

    A pawn capture on the third or sixth rank, straight after the other side's pawn went to the square behind it, is
    always en passant: that pawn left the captured square empty, so nothing else could be captured there.
    """
    found = set()
    before = b""
    for ply, (move, mark) in enumerate(moves):
        side, third, behind = ("black", b"3", b"4") if ply % 2 else ("white", b"6", b"5")
        if move.startswith(b"O-O"):
            found.add(f"castling {'long' if move == b'O-O-O' else 'short'} by {side}")
        elif move[-1:] in PROMOTION:
            found.add(PROMOTION[move[-1:]])
        elif re.fullmatch(rb"[a-h]x[a-h]" + third, move) and before == move[2:3] + behind:
            found.add("en passant")
        if mark == b"#":
            found.add("checkmate")
        before = move
    return tuple(sorted(found))


def examine(tag_lines, move_lines):
    """(the game, "") or (None, why it is not usable)."""
    text = b"\n".join(tag_lines) + b"\n\n" + b"\n".join(move_lines) + b"\n"
    if not text.isascii():
        return None, "text that is not ASCII"
    matches = [TAG.match(line) for line in tag_lines]
    if None in matches:
        return None, "unreadable tag"
    tags = dict(match.groups() for match in matches)
    if b"FEN" in tags or b"SetUp" in tags:
        return None, "not from the initial position"
    year = tags.get(b"Date", b"")[:4]
    if not year.isdigit() or len(year) != 4:
        return None, "unknown year"
    taken = sans(b" ".join(move_lines))
    if taken is None:
        return None, "unreadable movetext"
    moves, result = taken
    if len(moves) < MIN_PLIES:
        return None, f"fewer than {MIN_PLIES} plies"
    if result != tags.get(b"Result"):
        return None, "result tag and result differ"
    if moves[-1][1] == b"#" and result != (b"1-0" if len(moves) % 2 else b"0-1"):
        return None, "result and checkmate differ"
    eco = tags.get(b"ECO", b"").decode()
    if not re.fullmatch(r"[A-E][0-9][0-9]", eco):
        eco = b" ".join(move for move, _ in moves[:2]).decode()
    return Game(text, hashlib.sha256(text).digest(), int(year), eco, len(moves), result.decode(),
                b" ".join(move for move, _ in moves), features_of(moves)), ""


def survey(data):
    """The usable games without duplicates, by rank; and how many games were left out, by reason."""
    examined = [examine(*text) for text in read_texts(data)]
    left_out = collections.Counter(reason for game, reason in examined if game is None)
    games = sorted((game for game, _ in examined if game), key=lambda game: game.rank)
    unique = list({game.moves: game for game in reversed(games)}.values())[::-1]  # of equal moves the lowest rank stays
    if len(unique) < len(games):
        left_out["the same moves as another game"] = len(games) - len(unique)
    return sorted(unique, key=lambda game: game.rank), left_out


def select(games, count):
    """Chooses `count` of `games`, which are sorted by rank, as the head of this file says."""
    chosen = {}
    for feature in RARE:
        for game in [game for game in games if feature in game.features][:RARE_GAMES]:
            if len(chosen) < count:
                chosen[game.rank] = game

    strata = collections.defaultdict(list)
    for game in games:
        strata[game.stratum].append(game)
    queues = [spread_openings(strata[key]) for key in sorted(strata)]
    turn = 0
    while len(chosen) < count:
        # A game that a rare feature brought in already fills its stratum's place in its turn.
        offers = [queue[turn] for queue in queues if turn < len(queue) and queue[turn].rank not in chosen]
        for game in sorted(offers, key=lambda game: game.rank)[:count - len(chosen)]:
            chosen[game.rank] = game
        turn += 1
    return sorted(chosen.values(), key=lambda game: (game.year, game.rank))


def spread_openings(games):
    """Orders the games of a stratum: first one of each ECO group (letter and first digit), by rank; then the second ones..."""
    place = collections.Counter()
    keyed = []
    for game in games:
        keyed.append((place[game.eco[:2]], game.rank, game))
        place[game.eco[:2]] += 1
    return [game for _, _, game in sorted(keyed, key=lambda item: item[:2])]


def table(title, counts, total):
    """A Markdown table of counts with their share of all games."""
    rows = [f"| {title} | games | % |", "|---|---:|---:|"]
    rows += [f"| {name} | {n} | {100 * n / total:.1f} |" for name, n in counts.items()]
    return "\n".join(rows) + "\n"


def describe(games):
    """The composition of a set of games, as Markdown."""
    plies = sorted(game.plies for game in games)
    total = len(games)
    periods = collections.Counter(period(game.year) for game in sorted(games, key=lambda game: game.year))
    letters = collections.Counter(sorted(game.eco[0] for game in games))
    lengths = {name: sum(length_class(n) == name for n in plies) for _, name in LENGTHS}
    results = {name.decode(): sum(game.result == name.decode() for game in games) for name in RESULTS}
    special = collections.Counter(sorted(feature for game in games for feature in game.features))
    return "\n".join((
        f"{total} games, {sum(plies)} plies ({plies[0]} to {plies[-1]} a game, median {plies[total // 2]}, "
        f"mean {sum(plies) / total:.1f}).",
        f"Years {min(g.year for g in games)} to {max(g.year for g in games)}. ECO codes: "
        f"{len({g.eco for g in games})} different, in {len({g.eco[:2] for g in games})} groups (letter and first digit).\n",
        table("period", periods, total), table("opening (ECO letter)", letters, total),
        table("length in plies", lengths, total), table("result", results, total), table("games with", special, total)))


def refuse(message):
    print(f"select_games.py: {message}", file=sys.stderr)
    sys.exit(2)


def main():
    parser = argparse.ArgumentParser(formatter_class=argparse.RawDescriptionHelpFormatter, description=__doc__)
    parser.add_argument("input", metavar="IN", type=pathlib.Path, help="a PGN file")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--out", metavar="FILE", type=pathlib.Path, help="where to write the sample")
    what.add_argument("--describe", action="store_true", help="print the composition of IN as Markdown, select nothing")
    parser.add_argument("--count", type=int, default=1000, metavar="N", help="number of games (default: 1000)")
    options = parser.parse_args()
    try:
        games, left_out = survey(options.input.read_bytes())
        reasons = [f"{number} {reason}" for reason, number in sorted(left_out.items())]
        if not games:
            refuse(f"{options.input} has no usable game ({', '.join(reasons)}); give a PGN file of games")
        if options.describe:
            print(describe(games), end="")
            return
        if not 1 <= options.count <= len(games):
            refuse(f"--count {options.count}: {options.input} has {len(games)} usable games")
        options.out.write_bytes(b"".join(game.text + b"\n" for game in select(games, options.count)))
    except OSError as error:
        refuse(f"{error.filename or 'output'}: {error.strerror}")
    print(f"{options.out}: {options.count} of {len(games)} usable games")
    for reason in reasons:
        print("not usable:", reason)


if __name__ == "__main__":
    main()
