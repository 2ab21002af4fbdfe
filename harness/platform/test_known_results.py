# SPDX-License-Identifier: MIT
"""Results that are the same on every architecture, against the figures in known_results.json: digests of traces, counts
of moves, simulated misses. Every build is held to the same figures, whether another one is at hand or not.

Usage: test_known_results.py ROOT COMMAND...          COMMAND starts the program, by an emulator or without
       test_known_results.py ROOT --write COMMAND...  writes the figures, after a change that is meant to change them
"""

import csv
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT, COMMAND = pathlib.Path(), []
KNOWN = pathlib.Path(__file__).with_name("known_results.json")
METHODS = ("magic_fancy", "kindergarten", "hyperbola", "rotated_hyatt")
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

TRACES = {
    "game": ("build", "--kind", "game", "{games}"),
    **{f"search_{name}": ("build", "--kind", "search", "--positions", "2", "--nodes", "2000", "--net", *form, "{games}")
       for name, form in (("classical", ("0",)), ("network", ("128", "--no-threats")), ("threats", ("128", "--threats")))},
    "random": ("random", "--nodes", "512"),
}
CACHES = ("skylake", "apple-m1", "neoverse-n1")


def run(*arguments):
    """Standard output of the program; anything else than success is a failed test."""
    done = subprocess.run([*COMMAND, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(map(str, arguments))}: exit status {done.returncode}: {done.stderr}"
    return done.stdout


def traces(folder):
    """What describes each trace, its digest first; the files stay in the folder."""
    games = folder / "games.pgn"
    # The sample's first games, for what takes long; a reader that takes char for unsigned must not stumble over a name.
    sample = (ROOT / "datasets/sample.pgn").read_bytes()
    first = '[Event "\u00c9tude"]\n[White "\u00d6"]\n[Result "*"]\n\n1. e4 e5 2. Nf3 *\n\n'.encode()
    games.write_bytes(first + sample[: sample.index(b"\n[Event ", 1500) + 1])
    found = {}
    for name, arguments in TRACES.items():
        file = folder / f"{name}.trace"
        run("trace", *(a.replace("{games}", str(games)) for a in arguments), "--out", file)
        info = json.loads(run("trace", "info", file, "--format", "json"))
        found[name] = {key: info[key] for key in ("digest", "nodes", "queries", "evaluated_nodes", "probed_nodes")}
    return found


def misses(folder):
    """Of each method and cache: what was simulated on the random trace, for the first draw of pages."""
    out = folder / "misses"
    chosen = [word for name in METHODS for word in ("--method", name)] + [word for name in CACHES for word in ("--cache", name)]
    run("simulate", "--trace", folder / "random.trace", *chosen, "--pressure", "light", "--draws", 1, "--out", out)
    found = {method: {cache: {} for cache in CACHES} for method in METHODS}
    with open(out / "counters.csv", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["method"] != "empty":
                found[row["method"]][row["cache"]][row["metric"]] = int(row["value"])
    return found


def results():
    """All of them, as the program of COMMAND gives them."""
    with tempfile.TemporaryDirectory() as name:
        perft = run("perft", "--method", "magic_fancy", "--depth", 3, "--fen", KIWIPETE, "--json")
        # In this order: what is simulated reads a trace.
        return {"traces": traces(pathlib.Path(name)), "perft": json.loads(perft)["leaves"], "simulated": misses(pathlib.Path(name))}


class KnownResults(unittest.TestCase):
    def test_results_are_the_known_ones(self):
        self.maxDiff = None
        known, found = json.loads(KNOWN.read_text()), results()
        self.assertEqual(sorted(known), sorted(found))
        for part in known:
            with self.subTest(part=part):
                self.assertEqual(known[part], found[part])


if __name__ == "__main__":
    ROOT, words = pathlib.Path(sys.argv[1]), sys.argv[2:]
    COMMAND = [word for word in words if word != "--write"]
    if "--write" in words:
        KNOWN.write_text(json.dumps(results(), indent=1) + "\n")
    else:
        unittest.main(argv=sys.argv[:1], verbosity=1)
