#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Selects a small, widely spread sample of games from a large PGN file, and describes such files.

The selection is deterministic and uses no random numbers. Every usable game gets a rank: the SHA-256 of its
own text. Every game belongs to one stratum: (period, opening letter, length class). Then

1. for every rare feature (see ``RARE``), the ``RARE_GAMES`` games of lowest rank that have it are taken;
2. the rest is filled in turns: in each turn every stratum that still has games gives its game of lowest rank
   (preferring an ECO group, such as C5, that this stratum has not given yet), until the wanted count is reached.
   In the last turn, which not all strata can win, the games of lowest rank win.

The order of the games in the input, the Python version and the machine have no influence. Of several games with the
same moves only the one of lowest rank counts. Games are copied byte for byte and sorted by year, then rank.

The input is read twice, a game at a time: memory holds one small record per game, never the text.
"""

import argparse
import collections
import hashlib
import os
import re
import stat
import sys
import tempfile
from typing import BinaryIO, Dict, Iterator, List, NamedTuple, NoReturn, Optional, Tuple

RARE = ("en passant", "promotion to queen", "promotion to rook", "promotion to bishop", "promotion to knight",
        "castling long by white", "castling long by black")
RARE_GAMES = 8
MIN_PLIES = 10
MAX_GAME_BYTES = 1 << 20  # a "game" beyond this is not one

# Length classes in plies (half-moves): first ply count of the class, and its name.
LENGTHS = ((0, "under 40"), (40, "40 to 79"), (80, "80 to 119"), (120, "120 to 159"), (160, "160 and more"))

TAG = re.compile(rb'^\[([A-Za-z0-9_]+)\s+"((?:[^"\\]|\\.)*)"\]\s*$')
RESULTS = (b"1-0", b"0-1", b"1/2-1/2", b"*")
# One move in standard algebraic notation, with its check mark and annotation glyphs.
MOVE = re.compile(rb"(O-O-O|O-O|[KQRBN][a-h]?[1-8]?x?[a-h][1-8]|(?:[a-h]x)?[a-h][1-8](?:=?[QRBN])?)([+#]?)[!?]*")
NUMBER = re.compile(rb"\d+\.+")
PROMOTION = {b"Q": "promotion to queen", b"R": "promotion to rook",
             b"B": "promotion to bishop", b"N": "promotion to knight"}


class InputError(Exception):
    """A problem of the input or output that the user can mend; its text is the one line the user sees."""


class Text(NamedTuple):
    """One game as it stands in the file: where it starts (byte offset) and its lines without line ends."""

    offset: int
    tags: List[bytes]
    moves: List[bytes]

    def block(self) -> bytes:
        """The game's text with LF line ends: tags, an empty line, moves."""
        return b"\n".join(self.tags) + b"\n\n" + b"\n".join(self.moves) + b"\n"


class Game(NamedTuple):
    """What the selection needs to know about one game."""

    rank: bytes          # SHA-256 of Text.block(), 32 bytes
    offset: int          # byte offset in the input
    year: int
    eco: str             # "B05", or "first moves" when there is no ECO tag
    plies: int           # half-moves
    result: str
    same_moves: bytes    # digest of the bare moves, 8 bytes: equal for duplicates
    features: Tuple[str, ...]

    @property
    def stratum(self) -> Tuple[str, str, str]:
        return period(self.year), self.eco[0], length_class(self.plies)


def period(year: int) -> str:
    """The decade of a year; the few games before 1850 and from 1990 on are one period each."""
    if year < 1850:
        return "before 1850"
    if year >= 1990:
        return "1990 to 2000"
    return "%ds" % (year // 10 * 10)


def length_class(plies: int) -> str:
    """The name of the length class, see LENGTHS."""
    return [name for first, name in LENGTHS if plies >= first][-1]


def read_texts(stream: BinaryIO, name: str) -> Iterator[Text]:
    """Yields the games of a PGN file one after the other.

    Args:
        stream: the file, opened in binary mode; its position is the first game's offset.
        name: the file's name, for messages.

    Raises:
        InputError: the file is not text, or one game in it is longer than MAX_GAME_BYTES.
    """
    tags: List[bytes] = []
    moves: List[bytes] = []
    offset = start = stream.tell()
    size = 0
    while True:
        line = stream.readline(MAX_GAME_BYTES)
        if b"\0" in line:
            raise InputError("%s is not a PGN file: it has binary data at byte %d; give a text file of games"
                             % (name, offset))
        bare = line.rstrip(b"\r\n")
        if offset == 0 and bare.startswith(b"\xef\xbb\xbf"):
            bare = bare[3:]
        # A tag after moves starts the next game; an empty line alone does not end one.
        if tags and moves and (not line or bare.startswith(b"[")):
            yield Text(start, tags, moves)
            tags, moves, size = [], [], 0
        if not line:
            return
        if bare.startswith(b"[") and not moves:
            if not tags:
                start = offset
            tags.append(bare)
        elif bare.strip() and tags:
            moves.append(bare)
        size += len(line)
        if size > MAX_GAME_BYTES:
            raise InputError("%s is not a PGN file: no end of a game within %d bytes at byte %d; give a text file of games"
                             % (name, MAX_GAME_BYTES, start))
        offset += len(line)


def sans(movetext: bytes) -> Optional[Tuple[List[Tuple[bytes, bytes]], bytes]]:
    """Takes a movetext apart.

    Returns:
        The moves as (move without marks, "+", "#" or ""), and the result token; None if the text holds anything else,
        such as comments, variations or glyphs.
    """
    body, _, result = movetext.rstrip().rpartition(b" ")
    if result not in RESULTS:
        return None
    body = NUMBER.sub(b" ", body)
    if MOVE.sub(b"", body).strip():
        return None
    return MOVE.findall(body), result


def features_of(moves: List[Tuple[bytes, bytes]]) -> Tuple[str, ...]:
    """The special moves in a game, sorted.

    A pawn capture on the third or sixth rank, straight after the other side's pawn went to the square behind it, is
    always en passant: that pawn left the captured square empty, so nothing else could be captured there.
    """
    found = set()
    before = b""
    for ply, (move, mark) in enumerate(moves):
        side = "black" if ply % 2 else "white"
        if move.startswith(b"O-O"):
            found.add("castling %s by %s" % ("long" if move == b"O-O-O" else "short", side))
        elif move[-1:] in PROMOTION:
            found.add(PROMOTION[move[-1:]])
        elif len(move) == 4 and move[1:2] == b"x" and move[0:1].islower() and move[3:4] == (b"3" if ply % 2 else b"6"):
            if before == move[2:3] + (b"4" if ply % 2 else b"5"):
                found.add("en passant")
        if mark == b"#":
            found.add("checkmate")
        before = move
    return tuple(sorted(found))


def first_moves(moves: List[Tuple[bytes, bytes]]) -> str:
    """A stand-in for a missing ECO tag: the first move of each side, e.g. "e4 c5"."""
    return b" ".join(move for move, _ in moves[:2]).decode("ascii")


def examine(text: Text) -> Tuple[Optional[Game], str]:
    """Judges one game.

    Returns:
        (the game, "") or (None, why it is not usable).
    """
    block = text.block()
    if not block.isascii():
        return None, "text that is not ASCII"
    tags = {}
    for line in text.tags:
        match = TAG.match(line)
        if not match:
            return None, "unreadable tag"
        tags[match.group(1)] = match.group(2)
    if b"FEN" in tags or b"SetUp" in tags:
        return None, "not from the initial position"
    year = tags.get(b"Date", b"")[:4]
    if not year.isdigit() or len(year) != 4:
        return None, "unknown year"
    taken = sans(b" ".join(text.moves))
    if taken is None:
        return None, "unreadable movetext"
    moves, result = taken
    if len(moves) < MIN_PLIES:
        return None, "fewer than %d plies" % MIN_PLIES
    if result != tags.get(b"Result"):
        return None, "result tag and result differ"
    if moves[-1][1] == b"#" and result != (b"1-0" if len(moves) % 2 else b"0-1"):
        return None, "result and checkmate differ"
    eco = tags.get(b"ECO", b"").decode("ascii")
    if not re.match(r"^[A-E][0-9][0-9]$", eco):
        eco = first_moves(moves)
    bare = hashlib.sha256(b" ".join(move for move, _ in moves)).digest()[:8]
    return Game(hashlib.sha256(block).digest(), text.offset, int(year), eco, len(moves), result.decode("ascii"),
                bare, features_of(moves)), ""


def survey(stream: BinaryIO, name: str) -> Tuple[List[Game], collections.Counter]:
    """Reads a whole file.

    Returns:
        The usable games without duplicates, by rank; and how many games were left out, by reason.

    Raises:
        InputError: the file holds no game at all.
    """
    games: List[Game] = []
    left_out: collections.Counter = collections.Counter()
    shared: Dict[Tuple[str, ...], Tuple[str, ...]] = {}
    for text in read_texts(stream, name):
        game, reason = examine(text)
        if game is None:
            left_out[reason] += 1
        else:  # share what many games have in common: half of the memory
            games.append(game._replace(eco=sys.intern(game.eco), result=sys.intern(game.result),
                                       features=shared.setdefault(game.features, game.features)))
    if not games and not left_out:
        raise InputError("%s holds no PGN game; give a file of games with tags such as [Event \"...\"]" % name)
    games.sort(key=lambda game: (game.rank, game.offset))
    seen = set()
    unique = []
    for game in games:
        if game.same_moves in seen:
            left_out["the same moves as another game"] += 1
        else:
            seen.add(game.same_moves)
            unique.append(game)
    return unique, left_out


def select(games: List[Game], count: int) -> List[Game]:
    """Chooses `count` of `games`, which are sorted by rank, as the head of this file says."""
    chosen: Dict[bytes, Game] = {}
    for feature in RARE:
        for game in [game for game in games if feature in game.features][:RARE_GAMES]:
            if len(chosen) < count:
                chosen[game.rank] = game

    strata: Dict[Tuple[str, str, str], List[Game]] = collections.defaultdict(list)
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


def spread_openings(games: List[Game]) -> List[Game]:
    """Orders the games of a stratum: first one of each ECO group (letter and first digit), by rank; then the second ones..."""
    place: collections.Counter = collections.Counter()
    keyed = []
    for game in games:
        group = game.eco[:2]
        keyed.append((place[group], game.rank, game))
        place[group] += 1
    return [game for _, _, game in sorted(keyed, key=lambda item: item[:2])]


def write_games(stream: BinaryIO, name: str, chosen: List[Game], out: BinaryIO) -> None:
    """Copies the chosen games to `out`, with LF line ends and one empty line after each game."""
    for game in chosen:
        stream.seek(game.offset)
        text = next(read_texts(stream, name), None)
        if text is None or hashlib.sha256(text.block()).digest() != game.rank:
            raise InputError("%s changed while it was read; run this again" % name)
        out.write(text.block() + b"\n")


def table(title: str, counts: Dict[str, int], total: int) -> str:
    """A Markdown table of counts with their share of all games."""
    rows = ["| %s | games | %% |" % title, "|---|---:|---:|"]
    rows += ["| %s | %d | %.1f |" % (name, n, 100.0 * n / total) for name, n in counts.items()]
    return "\n".join(rows) + "\n"


def describe(games: List[Game], left_out: collections.Counter) -> str:
    """The composition of a set of games, as Markdown."""
    plies = sorted(game.plies for game in games)
    total = len(games)
    periods = collections.Counter(period(game.year) for game in sorted(games, key=lambda game: game.year))
    letters = collections.Counter(game.eco[0] for game in sorted(games, key=lambda game: game.eco))
    lengths = {name: sum(length_class(n) == name for n in plies) for _, name in LENGTHS}
    results = {name.decode("ascii"): sum(game.result == name.decode("ascii") for game in games) for name in RESULTS}
    special = collections.Counter(feature for game in games for feature in game.features)
    lines = [
        "%d games, %d plies (%d to %d a game, median %d, mean %.1f)."
        % (total, sum(plies), plies[0], plies[-1], plies[total // 2], sum(plies) / total),
        "Years %d to %d. ECO codes: %d different, in %d groups (letter and first digit)."
        % (min(g.year for g in games), max(g.year for g in games), len({g.eco for g in games}), len({g.eco[:2] for g in games})),
    ]
    if left_out:
        lines.append("Not counted: " + ", ".join("%d %s" % (n, reason) for reason, n in sorted(left_out.items())) + ".")
    return "\n".join(lines) + "\n\n" + "\n".join((
        table("period", periods, total), table("opening (ECO letter)", letters, total),
        table("length in plies", lengths, total), table("result", results, total),
        table("games with", dict(sorted(special.items())), total)))


class Parser(argparse.ArgumentParser):
    """An argument parser that says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        raise InputError("%s; see %s --help" % (message, self.prog))


def parse_arguments(arguments: List[str]) -> argparse.Namespace:
    parser = Parser(
        prog="select_games.py", formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False,
        description="Selects a small, widely spread, deterministic sample of games from a large PGN file,\n"
                    "or describes the games of a PGN file.",
        epilog="Examples:\n"
               "  select_games.py datasets/games/book_1.02.pgn --count 1000 --out datasets/sample.pgn\n"
               "  select_games.py --describe datasets/sample.pgn\n\n"
               "Exit status: 0 done; 2 bad input or output, with one line on standard error.")
    parser.add_argument("input", metavar="IN", help="a PGN file (a regular file: it is read twice)")
    parser.add_argument("--out", metavar="FILE", help="where to write the sample")
    parser.add_argument("--count", type=int, default=1000, metavar="N", help="number of games (default: 1000)")
    parser.add_argument("--describe", action="store_true", help="print the composition of IN as Markdown, select nothing")
    options = parser.parse_args(arguments)
    if options.count < 1:
        parser.error("--count %d: give a number of games of at least 1" % options.count)
    if not options.describe and not options.out:
        parser.error("no --out FILE: say where to write the sample")
    if options.describe and options.out:
        parser.error("--describe prints to standard output: leave out --out")
    return options


def write_atomically(path: str, fill) -> None:
    """Calls `fill(file)` on a temporary file beside `path`, then renames it, so that no half-written sample is ever seen."""
    if os.path.exists(path) and not stat.S_ISREG(os.stat(path).st_mode):
        raise InputError("cannot write %s: it exists and is not a regular file; give another --out" % path)
    handle, temporary = tempfile.mkstemp(prefix=".select_games.", dir=os.path.dirname(os.path.abspath(path)))
    try:
        with os.fdopen(handle, "wb") as out:
            fill(out)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def run(options: argparse.Namespace) -> None:
    name = options.input
    if not os.path.exists(name):
        raise InputError("%s does not exist; fetch_games.sh fetches the full collection" % name)
    if not os.path.isfile(name):
        raise InputError("%s is not a regular file; give a PGN file" % name)
    with open(name, "rb") as stream:
        games, left_out = survey(stream, name)
        if not games:
            raise InputError("%s has no usable game (%s); give another file"
                             % (name, ", ".join("%d %s" % (n, why) for why, n in sorted(left_out.items()))))
        if options.describe:
            sys.stdout.write(describe(games, left_out))
            sys.stdout.flush()
            return
        if len(games) < options.count:
            raise InputError("%s has %d usable games, fewer than --count %d; give a smaller count or a larger file"
                             % (name, len(games), options.count))
        chosen = select(games, options.count)
        write_atomically(options.out, lambda out: write_games(stream, name, chosen, out))
    print("%s: %d of %d usable games" % (options.out, len(chosen), len(games)))
    for reason, number in sorted(left_out.items()):
        print("not usable: %d %s" % (number, reason))


def main() -> int:
    try:
        run(parse_arguments(sys.argv[1:]))
        return 0
    except InputError as error:
        message = str(error)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # the reader has gone: nothing left to say
        return 2
    except OSError as error:
        message = "%s: %s; mend it and run this again" % (error.filename or "output", (error.strerror or str(error)).lower())
    except KeyboardInterrupt:
        message = "stopped; nothing was written"
    print("select_games.py: " + " ".join(message.split()), file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
