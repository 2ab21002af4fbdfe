# SPDX-License-Identifier: MIT
"""Games, searches and logs into traces, and what is said of them. What is refused is in test_commands.py and the tests of the rooms.

Usage: the program and the source folder, then what unittest takes.
"""

import json

from test_program import GAME, SOURCE, ProgramTest, run_tests, slidebench


def info_of(trace):
    return json.loads(slidebench("trace", "info", trace, "--format", "json").stdout)


class TraceBuild(ProgramTest):
    def test_games_of_a_file_and_of_standard_input(self):
        out = self.path("trace")
        self.succeed("trace", "build", "--kind", "game", "--out", out, self.pgn, "-", stdin=GAME)
        info = info_of(out)
        self.assertEqual((info["nodes"], info["games"]), (2 * 34, 2))  # 33 plies and the start
        self.assertEqual(sum(info["queries_by_kind"].values()), info["queries"])
        self.assertAlmostEqual(info["queries_per_node"]["mean"], info["queries"] / info["nodes"])

    def test_a_search_is_recorded_with_who_asked(self):
        for net, *options in ((0, "--seed", 1), (128,)):
            self.succeed("trace", "build", "--kind", "search", "--out", self.path(net), "--positions", 2, "--nodes", 300, "--net",
                         net, *options, self.pgn)
        info, with_network = info_of(self.path(0)), info_of(self.path(128))["provenance"]
        search = info["provenance"]["search"]
        self.assertEqual((search["nodes"], sum(search["callers"].values()), search["evaluations"]),
                         (600, info["queries"], info["evaluated_nodes"]))
        self.assertEqual(info["provenance"]["recipe"], "slidebench trace build --kind search --positions 2 --seed 1 "
                                                       "--depth 64 --nodes 300 --net 0 opera.pgn")
        self.assertTrue(with_network["threats"])
        self.assertGreater(with_network["search"]["callers"]["threats"], 0)

    def test_the_committed_positions_are_sampled_again(self):
        out = self.path("fen")
        self.succeed("trace", "positions", "--count", 64, "--seed", 1, "--out", out, SOURCE / "datasets/sample.pgn")
        self.assertEqual(out.read_bytes(), (SOURCE / "datasets/positions.fen").read_bytes())

    def test_illegal_games_are_counted_and_named(self):
        illegal = '[Event "Broken"]\n[White "Nobody"]\n[Black "Noone"]\n\n1. e4 e5 2. Ke4 Nc6 1-0\n\n'
        said = self.succeed("trace", "build", "--out", self.path("trace"), "-", stdin=GAME + illegal + GAME).stderr
        self.assertIn("1 game", said)
        self.assertIn("Nobody", said)

    def test_a_folder_of_path_that_has_another_file_of_that_name(self):
        """One that may not be run, or a folder that may not be read, hides nothing of what comes later."""
        folder = self.path("bin")
        folder.mkdir()
        (folder / "pgn-extract").write_text("none")
        words = ("trace", "build", "--out", self.path("t"), self.pgn)
        self.succeed(*words, environment={"PATH": f"{folder}:/usr/bin:/bin"})
        chosen = {"SLIDEBENCH_PGN_EXTRACT": str(folder / "pgn-extract")}
        self.assert_refused(slidebench(*words, environment=chosen), "Permission denied")


class TraceImport(ProgramTest):
    def test_a_log_with_pieces(self):
        log, out = self.path("queries"), self.path("trace")
        log.write_text("board 4k3/8/8/8/8/8/8/R3K3\nroot 1000000000000011\nr a1 1000000000000011\nmove a1a8\nmake\n"
                       "r a8 1100000000000010\nunmake\n")
        for options, is_told in (((), True), (("--no-pieces",), False)):
            said = self.succeed("trace", "import", *options, "--out", out, log).stderr
            self.assertEqual("with their pieces" in said, is_told)
            info = info_of(out)
            self.assertEqual((info["pieces"], info["provenance"]["pieces"]), (is_told, is_told))


class TraceInfo(ProgramTest):
    def test_a_random_trace_has_its_seed_and_no_pieces(self):
        for seed in (5, 6):
            self.succeed("trace", "random", "--seed", seed, "--out", self.path(seed))
        self.assertNotEqual(*(info_of(self.path(seed))["mean_occupied_squares"] for seed in (5, 6)))
        for trace, is_told in ((self.trace, True), (self.path(5), False)):
            self.assertEqual(info_of(trace)["pieces"], is_told)
            last = slidebench("trace", "info", trace).stdout.splitlines()[-1]
            self.assertEqual(last, "It tells the pieces." if is_told else "It does not tell the pieces.")


if __name__ == "__main__":
    run_tests()
