# SPDX-License-Identifier: MIT
"""Do builds of an engine search the same tree? Depth, score and nodes of what they say, and the moves, tell."""

import re
import time

from builds.uci import START_S, Engine, EngineError, prepare
from report.errors import ReportError

POSITIONS = ("startpos", "fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
             "fen r1bq1rk1/ppp1nppp/4n3/3p3Q/3P4/1BP1B3/PP1N2PP/R4RK1 w - - 1 16")  # fmt: skip
OPTIONS = {"Hash": 16, "Threads": 1, "OwnBook": "false"}
DEPTH = "go depth 6"  # for engines that do not know `go nodes`
SEARCH_S = 300
STOP_S = 30
NODES_UNTIL_S = 60  # an engine that takes longer for its nodes is taken for one that does not count them
DEPTH_SCORE_NODES = [re.compile(pattern) for pattern in (r"\bdepth (\d+)", r"\bscore (\w+ -?\d+)", r"\bnodes (\d+)")]


def fact_of(line):
    """(depth, score, nodes) of an info line; None where it has not all, or the score is a bound: those come by the clock."""
    found = [pattern.search(line) for pattern in DEPTH_SCORE_NODES]
    bound = "lowerbound" in line or "upperbound" in line
    return None if bound or None in found else tuple(match[1] for match in found)


def nodes_of(line):
    """The nodes of an info line, 0 where it names none."""
    found = re.search(r"\bnodes (\d+)", line)
    return int(found[1]) if found else 0


def search(engine, go, seconds, most_nodes):
    """The facts of one search and its move; None where it went beyond a number of nodes or seconds, and was stopped."""
    engine.say(go)
    facts, until, stopped = [], time.monotonic() + seconds, False
    while True:
        line = engine.line(until)
        if line is None and stopped:
            raise EngineError("does not stop its search")
        if line is None or nodes_of(line) > most_nodes:
            if not stopped:
                engine.say("stop")
            stopped, until = True, max(until, time.monotonic() + STOP_S) if line is None else until
            continue
        if line.startswith("bestmove"):
            return None if stopped else (*facts, line.split(" ")[1])
        if line.startswith("info") and (fact := fact_of(line)):
            facts.append(fact)


def tree_of(program, folder, go, most_nodes=float("inf"), seconds=SEARCH_S):
    """What a build says of its searches of all positions; None where it does not keep to the limit of `go`."""
    with Engine(program, folder) as engine:
        prepare(engine, OPTIONS)
        trees = []
        for position in POSITIONS:
            engine.say("ucinewgame", f"position {position}")
            engine.ask("isready", "readyok", START_S)
            trees.append(search(engine, go, seconds, most_nodes))
            if trees[-1] is None:
                return None
        return trees


def limit_that_holds(program, folder, nodes):
    """(the `go` that an engine keeps to, its tree): `go nodes N`, else a depth."""
    go = f"go nodes {nodes}"
    tree = tree_of(program, folder, go, 4 * nodes + 1_000_000, NODES_UNTIL_S)
    if tree is None:
        go = DEPTH
        tree = tree_of(program, folder, go)
    if tree is None:
        raise EngineError(f"does not end `{DEPTH}` within {SEARCH_S} s")
    return go, tree


def named(program, work):
    """Does some work with an engine; ReportError that names the build where the engine fails."""
    try:
        return work()
    except EngineError as error:
        words = "an order of initialisation that the program does not survive, or no UCI engine (--no-search)?"
        raise ReportError(f"{program}: {error}: {words}") from None


def first_difference(one, other):
    """What two trees differ in: the number of a position, from 1, and both facts."""
    for number, (left, right) in enumerate(zip(one, other), 1):
        if left != right:
            pairs = zip([*left, "nothing"], [*right, "nothing"])
            fact = next(((a, b) for a, b in pairs if a != b), (left[-1], right[-1]))
            return f"position {number}, {' '.join(fact[0]) if isinstance(fact[0], tuple) else fact[0]} against " + (
                " ".join(fact[1]) if isinstance(fact[1], tuple) else fact[1])
    return "nothing"


class SameTree:
    """Takes builds one after the other, and holds each against the first."""

    def __init__(self, nodes):
        self.nodes, self.first, self.go, self.tree = nodes, None, "", []

    def take(self, program, folder):
        """Searches with one build. ReportError where its tree is another, or the engine fails."""
        if self.first is None:
            self.first = (program, folder)
            self.go, self.tree = named(program, lambda: limit_that_holds(program, folder, self.nodes))
            return
        tree = named(program, lambda: tree_of(program, folder, self.go))
        if tree != self.tree:
            self._refuse(program, tree)

    def _refuse(self, program, tree):
        first, folder = self.first
        if folder.is_dir() and named(first, lambda: tree_of(first, folder, self.go)) != self.tree:
            raise ReportError(f"{first}: searches another tree each time, so that builds cannot be compared (--no-search)")
        where = first_difference(self.tree, tree or [()] * len(self.tree))
        raise ReportError(f"{first} and {program}: search different trees (depth, score, nodes: {where})")

    def words(self):
        """What to say of all that were taken, in one line."""
        facts = sum(len(tree) - 1 for tree in self.tree)
        return f"Tree: the same in all builds (`{self.go}`, {len(POSITIONS)} positions, {facts} lines with depth, score and nodes)."
