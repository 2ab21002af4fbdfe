# SPDX-License-Identifier: MIT
"""Results that are the same on every architecture, against the figures in known_results.json: digests of traces, counts
of moves, searches, simulated misses. Every build is held to the same figures, whether another one is at hand or not.

Usage: test_known_results.py ROOT COMMAND...          COMMAND starts the program, by an emulator or without
       test_known_results.py ROOT --write COMMAND...  writes the figures, after a change that is meant to change them
"""

import csv
import json
import pathlib
import sys
import tempfile
import unittest

from test_same_results import KIWIPETE, METHODS, run, with_methods, write_few_games

ROOT, COMMAND = pathlib.Path(), []
KNOWN = pathlib.Path(__file__).with_name("known_results.json")

TRACES = {
    "game": ("build", "--kind", "game", "{games}"),
    "search": ("build", "--kind", "search", "--positions", "2", "--nodes", "2000", "--net", "128", "{games}"),
    "random": ("random", "--nodes", "512"),
}
ENGINES = {"classical": ("--net", "0"), "network": ("--net", "128"), "threats": ("--net", "128", "--threats")}
CACHES = ("skylake", "apple-m1", "neoverse-n1,PREFETCH=stream")


def traces(folder):
    """What describes each trace, its digest first; the files stay in the folder."""
    games = folder / "games.pgn"
    write_few_games(ROOT, games)
    found = {}
    for name, arguments in TRACES.items():
        file = folder / f"{name}.trace"
        run(COMMAND, "trace", *(a.replace("{games}", str(games)) for a in arguments), "--out", file)
        info = json.loads(run(COMMAND, "trace", "info", file, "--format", "json"))
        found[name] = {key: info[key] for key in ("digest", "nodes", "queries", "evaluated_nodes", "probed_nodes")}
    return found


def searches():
    """Of each evaluation: nodes, evaluations, and a signature of everything that the searches of 64 positions saw."""
    found = {}
    for name, form in ENGINES.items():
        answer = json.loads(run(COMMAND, "engine", *form, "--depth", 6, "--nodes", 1000, "--hash", 1, "--method",
                                "magic_fancy", "--json"))
        found[name] = {key: answer["methods"][0][key] for key in ("nodes", "evaluations", "signature")}
    return found


def misses(folder):
    """Of each method and cache: what was simulated on the random trace, for the first draw of pages."""
    out = folder / "misses"
    caches = [word for cache in CACHES for word in ("--cache", cache)]
    run(COMMAND, *with_methods("simulate", "--no-random", "--trace", folder / "random.trace", *caches, "--pressure",
                               "light", "--draws", 1, "--out", out))
    found = {method: {cache: {} for cache in CACHES} for method in METHODS}
    with open(out / "counters.csv", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["method"] != "empty":
                found[row["method"]][row["cache"]][row["metric"]] = int(row["value"])
    return found


def results():
    """All of them, as the program of COMMAND gives them."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        perft = run(COMMAND, "perft", "--method", "magic_fancy", "--depth", 3, "--fen", KIWIPETE, "--json")
        return {"traces": traces(folder), "perft": json.loads(perft)["leaves"], "searches": searches(),
                "simulated": misses(folder)}


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
